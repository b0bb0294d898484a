package client

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/valyala/fastjson"

	"capgraph/llmparse/replies"
)

// newTransport returns an HTTP transport that keeps most connections open. A request fits the write buffer, so that it
// is one write, and most responses with log-probabilities fit the read buffer.
func newTransport(most int) *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		MaxIdleConnsPerHost: most,
		IdleConnTimeout:     90 * time.Second,
		WriteBufferSize:     8 << 10,
		ReadBufferSize:      16 << 10,
	}
}

// exchange carries a request's frame to httpDoer and the completion back, past go-openai, which knows neither.
type exchange struct {
	frame      *Frame
	tokens     int                 // limit of tokens for the reply
	completion *replies.Completion // nil if the response has none
	page       *pageError          // set if the response is a web page
}

// exchangeKey is the context key of a request's exchange.
type exchangeKey struct{}

// httpDoer is the HTTP client that go-openai uses. It adds frames to requests and reads completions itself, since
// go-openai takes several times as long (decision 13). go-openai reads other responses.
type httpDoer struct {
	client   *http.Client
	mostBody func(tokens int) int // limit of a response's bytes
	buffers  sync.Pool            // of *bytes.Buffer
	parsers  fastjson.ParserPool
	parsing  chan struct{} // held while a response is parsed, which needs many times its size in memory
}

func newHTTPDoer(client *http.Client, o *Options) *httpDoer {
	return &httpDoer{client: client, mostBody: o.maxBody, parsing: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Do implements openai.HTTPDoer.
func (d *httpDoer) Do(r *http.Request) (*http.Response, error) {
	x := r.Context().Value(exchangeKey{}).(*exchange)
	if err := d.frame(r, x.frame); err != nil {
		return nil, err
	}
	res, err := d.client.Do(r)
	if err != nil {
		return nil, connectionError(err)
	}
	defer res.Body.Close()
	body, most := d.buffer(), d.mostBody(x.tokens)
	if _, err := body.ReadFrom(io.LimitReader(res.Body, int64(most)+1)); err != nil {
		return nil, connectionError(err)
	}
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400: // go-openai would read it as an answer
		return nil, &statusError{res.StatusCode, ""}
	case body.Len() > most && res.StatusCode < http.StatusBadRequest:
		return nil, replies.TooLongError(most, x.tokens)
	case res.StatusCode == http.StatusOK:
		x.completion = d.parse(body.Bytes())
		if x.completion == nil {
			x.page = asPageError(res.StatusCode, body.Bytes())
		}
	}
	if c := x.completion; c != nil && len(c.Content) > replies.MaxContent(x.tokens) {
		return nil, replies.TooLongError(replies.MaxContent(x.tokens), x.tokens)
	}
	if x.completion == nil {
		res.Body = io.NopCloser(body)
		return res, nil
	}
	d.buffers.Put(body)
	res.Body = io.NopCloser(strings.NewReader("{}"))
	return res, nil
}

// parse returns the completion in a response, as replies.ReadCompletion reads it.
func (d *httpDoer) parse(body []byte) *replies.Completion {
	d.parsing <- struct{}{}
	defer func() { <-d.parsing }()
	p := d.parsers.Get()
	defer d.parsers.Put(p)
	return replies.ReadCompletion(p, body)
}

// frame adds the fields of f to the body of r.
func (d *httpDoer) frame(r *http.Request, f *Frame) error {
	own := d.buffer()
	defer d.buffers.Put(own)
	_, err := own.ReadFrom(r.Body)
	if err = errors.Join(err, r.Body.Close()); err != nil {
		return err
	}
	body, err := f.wrap(own.Bytes())
	if err != nil {
		return err
	}
	r.ContentLength = int64(len(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body, err = r.GetBody()
	return err
}

// buffer returns an empty buffer.
func (d *httpDoer) buffer() *bytes.Buffer {
	b, ok := d.buffers.Get().(*bytes.Buffer)
	if !ok {
		return new(bytes.Buffer)
	}
	b.Reset()
	return b
}

// Bounds for the bytes of a response: of the log-probability of each token, and of everything else.
const (
	logProbBytes  = 320
	responseBytes = 128 << 10
)

// maxBody returns a bound for the bytes of a response with a reply of tokens tokens.
func (o *Options) maxBody(tokens int) int {
	each := replies.TokenBytes
	if o.LogProbs {
		each += logProbBytes * (1 + o.topLogProbs())
	}
	return responseBytes + tokens*each
}

// topLogProbs returns how many alternatives the server lists for each token of a reply.
func (o *Options) topLogProbs() int {
	n := 0
	switch top := o.Sampling["top_logprobs"].(type) {
	case int:
		n = top
	case uint64:
		n = int(min(top, 1<<10))
	case int64:
		n = int(top)
	case float64:
		n = int(top)
	}
	return min(max(n, 0), 1<<10)
}
