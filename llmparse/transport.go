package llmparse

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/valyala/fastjson"
)

// newTransport is an HTTP pool that keeps as many connections as requests may be
// in flight. A request fits its buffer, so that it is one write, and most
// responses with log-probabilities theirs.
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

// frame is what all questions of one kind have in common, encoded once.
type frame struct {
	fields []byte // of the request, the inside of a JSON object; never empty
	head   []byte // of its message, the inside of a JSON string
}

// newFrame makes the frame of questions that begin with head and whose replies
// are held to a schema, unless that is empty. sampling is a JSON object, which is
// put in front as it is: go-openai has no name for some fields (top_k), and
// leaves out a temperature of 0.
func newFrame(sampling, head, schema string) *frame {
	fields := sampling[1 : len(sampling)-1]
	if schema != "" {
		fields += `,"response_format":{"type":"json_schema","json_schema":{"name":"reply","strict":true,"schema":` + schema + `}}`
	}
	text, _ := json.Marshal(head) // of a string, which never fails
	return &frame{fields: []byte(fields), head: text[1 : len(text)-1]}
}

// messageBegin is where the text of a request's one message begins. Nothing
// else in a request can look like it: quotation marks in strings are escaped.
var messageBegin = []byte(`"content":"`)

// wrap is a request, as go-openai encodes it, in its frame.
func (f *frame) wrap(request []byte) ([]byte, error) {
	at := bytes.Index(request, messageBegin)
	if at < 0 || request[0] != '{' {
		return nil, errors.New("request has no message")
	}
	at += len(messageBegin)
	out := make([]byte, 0, len(request)+len(f.fields)+len(f.head)+1)
	out = append(append(append(out, '{'), f.fields...), ',')
	out = append(append(out, request[1:at]...), f.head...)
	return append(out, request[at:]...), nil
}

// exchange is what passes go-openai by: how a request is sent and what its
// response says.
type exchange struct {
	frame      *frame
	tokens     int         // the most of the reply
	completion *completion // nil if the response is none
	page       *pageError  // what it is as a web page instead
}

// exchangeKey is the key of a request's exchange among the values of its context.
type exchangeKey struct{}

// httpDoer is the HTTP client of go-openai. It puts requests into their frames and reads
// completions, for which go-openai takes several times as long (decision 13). go-openai reads other
// responses.
type httpDoer struct {
	client   *http.Client
	mostBody func(tokens int) int // bytes of a response
	buffers  sync.Pool            // of *bytes.Buffer
	parsers  fastjson.ParserPool
	parsing  chan struct{} // held while a response is parsed, which takes many times its bytes
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
		return nil, tooLongError(most, x.tokens)
	case res.StatusCode == http.StatusOK:
		x.completion = d.parse(body.Bytes())
		if x.completion == nil {
			x.page = pageErrorOf(res.StatusCode, body.Bytes())
		}
	}
	if c := x.completion; c != nil && len(c.content) > maxContent(x.tokens) {
		return nil, tooLongError(maxContent(x.tokens), x.tokens)
	}
	if x.completion == nil {
		res.Body = io.NopCloser(body)
		return res, nil
	}
	d.buffers.Put(body)
	res.Body = io.NopCloser(strings.NewReader("{}"))
	return res, nil
}

// parse reads a response as readCompletion does.
func (d *httpDoer) parse(body []byte) *completion {
	d.parsing <- struct{}{}
	defer func() { <-d.parsing }()
	p := d.parsers.Get()
	defer d.parsers.Put(p)
	return readCompletion(p, body)
}

// frame puts the body of r into f.
func (d *httpDoer) frame(r *http.Request, f *frame) error {
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

// buffer is an empty buffer.
func (d *httpDoer) buffer() *bytes.Buffer {
	b, ok := d.buffers.Get().(*bytes.Buffer)
	if !ok {
		return new(bytes.Buffer)
	}
	b.Reset()
	return b
}
