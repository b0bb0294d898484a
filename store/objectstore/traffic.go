package objectstore

import "sync/atomic"

// Traffic has figures on the use of object stores: numbers of requests, including repeated ones,
// bytes of their bodies, and the most scratch space in use at one time.
type Traffic struct {
	Read, Written, Other    int64 // requests: GET and HEAD; PUT and POST; the others
	BytesRead, BytesWritten int64
	Scratch                 int64 // bytes
	ScratchDir              string
}

// HasRequests reports whether any request was made.
func (t Traffic) HasRequests() bool { return t.Read+t.Written+t.Other > 0 }

// counter counts requests when they are sent, so that repeated ones count.
type counter struct {
	read, written, other    atomic.Int64
	bytesRead, bytesWritten atomic.Int64
}

func (c *counter) readTraffic() Traffic {
	return Traffic{
		Read: c.read.Load(), Written: c.written.Load(), Other: c.other.Load(),
		BytesRead: c.bytesRead.Load(), BytesWritten: c.bytesWritten.Load(),
	}
}

// scratch is the local folder in which files are written before their upload.
type scratch struct {
	dir       string
	now, peak atomic.Int64 // bytes in use
}

// AddBytes counts bytes written to scratch files. Negative numbers are bytes freed.
func (s *scratch) AddBytes(bytes int64) {
	now := s.now.Add(bytes)
	for most := s.peak.Load(); now > most && !s.peak.CompareAndSwap(most, now); most = s.peak.Load() {
	}
}
