package objectstore_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"capgraph/store"
	"capgraph/store/objectstore"
	"capgraph/testing/storetest"
)

const secretToken = "hf_SECRETSECRET"

// hubFiles has a large file, a small one, an empty one and odd names.
func hubFiles() map[string][]byte {
	return map[string][]byte{
		"datasets/org/caps/main/README.md":                            []byte("# captions"),
		"datasets/org/caps/main/data/train-00000.parquet":             hubBytes(700_000),
		"datasets/org/caps/main/data/train-00001.parquet":             hubBytes(1001),
		"datasets/org/caps/main/data/train-00002.parquet":             hubBytes(2),
		"datasets/org/caps/main/data/empty":                           {},
		"datasets/org/caps/main/data/ü 50%/a+b#c?.tsv":                []byte("odd"),
		"datasets/org/caps/refs/convert/parquet/default/0000.parquet": hubBytes(1500),
		"datasets/org/caps/v1.0/data/old.tsv":                         []byte("old"),
		"buckets/org/images/a/00000.tar":                              hubBytes(300_000),
		"buckets/org/images/a/00000.json":                             []byte("{}"),
	}
}

func hubBytes(size int) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(i ^ i>>8 ^ i>>16)
	}
	return b
}

func hubStore(t testing.TB) *objectstore.Files {
	return objectstore.New(t.Context(), objectstore.Defaults())
}

func TestHubReadsFiles(t *testing.T) {
	for _, token := range []string{"", secretToken} {
		h := storetest.Hub(t, hubFiles())
		h.Token = token
		t.Setenv("HF_TOKEN", token)
		s := hubStore(t)
		for name, key := range map[string]string{
			"hf://datasets/org/caps/data/train-00000.parquet":                      "datasets/org/caps/main/data/train-00000.parquet",
			"hf://datasets/org/caps@main/data/train-00001.parquet":                 "datasets/org/caps/main/data/train-00001.parquet",
			"hf://datasets/org/caps/data/train-00002.parquet":                      "datasets/org/caps/main/data/train-00002.parquet",
			"hf://datasets/org/caps/data/empty":                                    "datasets/org/caps/main/data/empty",
			"hf://datasets/org/caps/data/ü 50%/a+b#c?.tsv":                         "datasets/org/caps/main/data/ü 50%/a+b#c?.tsv",
			"hf://datasets/org/caps@v1.0/data/old.tsv":                             "datasets/org/caps/v1.0/data/old.tsv",
			"hf://datasets/org/caps@refs/convert/parquet/default/0000.parquet":     "datasets/org/caps/refs/convert/parquet/default/0000.parquet",
			"hf://datasets/org/caps@refs%2Fconvert%2Fparquet/default/0000.parquet": "datasets/org/caps/refs/convert/parquet/default/0000.parquet",
			"hf://datasets/org/caps@~parquet/default/0000.parquet":                 "datasets/org/caps/refs/convert/parquet/default/0000.parquet",
			"hf://buckets/org/images/a/00000.tar":                                  "buckets/org/images/a/00000.tar",
		} {
			want := h.Files[key]
			got, err := store.ReadFile(s, name, 1<<30)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(want), err)
			}
			if info, err := s.Stat(name); err != nil || info.Dir || info.Size != int64(len(want)) || info.Name != name {
				t.Errorf("%s: %+v, %v", name, info, err)
			}
		}
	}
}

// TestHubReadsRanges reads the end of a file first, as readers of Parquet do.
func TestHubReadsRanges(t *testing.T) {
	h := storetest.Hub(t, hubFiles())
	f, err := hubStore(t).Open("hf://datasets/org/caps/data/train-00000.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := h.Files["datasets/org/caps/main/data/train-00000.parquet"]
	part := make([]byte, 1000)
	for _, at := range []int{len(want) - 1000, 0, 262_000, 524_288, 300_000} {
		if n, err := f.ReadAt(part, int64(at)); n != 1000 || err != nil || !bytes.Equal(part, want[at:at+1000]) {
			t.Errorf("at %d: %d bytes, %v", at, n, err)
		}
		h.ExpireAddresses()
	}
	if h.Fetched < 3 {
		t.Errorf("%d requests", h.Fetched)
	}
}

func TestHubListsFolders(t *testing.T) {
	h := storetest.Hub(t, hubFiles())
	for i := range 25 {
		h.Files[fmt.Sprintf("datasets/org/many/main/x/%03d.tar", i)] = []byte("x")
	}
	h.Files["datasets/org/many/main/x/.hidden.tar"] = []byte("x")
	h.PageSize = 4
	s := hubStore(t)
	for pattern, want := range map[string]int{
		"hf://datasets/org/many/x/*.tar":                25,
		"hf://datasets/org/many@main/*/*.tar":           25,
		"hf://datasets/org/many/x/{003..006}.tar":       4,
		"hf://datasets/org/caps/data/train-*.parquet":   3,
		"hf://datasets/org/caps/*/*":                    5,
		"hf://buckets/org/images/*/*.tar":               1,
		"hf://datasets/org/caps/data/nothing-*.parquet": 0,
	} {
		infos, err := store.Glob(s, pattern)
		if err != nil || len(infos) != want {
			t.Errorf("%s: %d of %d, %v", pattern, len(infos), want, err)
		}
		for _, info := range infos {
			if got, err := store.ReadFile(s, info.Name, 1<<20); !info.Dir && (err != nil || int64(len(got)) != info.Size) {
				t.Errorf("%s: %d bytes, listed with %d, %v", info.Name, len(got), info.Size, err)
			}
		}
	}
	for _, name := range []string{"hf://datasets/org/caps", "hf://datasets/org/caps/data", "hf://buckets/org/images/a"} {
		if info, err := s.Stat(name); err != nil || !info.Dir {
			t.Errorf("%s: %+v, %v", name, info, err)
		}
		if _, err := s.Open(name); !errors.Is(err, syscall.EISDIR) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHubErrorsSayWhatToDo(t *testing.T) {
	h := storetest.Hub(t, hubFiles())
	s := hubStore(t)
	for name, want := range map[string]string{
		"hf://datasets/org/other/a.parquet":      "check ORG/NAME",
		"hf://datasets/org/caps@v9/a.parquet":    "the revision",
		"hf://datasets/org/caps/data/no.parquet": "no such file or folder",
		"hf://buckets/org/images/no.tar":         "no such file or folder",
		"hf://buckets/org/images@v1/a/00000.tar": "a bucket has no revisions",
		"hf://datasets/caps":                     "want hf://datasets/ORG/NAME/PATH",
		"hf://datasets":                          "want hf://datasets/ORG/NAME/PATH",
		"hf://org/model/a.bin":                   "hf://buckets/ORG/NAME/PATH",
	} {
		_, openErr := s.Open(name)
		_, statErr := s.Stat(name)
		for _, err := range []error{openErr, statErr} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
	if _, err := s.Stat("hf://datasets/org/caps/data/no.parquet"); !errors.Is(err, fs.ErrNotExist) || store.IsEnvironmentError(err) {
		t.Error(err)
	}
	if _, err := s.Create("hf://datasets/org/caps/out/a"); err == nil || !strings.Contains(err.Error(), "only read") {
		t.Error(err)
	}
	h.Token = secretToken
	t.Setenv("HF_TOKEN", "hf_WRONGWRONG")
	_, err := hubStore(t).Open("hf://datasets/org/caps/README.md")
	if err == nil || !strings.Contains(err.Error(), "HF_TOKEN") || strings.Contains(err.Error(), "WRONG") || !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	for _, endpoint := range []string{"ftp://x", "http://user:SECRET@host", "nonsense"} {
		t.Setenv("HF_ENDPOINT", endpoint)
		if _, err := hubStore(t).Open("hf://datasets/org/caps/README.md"); err == nil || !strings.Contains(err.Error(), "HF_ENDPOINT") || strings.Contains(err.Error(), "SECRET") {
			t.Error(err)
		}
	}
}

// TestHubThatFails has each kind of request fail once in each way.
func TestHubThatFails(t *testing.T) {
	for name, fail := range map[string]func(w http.ResponseWriter){
		"busy": func(w http.ResponseWriter) { w.WriteHeader(http.StatusTooManyRequests) },
		"counted": func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"broken": func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) },
		"closed": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"cut off": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "700000")
			w.Header().Set("Content-Range", "bytes 0-699999/700000")
			w.WriteHeader(http.StatusPartialContent)
			panic(http.ErrAbortHandler)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := storetest.Hub(t, hubFiles())
			seen := map[string]int{}
			h.Fault = func(w http.ResponseWriter, r *http.Request) bool {
				if isRanged := r.Header.Get("Range") != ""; name == "cut off" && !(isRanged && r.URL.Query().Has("name")) {
					return false
				}
				if seen[r.URL.Path]++; seen[r.URL.Path] == 1 {
					fail(w)
					return true
				}
				return false
			}
			s, file := hubStore(t), "hf://datasets/org/caps/data/train-00000.parquet"
			if infos, err := s.List("hf://datasets/org/caps/data"); err != nil || len(infos) != 5 {
				t.Errorf("%d names, %v", len(infos), err)
			}
			got, err := store.ReadFile(s, file, 1<<30)
			if err != nil || !bytes.Equal(got, h.Files["datasets/org/caps/main/data/train-00000.parquet"]) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
			if s.Traffic().Read < 4 {
				t.Errorf("%+v", s.Traffic())
			}
		})
	}
}

// TestHubFileThatChanges commits another file while one is read.
func TestHubFileThatChanges(t *testing.T) {
	h := storetest.Hub(t, hubFiles())
	key := "datasets/org/caps/main/data/train-00000.parquet"
	f, err := hubStore(t).Open("hf://datasets/org/caps/data/train-00000.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h.Files[key] = append([]byte("another"), h.Files[key]...)
	if _, err := io.ReadAll(f); err == nil || !store.IsEnvironmentError(err) || !strings.Contains(err.Error(), "another than when it was opened") {
		t.Error(err)
	}
}

// TestHubWithoutRanges reads through a mirror that ignores Range.
func TestHubWithoutRanges(t *testing.T) {
	h := storetest.Hub(t, hubFiles())
	h.Fault = func(_ http.ResponseWriter, r *http.Request) bool { r.Header.Del("Range"); return false }
	got, err := store.ReadFile(hubStore(t), "hf://buckets/org/images/a/00000.tar", 1<<30)
	if err != nil || !bytes.Equal(got, h.Files["buckets/org/images/a/00000.tar"]) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
