package llmparse

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// maxBody bounds the bytes of a response that are read.
const maxBody = 8 << 20

// newPool is an HTTP pool that keeps as many connections as requests may be
// in flight.
func newPool(most int) *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		MaxIdleConnsPerHost: most,
		IdleConnTimeout:     90 * time.Second,
	}
}

// leanTransport stands between go-openai and the network. It adds fields to the
// JSON object of each request's body: those that go-openai has no name for
// (top_k) or leaves out (a temperature of 0). Of a response's log-probabilities,
// which are most of its bytes, it leaves the mean.
type leanTransport struct {
	next   http.RoundTripper
	fields []byte // the inside of a JSON object
}

// RoundTrip sends a copy of r with the fields in front of its own.
func (t *leanTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		own, err := readAll(r.Body, r.ContentLength)
		r.Body.Close()
		if err != nil {
			return nil, err
		}
		if len(own) < 2 || own[0] != '{' {
			return nil, fmt.Errorf("request body is not a JSON object")
		}
		body := withFields(own, t.fields)
		r = r.Clone(r.Context())
		r.ContentLength = int64(len(body))
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	res, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := readAll(res.Body, res.ContentLength)
	res.Body.Close()
	if err != nil {
		return nil, err
	}
	if res.StatusCode == http.StatusOK {
		body = withMeanLogProb(body)
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}

// readAll reads to the end; length is how much that is, if it is known.
func readAll(r io.Reader, length int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(max(length, 0), maxBody)) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(r, maxBody))
	return b.Bytes(), err
}

// withFields is a JSON object that is not empty, with more fields, the inside
// of another, in front of its own.
func withFields(object, fields []byte) []byte {
	out := make([]byte, 0, len(object)+len(fields)+1)
	out = append(append(out, '{'), fields...)
	if len(fields) > 0 {
		out = append(out, ',')
	}
	return append(out, object[1:]...)
}
