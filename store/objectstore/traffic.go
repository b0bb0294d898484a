package objectstore

import (
	"io"
	"net/http"
	"sync/atomic"
)

// Traffic is what was asked of object stores: requests, those that were made again
// among them, bytes of their bodies, and the most scratch space that was in use at
// one time.
type Traffic struct {
	Read, Written, Other    int64 // requests: GET and HEAD; PUT and POST; the others
	BytesRead, BytesWritten int64
	Scratch                 int64 // bytes
	ScratchDir              string
}

// Any tells whether an object store was asked at all.
func (t Traffic) Any() bool { return t.Read+t.Written+t.Other > 0 }

// counter counts requests on their way out, after all that makes them again.
type counter struct {
	read, written, other    atomic.Int64
	bytesRead, bytesWritten atomic.Int64
}

// counted makes requests over another transport and counts them.
type counted struct {
	over http.RoundTripper
	*counter
}

func (c *counter) over(t http.RoundTripper) *counted { return &counted{t, c} }

// RoundTrip implements http.RoundTripper.
func (c *counted) RoundTrip(r *http.Request) (*http.Response, error) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		c.read.Add(1)
	case http.MethodPut, http.MethodPost:
		c.written.Add(1)
	default:
		c.other.Add(1)
	}
	c.bytesWritten.Add(max(0, r.ContentLength))
	answer, err := c.over.RoundTrip(r)
	if err == nil {
		answer.Body = &countedBody{answer.Body, &c.bytesRead}
	}
	return answer, err
}

// connections is how many connections to a store are kept: as many as a run may have
// files open, so that none is made anew for each request.
const connections = 128

func keepConnections(t *http.Transport) {
	t.MaxIdleConnsPerHost, t.MaxIdleConns = connections, 2*connections
}

func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	keepConnections(t)
	return t
}

func (c *counter) traffic() Traffic {
	return Traffic{
		Read: c.read.Load(), Written: c.written.Load(), Other: c.other.Load(),
		BytesRead: c.bytesRead.Load(), BytesWritten: c.bytesWritten.Load(),
	}
}

type countedBody struct {
	io.ReadCloser
	bytes *atomic.Int64
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.bytes.Add(int64(n))
	return n, err
}
