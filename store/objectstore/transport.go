package objectstore

import (
	"io"
	"net/http"
	"sync/atomic"
)

// countingTransport sends requests through another transport and counts them.
type countingTransport struct {
	base http.RoundTripper
	*counter
}

func (c *counter) wrap(t http.RoundTripper) *countingTransport { return &countingTransport{t, c} }

// RoundTrip implements http.RoundTripper.
func (c *countingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		c.read.Add(1)
	case http.MethodPut, http.MethodPost:
		c.written.Add(1)
	default:
		c.other.Add(1)
	}
	c.bytesWritten.Add(max(0, r.ContentLength))
	answer, err := c.base.RoundTrip(r)
	if err == nil {
		answer.Body = &countingBody{answer.Body, &c.bytesRead}
	}
	return answer, err
}

// maxConnections is how many idle connections to a store are kept open: as many as the files that a
// run may have open.
const maxConnections = 128

func keepConnections(t *http.Transport) {
	t.MaxIdleConnsPerHost, t.MaxIdleConns = maxConnections, 2*maxConnections
}

func newTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	keepConnections(t)
	return t
}

type countingBody struct {
	io.ReadCloser
	bytes *atomic.Int64
}

func (b *countingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.bytes.Add(int64(n))
	return n, err
}
