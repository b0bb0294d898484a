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

// fieldsTransport adds fields to the JSON object of each request's body: those
// that go-openai has no name for (top_k) or leaves out (a temperature of 0).
type fieldsTransport struct {
	next   http.RoundTripper
	fields []byte // the inside of a JSON object
}

// RoundTrip sends a copy of r with the fields in front of its own.
func (t *fieldsTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		own, err := io.ReadAll(r.Body)
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
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(res.Body, maxBody), res.Body}
	return res, nil
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
