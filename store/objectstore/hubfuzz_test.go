package objectstore

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func FuzzHubAnswers(f *testing.F) {
	f.Add([]byte(`[{"type":"file","oid":"a","size":3,"path":"data/a.tsv"}]`), "bytes 0-9/10", `<https://h/x?cursor=1>; rel="next"`, "org/n@refs/pr/3/a")
	f.Add([]byte(`[{"type":"directory","path":"data/../x"}]`), "bytes */0", `<:>; rel="next", <?a=b>; rel=next`, "org/n@%2e%2e/a")
	f.Fuzz(func(t *testing.T, page []byte, span, link, key string) {
		entries, _ := parseTreePage(page, "data")
		for _, e := range entries {
			if base := strings.TrimPrefix(e.Path, "data/"); strings.Contains(base, "/") || base == ".." || base == "" || e.Size < 0 {
				t.Errorf("%+v", e)
			}
		}
		if start, size, err := parseContentRange(span); err == nil && (start < 0 || start >= size) {
			t.Errorf("%q: %d of %d", span, start, size)
		}
		nextQuery([]string{link})
		for _, kind := range []string{hubDatasets, hubBuckets} {
			p, err := parseHubPath(kind, key)
			if err != nil {
				continue
			}
			for _, address := range []string{p.treeAddress(), p.fileAddress()} {
				if u, err := url.Parse("http://h" + address); err != nil || u.Host != "h" || u.RawQuery != "" || u.Fragment != "" {
					t.Errorf("%q: %s, %v", key, address, err)
				}
			}
		}
	})
}

// TestHubThatStops reads a body that ends without its connection being closed.
func TestHubThatStops(t *testing.T) {
	stop := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		w.Write([]byte("a few bytes"))
		w.(http.Flusher).Flush()
		<-stop
	}))
	defer server.Close()
	defer close(stop)
	t.Setenv(endpointVariable, server.URL)
	b, err := New(t.Context(), Defaults()).openHub(hubDatasets)
	if err != nil {
		t.Fatal(err)
	}
	h := b.(*hub)
	h.idle = 50 * time.Millisecond
	response, err := h.requestOnce(t.Context(), http.MethodGet, h.endpoint, "", false)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.ReadAll(response.Body); !errors.Is(err, errIdle) {
		t.Error(err)
	}
}
