package objectstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"capgraph/internal/direct"
)

const (
	hubAttempts  = 8
	maxRedirects = 5
	maxHubWait   = 5 * time.Minute // the period in which the Hub counts requests
)

// addressOf returns a URL of the Hub. path must be escaped.
func (h *hub) addressOf(path, query string) *url.URL {
	u, err := url.Parse(h.endpoint.String() + path)
	if err != nil { // cannot happen for an escaped path
		u = h.endpoint
	}
	u.RawQuery = query
	return u
}

// isHub reports whether a URL is on the Hub itself. Only the Hub gets the token, not the servers it
// redirects to.
func (h *hub) isHub(u *url.URL) bool {
	return u.Scheme == h.endpoint.Scheme && u.Host == h.endpoint.Host
}

// hubAnswer is a successful response, or the redirect of a HEAD request to another server.
type hubAnswer struct {
	*http.Response
	etag string // of the object, according to the Hub
	size int64  // of the object, according to the Hub; -1 if unknown
	at   *url.URL
}

// readHeader stores what the Hub's headers say about an object.
func (a *hubAnswer) readHeader(header http.Header) {
	if etag := header.Get("X-Linked-Etag"); etag != "" {
		a.etag = etag
	} else if a.etag == "" {
		a.etag = header.Get("Etag")
	}
	if size, err := strconv.ParseInt(header.Get("X-Linked-Size"), 10, 64); err == nil && size >= 0 {
		a.size = size
	}
}

// sendRequest sends a request and follows redirects. Only the Hub gets the token.
func (h *hub) sendRequest(ctx context.Context, method string, to *url.URL, bytes string) (*hubAnswer, error) {
	a := &hubAnswer{size: -1}
	for range maxRedirects {
		isHub := h.isHub(to)
		response, err := h.requestWithRetries(ctx, method, to, bytes, isHub)
		var redirect *direct.Redirect
		switch {
		case err == nil:
			if isHub {
				a.readHeader(response.Header)
			}
			a.Response, a.at = response, to
			return a, nil
		case !errors.As(err, &redirect):
			return nil, err
		case redirect.To == nil || redirect.To.Scheme != "http" && redirect.To.Scheme != "https":
			return nil, errors.New("a redirect to what is no address")
		}
		if isHub {
			a.readHeader(redirect.Header)
		}
		if to = redirect.To; method == http.MethodHead && !h.isHub(to) {
			return a, nil
		}
	}
	return nil, fmt.Errorf("more than %d redirects", maxRedirects)
}

// requestWithRetries sends a request and repeats it if the server is busy or unreachable.
func (h *hub) requestWithRetries(ctx context.Context, method string, to *url.URL, bytes string, withToken bool) (*http.Response, error) {
	for n := 1; ; n++ {
		response, err := h.requestOnce(ctx, method, to, bytes, withToken)
		var status *hubStatus
		var redirect *direct.Redirect
		mayRetry := !errors.As(err, &redirect)
		if errors.As(err, &status) {
			mayRetry = status.code == http.StatusTooManyRequests || status.code == http.StatusRequestTimeout || status.code >= 500
		}
		switch {
		case err == nil || !mayRetry || n == hubAttempts || ctx.Err() != nil:
			return response, err
		case status != nil && status.wait > 0:
			if !waitFor(ctx, status.wait) {
				return nil, ctx.Err()
			}
		case !waitToRetry(ctx, n):
			return nil, ctx.Err()
		}
	}
}

// errIdle is the cause of errors if a server sends fewer than leastBytes within hubIdle.
var errIdle = errors.New("the server stopped sending, or almost")

// leastBytes is how many bytes a server must send within hubIdle.
const leastBytes = 4 << 10

func (h *hub) requestOnce(ctx context.Context, method string, to *url.URL, bytes string, withToken bool) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	r, err := http.NewRequestWithContext(ctx, method, to.String(), nil)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	r.Header.Set("Accept-Encoding", "identity") // so that sizes are those of files, not of compressed responses
	r.Header.Set("User-Agent", "capgraph")
	if bytes != "" {
		r.Header.Set("Range", bytes)
	}
	if withToken && h.token != "" {
		r.Header.Set("Authorization", "Bearer "+h.token)
	}
	response, err := h.client.Do(r)
	if err == nil && response.StatusCode/100 != 2 {
		err = newHubStatus(response)
		response.Body.Close()
	}
	if err != nil {
		cancel(nil)
		return nil, err
	}
	stop := func() { cancel(errIdle) }
	response.Body = &idleBody{ReadCloser: response.Body, ctx: ctx, cancel: cancel, idle: h.idle, timer: time.AfterFunc(h.idle, stop)}
	return response, nil
}

// idleBody is a response body that fails with errIdle if it gets fewer than leastBytes within some time.
type idleBody struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	idle   time.Duration
	timer  *time.Timer
	got    int // bytes read since the timer was set
}

func (b *idleBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.got += n; b.got >= leastBytes {
		b.got = 0
		b.timer.Reset(b.idle)
	}
	if err != nil && !errors.Is(err, io.EOF) && errors.Is(context.Cause(b.ctx), errIdle) {
		err = errIdle
	}
	return n, err
}

func (b *idleBody) Close() error {
	b.timer.Stop()
	err := b.ReadCloser.Close()
	b.cancel(nil)
	return err
}

// hubStatus is the error of a response with another status than success.
type hubStatus struct {
	code    int
	reason  string // as RepoNotFound
	message string
	wait    time.Duration
	size    string // the size after bytes */ in Content-Range
}

func newHubStatus(r *http.Response) *hubStatus {
	s := &hubStatus{code: r.StatusCode, reason: r.Header.Get("X-Error-Code"), message: r.Header.Get("X-Error-Message")}
	s.size, _ = strings.CutPrefix(r.Header.Get("Content-Range"), "bytes */")
	seconds := r.Header.Get("Retry-After")
	if _, rest, ok := strings.Cut(r.Header.Get("RateLimit"), ";t="); ok && seconds == "" { // "resolver";r=0;t=55
		seconds, _, _ = strings.Cut(rest, ";")
	}
	if n, err := strconv.Atoi(seconds); err == nil && n > 0 && s.code != http.StatusForbidden {
		s.wait = min(time.Duration(min(n, 1<<20))*time.Second, maxHubWait)
	}
	return s
}

func (s *hubStatus) Error() string {
	text := fmt.Sprintf("status %d %s", s.code, http.StatusText(s.code))
	if s.message != "" {
		text += ": " + s.message
	}
	return text
}

// Unwrap returns fs.ErrNotExist if the repository has no such file or folder.
func (s *hubStatus) Unwrap() error {
	if s.code == http.StatusNotFound && s.reason != "RepoNotFound" && s.reason != "RevisionNotFound" {
		return fs.ErrNotExist
	}
	return nil
}

// explainError implements keyReader.
func (h *hub) explainError(op, key string, err error) error {
	var own *Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%s %s: %w", op, h.fullName(key), context.Canceled)
	}
	var address *url.Error
	cause := err
	if errors.As(err, &address) {
		cause = address.Err
	}
	e := &Error{op: op, name: h.fullName(key), cause: hideSecrets(cause.Error()), remedy: "see that the Hub is there and run again; what is finished is kept"}
	var s *hubStatus
	var number syscall.Errno
	switch {
	case errors.Is(err, errChanged):
		e.cause, e.remedy = errChanged.Error(), "nothing may write to it meanwhile: run again, or name a commit after @" // the object may be complete then
	case errors.As(err, &s) && s.code == http.StatusUnauthorized:
		e.remedy, e.is = "check the name of the repository; for a private one, set "+tokenVariable+" to a token that may read it", fs.ErrPermission
	case s != nil && s.code == http.StatusForbidden:
		e.remedy, e.is = "accept the conditions on the page of the repository, and set "+tokenVariable+" to a token that may read it", fs.ErrPermission
	case isNotExist(err):
		e.cause, e.remedy, e.is, e.ofObject = "no such file or folder", "check the path and the revision", fs.ErrNotExist, true
	case s != nil && s.code == http.StatusNotFound:
		e.remedy, e.ofObject = "check ORG/NAME and the revision after @", true
	case errors.As(err, &number):
		e.is = number
	}
	return e
}

// readSize returns the size of a file.
func (h *hub) readSize(p hubPath) (int64, error) {
	a, err := h.sendRequest(h.ctx, http.MethodHead, h.addressOf(p.fileAddress(), ""), "")
	if err != nil {
		return 0, err
	}
	if a.Response != nil {
		defer a.Body.Close()
		if a.size < 0 {
			a.size = a.ContentLength
		}
	}
	if a.size < 0 {
		return 0, errors.New("the response has no size")
	}
	return a.size, nil
}

// hubFile reads a file of the Hub. It keeps the URL that the Hub redirects to until that expires.
type hubFile struct {
	*hub
	path hubPath

	mu       sync.Mutex
	redirect *hubAnswer
}

// readPart implements keyReader.
func (f *hubFile) readPart(ctx context.Context, key string, offset, length int64, version string) (*part, error) {
	bytes := fmt.Sprintf("bytes=%d-%d", offset, offset+length-1)
	f.mu.Lock()
	known := f.redirect
	f.mu.Unlock()
	if known != nil {
		response, err := f.requestWithRetries(ctx, http.MethodGet, known.at, bytes, false)
		var s *hubStatus
		if !errors.As(err, &s) || s.code/100 != 4 {
			if err != nil {
				return nil, err
			}
			return newPart(&hubAnswer{Response: response, etag: known.etag, size: known.size}, offset)
		}
	}
	a, err := f.sendRequest(ctx, http.MethodGet, f.addressOf(f.path.fileAddress(), ""), bytes)
	var s *hubStatus
	switch {
	case errors.As(err, &s) && s.code == http.StatusRequestedRangeNotSatisfiable && s.size == "0" && offset == 0:
		return &part{ReadCloser: http.NoBody}, nil
	case err != nil && version != "" && isNotExist(err):
		return nil, fmt.Errorf("%w: %w", errChanged, err)
	case err != nil && offset == 0 && version == "":
		return nil, f.explainError("open", key, err)
	case err != nil:
		return nil, err
	case version != "" && a.etag != version:
		a.Body.Close()
		return nil, errChanged
	}
	if !f.isHub(a.at) {
		f.mu.Lock()
		f.redirect = a
		f.mu.Unlock()
	}
	return newPart(a, offset)
}

// newPart returns the body of a response as a part that begins at offset. If the server sends the whole file,
// it skips what is before.
func newPart(a *hubAnswer, offset int64) (*part, error) {
	p := &part{a.Body, a.size, a.etag}
	if a.StatusCode == http.StatusPartialContent {
		start, size, err := parseContentRange(a.Header.Get("Content-Range"))
		if err == nil && start != offset {
			err = fmt.Errorf("the response begins at byte %d, not %d", start, offset)
		}
		if err != nil {
			a.Body.Close()
			return nil, err
		}
		p.size = size
		return p, nil
	}
	if a.ContentLength >= 0 {
		p.size = a.ContentLength
	}
	_, err := io.CopyN(io.Discard, a.Body, offset)
	if err != nil {
		err = truncatedError{asUnexpectedEOF(err)}
	} else if p.size < 0 {
		err = errors.New("the response has no size")
	}
	if err != nil {
		a.Body.Close()
		return nil, err
	}
	return p, nil
}

// parseContentRange returns the numbers in "bytes START-END/SIZE".
func parseContentRange(text string) (start, size int64, err error) {
	span, total, _ := strings.Cut(strings.TrimPrefix(text, "bytes "), "/")
	first, _, _ := strings.Cut(span, "-")
	start, err = strconv.ParseInt(first, 10, 64)
	if err == nil {
		size, err = strconv.ParseInt(total, 10, 64)
	}
	if err != nil || start < 0 || size <= start {
		return 0, 0, fmt.Errorf("Content-Range %.100q is none", text)
	}
	return start, size, nil
}
