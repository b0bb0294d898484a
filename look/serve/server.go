package serve

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/look/report"
)

//go:embed pages.html judge.js
var assets embed.FS

// Options say what is served.
type Options struct {
	Folder folder.Folder
	// Compare is the other folder of the judgements; nil: none.
	Compare *folder.Folder
	// Judgements is the file that judgements are appended to.
	Judgements string
	// Seed orders the rows to judge and hides which folder is left.
	Seed uint64
	// Replies is the folder of a model's replies, where it proposed replacements.
	Replies string
	// Token is what a request has to bring; empty: none.
	Token string
}

// server answers requests. It is safe for concurrent use.
type server struct {
	Options
	pages     *template.Template
	judges    *judges // nil where nothing is compared
	explainer explainer
}

// New returns the handler of a folder. It reads the judgements that there are.
func New(o Options) (http.Handler, error) {
	if _, err := o.Folder.Index(); err != nil {
		return nil, err
	}
	s := &server{Options: o}
	var err error
	if s.pages, err = template.New("").Funcs(template.FuncMap{
		"mark": report.Mark, "caption": report.Caption, "drawing": report.Drawing, "difference": difference,
	}).ParseFS(assets, "pages.html"); err != nil {
		return nil, err
	}
	if o.Compare != nil {
		if s.judges, err = newJudges(o); err != nil {
			return nil, err
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.search)
	mux.HandleFunc("GET /row", s.row)
	mux.HandleFunc("GET /judge", s.judge)
	mux.HandleFunc("POST /judge", s.decide)
	mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		fmt.Fprint(w, report.Style)
	})
	mux.HandleFunc("GET /judge.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, assets, "judge.js")
	})
	return guard(o.Token, http.NewCrossOriginProtection().Handler(mux)), nil
}

// NewToken returns a token that cannot be guessed.
func NewToken() string { return rand.Text() }

// Loopback tells whether an address, "host:port", is of this machine alone.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Listen takes the address. The error says what to do where it is taken.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%w (choose another with --addr; 127.0.0.1:0 takes any free port)", err)
	}
	return l, nil
}

// URL is where a browser on this machine finds the server that listens on
// address: on all addresses, by that of the loopback.
func URL(address net.Addr, token string) string {
	host := address.String()
	if a, ok := address.(*net.TCPAddr); ok && a.IP.IsUnspecified() {
		host = net.JoinHostPort("127.0.0.1", strconv.Itoa(a.Port))
	}
	u := url.URL{Scheme: "http", Host: host, Path: "/"}
	if token != "" {
		u.RawQuery = url.Values{"token": {token}}.Encode()
	}
	return u.String()
}

// Serve answers requests until ctx is done, and then finishes those begun.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
		defer cancel()
		stopped <- srv.Shutdown(grace)
	})
	err := srv.Serve(l)
	if stop() || !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

// show writes a page.
func (s *server) show(w http.ResponseWriter, status int, name string, view any) {
	var made strings.Builder
	if err := s.pages.ExecuteTemplate(&made, name, view); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprint(w, made.String())
}

// fail writes a page that says what is wrong.
func (s *server) fail(w http.ResponseWriter, status int, err error) {
	s.show(w, status, "error", struct {
		Title   string
		Compare bool
		Error   error
	}{"Error", s.judges != nil, err})
}

func difference(positive, negative string) []inspect.Run {
	_, changed := inspect.Difference(positive, negative)
	return changed
}
