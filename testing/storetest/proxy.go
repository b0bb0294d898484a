package storetest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"sync"
	"testing"
)

// Fault is what a proxy does to a request.
type Fault struct {
	kind   string
	status int
	body   string
}

// The faults.
var (
	Pass      = Fault{}                         // as it is
	LoseReply = Fault{kind: "lose the reply"}   // the store carries it out, but the reply is lost
	CutBody   = Fault{kind: "cut the body"}     // half of the reply's body
	Refuse    = Fault{kind: "close unheard of"} // the store does not receive the request
)

// Answer returns a fault that responds with an error of S3. The store does not receive the request.
func Answer(status int, code string) Fault {
	return Say(status, "<Error><Code>"+code+"</Code><Message>as the test wants it</Message></Error>")
}

// Say returns a fault that responds with body. The store does not receive the request.
func Say(status int, body string) Fault { return Fault{kind: "answer", status: status, body: body} }

// Proxy starts a proxy for the server in AWS_ENDPOINT_URL. fault is called for each request, from
// many goroutines but one at a time.
func Proxy(t testing.TB, fault func(r *http.Request) Fault) {
	target, err := url.Parse(os.Getenv("AWS_ENDPOINT_URL"))
	if err != nil {
		t.Fatal(err)
	}
	pass := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host // which is signed
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { panic(http.ErrAbortHandler) },
	}
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		f := fault(r)
		mu.Unlock()
		switch f.kind {
		case "":
			pass.ServeHTTP(w, r)
		case "answer":
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(f.status)
			io.WriteString(w, f.body)
		case LoseReply.kind:
			pass.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		case CutBody.kind:
			whole := httptest.NewRecorder()
			pass.ServeHTTP(whole, r)
			for name, values := range whole.Header() {
				w.Header()[name] = values
			}
			w.Header().Set("Content-Length", strconv.Itoa(whole.Body.Len()))
			w.WriteHeader(whole.Code)
			io.Copy(w, bytes.NewReader(whole.Body.Bytes()[:whole.Body.Len()/2]))
			panic(http.ErrAbortHandler)
		default:
			panic(http.ErrAbortHandler)
		}
	}))
	server.Config.ErrorLog = nil
	t.Cleanup(server.Close)
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
}
