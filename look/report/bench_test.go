package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/folder"
	"capgraph/store"
)

// BenchmarkReport makes the report of a hundred shards, and of a thousand like
// them: what it looks at does not grow with the folder.
func BenchmarkReport(b *testing.B) {
	one := run(b, "", nil, mixed()...)
	for _, c := range []struct {
		name   string
		folder folder.Folder
	}{{"100 shards", multiply(b, one, 100)}, {"1000 shards", multiply(b, one, 1000)}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				write(b, c.folder, nil)
			}
		})
	}
}

// multiply makes a folder that holds n times the one shard of another, as hard
// links.
func multiply(tb testing.TB, f folder.Folder, n int) folder.Folder {
	tb.Helper()
	out := folder.Folder{Store: store.Local{}, Dir: filepath.Join(tb.TempDir(), "many")}
	index, err := f.ReadIndex()
	if err != nil || len(index.Shards) != 1 {
		tb.Fatal(index, err)
	}
	shard := index.Shards[0]
	index.Shards = nil
	index.Files[0].Rows *= int64(n)
	for i := range n {
		again := shard
		again.Name = fmt.Sprintf("%05d", i)
		index.Shards = append(index.Shards, again)
	}
	err = filepath.WalkDir(f.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(f.Dir, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target := filepath.Join(out.Dir, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		switch {
		case filepath.Base(name) == "index.json" && filepath.Base(filepath.Dir(name)) == ".capgraph":
			data, err = json.Marshal(index)
		case strings.HasPrefix(filepath.Base(name), shard.Name):
			for _, s := range index.Shards {
				target := filepath.Join(filepath.Dir(target), s.Name+filepath.Ext(name))
				if filepath.Ext(name) == ".json" {
					err = os.WriteFile(target, bytes.ReplaceAll(data, []byte(shard.Name), []byte(s.Name)), 0o644)
				} else {
					err = os.Link(path, target)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}
