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
	"strconv"
	"strings"
	"time"

	"capgraph/folder"
	"capgraph/images"
	"capgraph/look/inspect"
	"capgraph/look/report"
)

//go:embed pages.html judge.js
var assets embed.FS

// Options are the settings of a server.
type Options struct {
	Folder folder.Folder
	// Compare is the folder with which Folder is compared; nil for none.
	Compare *folder.Folder
	// Judgements is the file that judgements are appended to.
	Judgements string
	// Seed determines the order of the rows to judge, and which folder is on the left.
	Seed uint64
	// Images are the images of the rows; nil for none.
	Images images.Set
	// Replies is the folder of a language model's replies, if it proposed replacements.
	Replies string
}

// Server answers requests whose path begins with its token. It is safe for concurrent use.
type Server struct {
	Options
	token      string
	handler    http.Handler
	pages      *template.Template
	comparison *comparison // nil without Options.Compare
	explainer  explainer
}

// New returns a server of a folder with a new random token. It reads the file of judgements.
func New(o Options) (*Server, error) {
	if _, err := o.Folder.ReadIndex(); err != nil {
		return nil, err
	}
	s := &Server{Options: o, token: rand.Text()}
	shared, err := report.NewTemplate()
	if err != nil {
		return nil, err
	}
	if s.pages, err = shared.Funcs(template.FuncMap{"difference": changedSegments, "choice": newChoice}).ParseFS(assets, "pages.html"); err != nil {
		return nil, err
	}
	if o.Compare != nil {
		if s.comparison, err = newComparison(o); err != nil {
			return nil, err
		}
	}
	mux := http.NewServeMux()
	for route, handle := range map[string]http.HandlerFunc{
		"GET {$}": s.showSearch, "GET row": s.showRow, "GET image": s.showImage, "GET judge": s.showJudge, "POST judge": s.addJudgement,
		"GET style.css": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/css; charset=utf-8")
			fmt.Fprint(w, report.Style)
		},
		"GET judge.js": func(w http.ResponseWriter, r *http.Request) {
			http.ServeFileFS(w, r, assets, "judge.js")
		},
	} {
		method, path, _ := strings.Cut(route, " ")
		mux.HandleFunc(method+" /"+s.token+"/"+path, handle)
	}
	s.handler = requireToken(s.token, http.NewCrossOriginProtection().Handler(mux))
	return s, nil
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Listen listens on an address. If the address is in use, the error says what to do.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%w (choose another with --addr; 127.0.0.1:0 takes any free port)", err)
	}
	return l, nil
}

// URL returns the URL of the server for a browser on this machine, given the address it listens on.
func (s *Server) URL(address net.Addr) string {
	host := address.String()
	if a, ok := address.(*net.TCPAddr); ok && a.IP.IsUnspecified() {
		host = net.JoinHostPort("127.0.0.1", strconv.Itoa(a.Port))
	}
	return "http://" + host + "/" + s.token + "/"
}

// Serve answers requests until ctx is done. It then completes those in progress.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	srv := &http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
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

// writePage writes the page of the template name with view as its data.
func (s *Server) writePage(w http.ResponseWriter, status int, name string, view any) {
	var page strings.Builder
	if err := s.pages.ExecuteTemplate(&page, name, view); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprint(w, page.String())
}

// writeError writes a page that shows an error.
func (s *Server) writeError(w http.ResponseWriter, status int, err error) {
	s.writePage(w, status, "error", struct {
		Title   string
		Compare bool
		Error   error
	}{"Error", s.comparison != nil, err})
}

// changedSegments returns the segments of a negative. Those that differ from the positive are marked as
// changed.
func changedSegments(positive, negative string) []inspect.Segment {
	_, changed := inspect.Diff(positive, negative)
	return changed
}
