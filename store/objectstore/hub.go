package objectstore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"capgraph/internal/direct"
	"capgraph/store"
)

// Environment variables of the Hub's own tools: the access token and the URL of a mirror.
const (
	tokenVariable    = "HF_TOKEN"
	endpointVariable = "HF_ENDPOINT"
	hubEndpoint      = "https://huggingface.co"
)

const (
	hubIdle      = time.Minute // the longest time without a byte of a response
	maxTreePages = 10_000
	maxTreePage  = 64 << 20 // bytes
)

// hub is a read-only store of the datasets or buckets of the Hugging Face Hub.
type hub struct {
	ctx      context.Context
	kind     string
	endpoint *url.URL
	token    string
	client   *http.Client
	idle     time.Duration
}

// openHub returns the store for the repositories of one kind. It makes no request.
func (f *Files) openHub(kind string) (backend, error) {
	if kind != hubDatasets && kind != hubBuckets {
		return nil, fmt.Errorf("hf://%s: want hf://datasets/ORG/NAME/PATH or hf://buckets/ORG/NAME/PATH", kind)
	}
	endpoint, err := url.Parse(strings.TrimRight(cmp.Or(os.Getenv(endpointVariable), hubEndpoint), "/"))
	if err != nil || endpoint.Scheme != "http" && endpoint.Scheme != "https" || endpoint.Host == "" ||
		endpoint.User != nil || endpoint.RawQuery != "" || endpoint.Fragment != "" {
		return nil, fmt.Errorf("%s is no address such as %s, without credentials", endpointVariable, hubEndpoint)
	}
	t := newTransport()
	t.ResponseHeaderTimeout = hubIdle
	return &hub{
		ctx: f.ctx, kind: kind, endpoint: endpoint, token: strings.TrimSpace(os.Getenv(tokenVariable)),
		client: direct.Client(f.counter.wrap(t)), idle: hubIdle,
	}, nil
}

func (h *hub) fullName(key string) string { return store.Join("hf://"+h.kind, key) }

// Stat describes a file; if there is none, a folder.
func (h *hub) Stat(key string) (store.Info, error) {
	p, err := parseHubPath(h.kind, key)
	if err != nil {
		return store.Info{}, err
	}
	info := store.Info{Name: h.fullName(key)}
	if p.below != "" {
		info.Size, err = h.readSize(p)
		if err == nil || !isNotExist(err) {
			return info, h.explainError("stat", key, err)
		}
	}
	if _, _, err = h.readTreePage(p, ""); err != nil {
		return store.Info{}, h.explainError("stat", key, err)
	}
	info.Dir = true
	return info, nil
}

// List describes the entries of a folder.
func (h *hub) List(key string) ([]store.Info, error) {
	p, err := parseHubPath(h.kind, key)
	if err != nil {
		return nil, err
	}
	infos := []store.Info{}
	query := ""
	for range maxTreePages {
		entries, next, err := h.readTreePage(p, query)
		if err != nil {
			return nil, h.explainError("list", key, err)
		}
		for _, e := range entries {
			infos = append(infos, store.Info{Name: h.fullName(p.keyBelow(e.Path)), Size: e.Size, Dir: e.Type == "directory"})
		}
		if next == "" {
			slices.SortFunc(infos, func(x, y store.Info) int { return strings.Compare(x.Name, y.Name) })
			return infos, nil
		}
		query = next
	}
	return nil, h.explainError("list", key, fmt.Errorf("the folder has more than %d pages of names", maxTreePages))
}

// treeEntry is a file or a folder in the tree API's response.
type treeEntry struct {
	Type string `json:"type"`
	Path string `json:"path"`
	Size int64  `json:"size"`
}

// readTreePage returns the entries on a page of a folder, and the query of the next page; "" after
// the last.
func (h *hub) readTreePage(p hubPath, query string) (entries []treeEntry, next string, err error) {
	a, err := h.sendRequest(h.ctx, http.MethodGet, h.addressOf(p.treeAddress(), query), "")
	if err != nil {
		return nil, "", err
	}
	defer a.Body.Close()
	data, err := io.ReadAll(io.LimitReader(a.Body, maxTreePage+1))
	if err != nil {
		return nil, "", asUnexpectedEOF(err)
	}
	if len(data) > maxTreePage {
		return nil, "", fmt.Errorf("a page of names has more than %d bytes", maxTreePage)
	}
	entries, err = parseTreePage(data, p.below)
	if err == nil && len(entries) == 0 && query == "" && p.kind == hubBuckets && p.below != "" {
		err = errMissing // a bucket has no empty folders
	}
	return entries, nextQuery(a.Header.Values("Link")), err
}

// parseTreePage decodes a page that lists a folder. Entries other than files and folders are left out.
func parseTreePage(data []byte, dir string) ([]treeEntry, error) {
	var entries []treeEntry
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, errors.New("the response is no list of files")
	}
	kept := entries[:0]
	for _, e := range entries {
		base := e.Path
		if dir != "" {
			var inside bool
			if base, inside = strings.CutPrefix(e.Path, dir+"/"); !inside {
				return nil, fmt.Errorf("the response lists %.200q, which is not in the folder", e.Path)
			}
		}
		if !fs.ValidPath(base) || base == "." || strings.Contains(base, "/") || e.Size < 0 {
			return nil, fmt.Errorf("the response lists %.200q of %d bytes, which is no file", e.Path, e.Size)
		}
		if e.Type == "file" || e.Type == "directory" {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// nextQuery returns the query of the URL with rel="next" in Link headers. The rest of the URL is
// ignored, so that the next request goes to the same server.
func nextQuery(headers []string) string {
	for _, h := range headers {
		for link := range strings.SplitSeq(h, ",") {
			address, parameters, _ := strings.Cut(link, ">")
			_, address, found := strings.Cut(address, "<")
			parameters = strings.ReplaceAll(strings.ToLower(parameters), " ", "")
			if !found || !strings.Contains(parameters, `;rel="next"`) && !strings.HasSuffix(parameters, ";rel=next") {
				continue
			}
			if u, err := url.Parse(address); err == nil {
				return u.RawQuery
			}
		}
	}
	return ""
}

// Open opens a file for reading.
func (h *hub) Open(key string) (store.File, error) {
	p, err := parseHubPath(h.kind, key)
	if err != nil {
		return nil, err
	}
	if p.below == "" {
		return nil, h.folderError(key)
	}
	f, err := openObject(h.ctx, &hubFile{hub: h, path: p}, key)
	if isNotExist(err) {
		if info, statErr := h.Stat(key); statErr == nil && info.Dir {
			return nil, h.folderError(key)
		}
	}
	return f, err
}

func (h *hub) folderError(key string) error {
	name := h.fullName(key)
	return fmt.Errorf("open %s: %w (it is a folder: name a file, or those in it with a glob such as %s/*)", name, syscall.EISDIR, name)
}

// Real returns the full name of a key: the Hub has no links.
func (h *hub) Real(key string) string { return h.fullName(key) }

// Create returns an error: the Hub is read-only.
func (h *hub) Create(key string) (store.Temp, error) { return nil, h.readOnlyError("create", key) }

// Remove returns an error: the Hub is read-only.
func (h *hub) Remove(key string) error { return h.readOnlyError("remove", key) }

func (h *hub) readOnlyError(op, key string) error {
	return &Error{
		op: op, name: h.fullName(key), cause: "hf:// is only read", is: fs.ErrPermission, ofObject: true,
		remedy: "name a local folder or a bucket of an object store, and upload it with 'hf upload'",
	}
}

// Sweep does nothing, since nothing is written to the Hub.
func (h *hub) Sweep(string) (int, error) { return 0, nil }

// SweepFor does nothing.
func (h *hub) SweepFor(string) (int, error) { return 0, nil }
