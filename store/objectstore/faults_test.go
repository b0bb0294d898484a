//go:build stores

package objectstore_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"capgraph/store"
	"capgraph/store/objectstore"
	"capgraph/testing/storetest"
)

// of tells whether a request is about an object of that name.
func of(r *http.Request, name string) bool { return strings.HasSuffix(r.URL.Path, "/"+name) }

// TestStoreThatFails has a store fail the first requests of each kind in each way: what
// is published is whole and read whole, once.
func TestStoreThatFails(t *testing.T) {
	isPut := func(r *http.Request) bool { return r.Method == http.MethodPut }
	isComplete := func(r *http.Request) bool { return r.Method == http.MethodPost && r.URL.Query().Has("uploadId") }
	isGet := func(r *http.Request) bool { return r.Method == http.MethodGet }
	for name, c := range map[string]struct {
		size  int
		which func(*http.Request) bool
		fault storetest.Fault
	}{
		"a put whose reply is lost":                {100, isPut, storetest.LoseReply},
		"a put that is not heard":                  {100, isPut, storetest.Refuse},
		"a put that conflicts":                     {100, isPut, storetest.Answer(409, "ConditionalRequestConflict")},
		"a put that is too much":                   {100, isPut, storetest.Answer(503, "SlowDown")},
		"a part whose reply is lost":               {20 << 20, isPut, storetest.LoseReply},
		"a put in parts whose reply is lost":       {20 << 20, isComplete, storetest.LoseReply},
		"a put in parts that conflicts":            {20 << 20, isComplete, storetest.Answer(409, "ConditionalRequestConflict")},
		"a put in parts that is too much":          {20 << 20, isComplete, storetest.Answer(503, "SlowDown")},
		"a small body that is cut":                 {100, isGet, storetest.CutBody},
		"a large body that is cut":                 {5 << 20, isGet, storetest.CutBody},
		"a read that is too much":                  {5 << 20, isGet, storetest.Answer(503, "SlowDown")},
		"a read whose connection is closed":        {5 << 20, isGet, storetest.Refuse},
		"a read that fails for an internal reason": {100, isGet, storetest.Answer(500, "InternalError")},
	} {
		t.Run(name, func(t *testing.T) {
			root := storetest.S3(t)
			var failed atomic.Int64
			storetest.Proxy(t, func(r *http.Request) storetest.Fault {
				if of(r, "x") && c.which(r) && failed.Add(1) <= 2 {
					return c.fault
				}
				return storetest.Pass
			})
			s, name, want := files(t), store.Join(root, "dir/x"), pattern(c.size)
			if err := store.WriteFile(s, name, want); err != nil {
				t.Fatal(err)
			}
			if err := store.WriteFile(s, name, want); !errors.Is(err, store.ErrExists) {
				t.Errorf("published twice: %v", err)
			}
			if got, err := store.ReadFile(s, name, 1<<30); err != nil || !bytes.Equal(got, want) {
				t.Errorf("read %d bytes, %v", len(got), err)
			}
			if failed.Load() < 2 {
				t.Error("nothing failed")
			}
			if traffic := s.Traffic(); traffic.Read < 1 || traffic.Written < 2 || traffic.BytesRead < int64(c.size) || traffic.BytesWritten < int64(c.size) || traffic.Scratch != int64(c.size) {
				t.Errorf("%+v", traffic)
			}
		})
	}
}

// TestAnothersObjectIsNotMine loses the reply of a put that another process was before.
func TestAnothersObjectIsNotMine(t *testing.T) {
	root := storetest.S3(t)
	name := store.Join(root, "x")
	if err := store.WriteFile(files(t), name, []byte("the same")); err != nil {
		t.Fatal(err)
	}
	var failed atomic.Int64
	storetest.Proxy(t, func(r *http.Request) storetest.Fault {
		if of(r, "x") && r.Method == http.MethodPut && failed.Add(1) == 1 {
			return storetest.LoseReply
		}
		return storetest.Pass
	})
	if err := store.WriteFile(files(t), name, []byte("the same")); !errors.Is(err, store.ErrExists) {
		t.Errorf("%v", err)
	}
}

func TestStoreThatIgnoresConditions(t *testing.T) {
	for name, ignores := range map[string]func(r *http.Request) storetest.Fault{
		"of a whole put": func(r *http.Request) storetest.Fault {
			if r.Method == http.MethodPut && r.Header.Get("If-None-Match") != "" {
				return storetest.Say(200, "")
			}
			return storetest.Pass
		},
		"of a put in parts": func(r *http.Request) storetest.Fault {
			if r.Method == http.MethodPost && r.URL.Query().Has("uploadId") {
				return storetest.Say(200, `<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>`)
			}
			return storetest.Pass
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := storetest.S3(t)
			storetest.Proxy(t, ignores)
			_, err := files(t).Create(store.Join(root, "dir/x"))
			if err == nil || !strings.Contains(err.Error(), "If-None-Match") || !strings.Contains(err.Error(), "conditional writes") {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestErrorsOfStores looks whether what is said helps, names nothing secret, and tells
// objects from machines.
func TestErrorsOfStores(t *testing.T) {
	const secret = "a-secret-that-is-wrong"
	root := storetest.S3(t)
	name := store.Join(root, "x")
	if err := store.WriteFile(files(t), name, nil); err != nil {
		t.Fatal(err)
	}
	open := func(name string) error { _, err := files(t).Open(name); return err }
	for what, c := range map[string]struct {
		env     map[string]string
		name    string
		want    string
		is      error
		machine bool
	}{
		"no such object":   {nil, store.Join(root, "no"), "check the address", fs.ErrNotExist, false},
		"no such bucket":   {nil, "s3://elsewhere/x", "bucket", fs.ErrNotExist, false},
		"a wrong secret":   {map[string]string{"AWS_SECRET_ACCESS_KEY": secret}, name, "credentials", fs.ErrPermission, true},
		"no credentials":   {map[string]string{"AWS_SECRET_ACCESS_KEY": "", "AWS_ACCESS_KEY_ID": ""}, name, "docs/scale.md", nil, true},
		"nobody is there":  {map[string]string{"AWS_ENDPOINT_URL": "http://127.0.0.1:1", "AWS_MAX_ATTEMPTS": "1"}, name, "see that the store is there", syscall.ECONNREFUSED, true},
		"no such host":     {map[string]string{"AWS_ENDPOINT_URL": "http://nowhere.invalid", "AWS_MAX_ATTEMPTS": "1"}, name, "see that the store is there", nil, true},
		"a folder":         {nil, root, "a folder", syscall.EISDIR, false},
		"no Azure account": {map[string]string{"AZURE_STORAGE_ACCOUNT": "", "AZURE_STORAGE_CONNECTION_STRING": ""}, "azblob://box/x", "AZURE_STORAGE_ACCOUNT", nil, true},
	} {
		t.Run(what, func(t *testing.T) {
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			err := open(c.name)
			if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) || store.IsEnvironmentError(err) != c.machine {
				t.Errorf("%v (of the machine: %v)", err, store.IsEnvironmentError(err))
			}
			if err != nil && (strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("too much is said: %v", err)
			}
		})
	}
}

func TestRequestsEndWithTheContext(t *testing.T) {
	root := storetest.S3(t)
	ctx, end := context.WithCancel(context.Background())
	s := objectstore.New(ctx, objectstore.Settings{Scratch: t.TempDir()})
	name := store.Join(root, "x")
	if err := store.WriteFile(s, name, pattern(1<<20)); err != nil {
		t.Fatal(err)
	}
	f, err := s.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	end()
	_, readErr := io.ReadAll(f)
	_, openErr := s.Open(name)
	putErr := store.WriteFile(s, store.Join(root, "y"), nil)
	for what, err := range map[string]error{"read": readErr, "open": openErr, "put": putErr} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestScratch looks into the folder in which objects are written: none of their files
// has a name there, and what it lacks is told with its own.
func TestScratch(t *testing.T) {
	root := storetest.S3(t)
	dir := t.TempDir()
	s := objectstore.New(context.Background(), objectstore.Settings{Scratch: dir})
	f, err := s.Create(store.Join(root, "x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(pattern(1000)); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if err := f.Discard(); err != nil {
		t.Error(err)
	}
	if err := f.Publish(); err == nil {
		t.Error("published after it was discarded")
	}
	s = objectstore.New(context.Background(), objectstore.Settings{Scratch: filepath.Join(dir, "none")})
	if _, err := s.Create(store.Join(root, "y")); err == nil || !strings.Contains(err.Error(), "store.scratch") {
		t.Errorf("no scratch folder: %v", err)
	}
}
