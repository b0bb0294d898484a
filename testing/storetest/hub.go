package storetest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// HubServer imitates the Hugging Face Hub, with the files on a server of another address. Its Files
// may be changed between requests.
type HubServer struct {
	// Files are the contents of files by ORG/NAME, revision and path, as in
	// datasets/o/n/main/data/a.parquet. A bucket has no revision.
	Files map[string][]byte
	// Token is the required token; "" for none.
	Token string
	// PageSize is how many names a page of a folder listing has.
	PageSize int
	// Fault is called before each request. It returns true if it has responded.
	Fault func(w http.ResponseWriter, r *http.Request) bool

	mu         sync.Mutex
	signature  int
	leaks      []string
	Redirected int // requests that were redirected to the other server
	Fetched    int // requests to the other server
	cdn        *httptest.Server
}

// plainSize is the size up to which the Hub itself serves a file.
const plainSize = 1000

// Hub starts a Hub with files and sets HF_ENDPOINT and HF_TOKEN to it. If the other server is sent a
// token, the test fails at its end.
func Hub(t testing.TB, files map[string][]byte) *HubServer {
	h := &HubServer{Files: files, PageSize: 1000}
	hub := httptest.NewServer(http.HandlerFunc(h.serveHub))
	h.cdn = httptest.NewServer(http.HandlerFunc(h.serveFile))
	t.Setenv("HF_ENDPOINT", hub.URL)
	t.Setenv("HF_TOKEN", "")
	t.Cleanup(func() {
		hub.Close()
		h.cdn.Close()
		for _, l := range h.leaks {
			t.Errorf("the file's server got a token: %s", l)
		}
	})
	return h
}

// ExpireAddresses makes the other server refuse the URLs that were given out so far.
func (h *HubServer) ExpireAddresses() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.signature++
}

func (h *HubServer) serveHub(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.Fault != nil && h.Fault(w, r) {
		return
	}
	if h.Token != "" && r.Header.Get("Authorization") != "Bearer "+h.Token {
		w.Header().Set("X-Error-Code", "RepoNotFound")
		w.Header().Set("X-Error-Message", "Invalid username or password.")
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	segments := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	isAPI := segments[0] == "api"
	if isAPI {
		segments = segments[1:]
	}
	cached := segments[0] == "resolve-cache"
	if cached {
		segments = segments[1:]
	}
	if len(segments) < 4 {
		refuseRequest(w, "RepoNotFound")
		return
	}
	repo, verb, rest := strings.Join(segments[:3], "/"), segments[3], segments[4:]
	if cached {
		repo, verb, rest = strings.Join(segments[:3], "/"), "", segments[3:]
	}
	if !h.hasPrefix(repo + "/") {
		refuseRequest(w, "RepoNotFound")
		return
	}
	if segments[0] == "datasets" {
		revision, _ := url.PathUnescape(rest[0])
		if repo, rest = repo+"/"+revision, rest[1:]; !h.hasPrefix(repo + "/") {
			refuseRequest(w, "RevisionNotFound")
			return
		}
	}
	below, _ := url.PathUnescape(strings.Join(rest, "/"))
	switch {
	case verb == "tree" && isAPI:
		h.serveTree(w, r, repo, below)
	case verb == "resolve" && !isAPI || cached:
		h.serveResolve(w, r, repo+"/"+below, cached)
	default:
		w.WriteHeader(http.StatusBadRequest)
	}
}

func refuseRequest(w http.ResponseWriter, code string) {
	w.Header().Set("X-Error-Code", code)
	w.WriteHeader(http.StatusNotFound)
}

func (h *HubServer) hasPrefix(prefix string) bool {
	for name := range h.Files {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// serveTree lists a folder page by page.
func (h *HubServer) serveTree(w http.ResponseWriter, r *http.Request, repo, below string) {
	prefix := repo + "/"
	if below != "" {
		prefix += below + "/"
	}
	found := map[string]map[string]any{}
	for name, data := range h.Files {
		inside, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		base, _, isFolder := strings.Cut(inside, "/")
		entry := map[string]any{"type": "file", "oid": etagOf(data)[:40], "size": len(data), "path": path.Join(below, base)}
		if isFolder {
			entry["type"], entry["size"] = "directory", 0
		} else if len(data) > plainSize {
			entry["lfs"] = map[string]any{"oid": etagOf(data), "size": len(data), "pointerSize": 131}
		}
		found[base] = entry
	}
	if len(found) == 0 && strings.HasPrefix(repo, "datasets/") {
		refuseRequest(w, "EntryNotFound")
		return
	}
	names := []string{}
	for name := range found {
		names = append(names, name)
	}
	slices.Sort(names)
	start, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
	end := min(start+h.PageSize, len(names))
	page := []map[string]any{}
	for _, name := range names[start:end] {
		page = append(page, found[name])
	}
	if end < len(names) {
		w.Header().Set("Link", fmt.Sprintf(`<https://huggingface.invalid%s?limit=%d&cursor=%d>; rel="next"`, r.URL.EscapedPath(), h.PageSize, end))
	}
	json.NewEncoder(w).Encode(page)
}

// serveResolve redirects to the content of a file. The Hub itself serves small files.
func (h *HubServer) serveResolve(w http.ResponseWriter, r *http.Request, name string, cached bool) {
	data, ok := h.Files[name]
	if !ok {
		refuseRequest(w, "EntryNotFound")
		return
	}
	w.Header().Set("X-Repo-Commit", strings.Repeat("0123456789", 4))
	switch {
	case cached:
		w.Header().Set("ETag", `"`+etagOf(data)+`"`)
		serveBytes(w, r, data)
	case len(data) <= plainSize:
		segments := strings.Split(name, "/")
		for i, s := range segments {
			segments[i] = url.PathEscape(s)
		}
		w.Header().Set("Location", "/api/resolve-cache/"+strings.Join(segments, "/"))
		w.WriteHeader(http.StatusTemporaryRedirect)
	default:
		h.Redirected++
		w.Header().Set("X-Linked-Size", strconv.Itoa(len(data)))
		w.Header().Set("X-Linked-ETag", `"`+etagOf(data)+`"`)
		w.Header().Set("Location", fmt.Sprintf("%s/%s?X-Amz-Signature=%d&name=%s", h.cdn.URL, etagOf(data), h.signature, url.QueryEscape(name)))
		w.WriteHeader(http.StatusFound)
	}
}

// serveFile is the other server. It only checks the signature in the URL.
func (h *HubServer) serveFile(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.Fetched++
	for _, name := range []string{"Authorization", "Cookie"} {
		if r.Header.Get(name) != "" {
			h.leaks = append(h.leaks, r.URL.Path)
		}
	}
	if h.Fault != nil && h.Fault(w, r) {
		return
	}
	data, ok := h.Files[r.URL.Query().Get("name")]
	if !ok || r.URL.Query().Get("X-Amz-Signature") != strconv.Itoa(h.signature) || r.URL.Path != "/"+etagOf(data) {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	serveBytes(w, r, data)
}

func serveBytes(w http.ResponseWriter, r *http.Request, data []byte) {
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(data)))
}

func etagOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
