package pipeline

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"capgraph/folder"
)

// Only what a file holds fails its shard. What keeps it from being read ends the run, be it the
// machine's fault or a file or volume that is gone.
func TestOnlyContentFailsAShard(t *testing.T) {
	var bad *badShard
	for errno := syscall.Errno(1); errno < 134; errno++ {
		if err := classifySourceError(fmt.Errorf("read a.tsv: %w", errno)); errors.As(err, &bad) || !errors.Is(err, errno) {
			t.Errorf("%d: %v", errno, err)
		}
	}
	for _, cause := range []error{fs.ErrNotExist, fs.ErrPermission, os.ErrPermission, &changedError{"a.tsv", "has another content than"}, ofStore{false}, ofStore{true}} {
		if err := classifySourceError(fmt.Errorf("open a.tsv: %w", cause)); errors.As(err, &bad) || !errors.Is(err, cause) {
			t.Error(err)
		}
	}
	for _, cause := range []error{errors.New("cut off"), io.ErrUnexpectedEOF} {
		if err := classifySourceError(fmt.Errorf("read a.tsv: %w", cause)); !errors.As(err, &bad) {
			t.Error(err)
		}
	}
	gone := classifySourceError(fmt.Errorf("open a.tsv: %w", syscall.ENOENT))
	if want := "open a.tsv: no such file or directory; it could be read when it was indexed: see that its volume is mounted"; !strings.HasPrefix(gone.Error(), want) {
		t.Error(gone)
	}
}

// ofStore is an error of an object store.
type ofStore struct{ machine bool }

func (e ofStore) Error() string          { return "403" }
func (e ofStore) EnvironmentError() bool { return e.machine }

func TestTooManyBadFiles(t *testing.T) {
	for _, c := range []struct {
		share     float64
		files     int
		most      int
		raised    string // by one more
		untouched bool
	}{
		{0.01, 1, 1, "", true},
		{0.01, 10, 1, "0.2", false},
		{0.01, 199, 1, "0.011", false},
		{0.01, 200, 2, "0.015", false},
		{0.29, 100, 29, "0.3", false},
		{0, 1000, 0, "0.001", false},
		{1, 3, 3, "", true},
		{0.5, 3, 1, "0.667", false},
	} {
		r := &Run{SkipBad: true, MaxBad: c.share}
		if got := r.maxBadFiles(c.files); got != c.most {
			t.Errorf("%g of %d: %d", c.share, c.files, got)
		}
		if text := r.describeTooMany(c.most, c.files); text != "" {
			t.Errorf("%g of %d: %s", c.share, c.files, text)
		}
		if c.untouched {
			continue
		}
		text := r.describeTooMany(c.most+1, c.files)
		if !strings.HasSuffix(text, "set source.max_bad_files to "+c.raised+" or more") || !strings.HasPrefix(text, fmt.Sprintf("%d of ", c.most+1)) {
			t.Errorf("%g of %d: %s", c.share, c.files, text)
		}
		var raised float64
		if _, err := fmt.Sscan(c.raised, &raised); err != nil {
			t.Fatal(err)
		}
		if r.MaxBad = raised; r.describeTooMany(c.most+1, c.files) != "" {
			t.Errorf("%s of %d is not enough for %d", c.raised, c.files, c.most+1)
		}
	}
	one := []folder.SourceFile{{Error: "a.json is cut off"}}
	many := make([]folder.SourceFile, 5)
	for r, want := range map[*Run]string{
		{}:                            "--append: a.json is cut off (no file joined: mend it, or go on without it with source.on_bad_file: skip)",
		{SkipBad: true, MaxBad: 0.01}: "",
		{SkipBad: true}:               "--append: a.json is cut off (no file joined): 1 of 6 files cannot be read, and source.max_bad_files 0 lets a run go on without 0: mend them",
	} {
		got := ""
		if err := r.refuseBadFiles("--append", "no file joined", many, one); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q, want %q", got, want)
		}
		if err := r.refuseBadFiles("--append", "no file joined", one, many); err != nil {
			t.Errorf("one of before: %v", err)
		}
	}
}
