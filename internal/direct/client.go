// Package direct makes HTTP clients that send a request to the address it names and to no
// other: a redirect is an error. So keys and captions go where the settings say.
package direct

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// Client returns a client over t that follows no redirect. A response that redirects is a
// *Redirect among the errors of Do.
func Client(t http.RoundTripper) *http.Client { return &http.Client{Transport: transport{t}} }

type transport struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	switch response.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		to, err := response.Location()
		if errors.Is(err, http.ErrNoLocation) {
			return response, nil // Google's answer to a part of an upload
		}
		response.Body.Close()
		return nil, &Redirect{response.StatusCode, r.URL, to, response.Header}
	}
	return response, nil
}

// Redirect is a response that redirects to another address, which was not followed.
type Redirect struct {
	Status   int
	From, To *url.URL // To is nil if the redirect has no valid address
	Header   http.Header
}

func (e *Redirect) Error() string {
	to := "what is no address"
	if e.To != nil {
		to = withoutSecrets(e.To)
	}
	return fmt.Sprintf("status %d %s: %s redirects to %s, which is not followed", e.Status, http.StatusText(e.Status), withoutSecrets(e.From), to)
}

// withoutSecrets returns an address without its user, password, query and fragment, which may be
// secret.
func withoutSecrets(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
}

// RetryableError tells Amazon's SDK that the next request would be redirected too.
func (*Redirect) RetryableError() bool { return false }

// NonRetriable tells Azure's SDK the same as RetryableError tells Amazon's.
func (*Redirect) NonRetriable() {}
