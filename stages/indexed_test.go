package stages_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"capgraph/folder"
	"capgraph/store"
	"capgraph/testing/faultstore"
)

// An index that was stopped goes on: files that were scanned, and are what they were, are
// not scanned again, neither in the first index nor when they join.
func TestIndexGoesOn(t *testing.T) {
	for _, joins := range []bool{false, true} {
		g := newGrowing(t)
		index := func(s store.Store) error {
			r := g.laidOut(s)
			r.Append, r.Workers = joins, 1
			return r.Do(context.Background(), folder.PassIndex)
		}
		if joins {
			g.put("0.tsv", 0, 20)
			g.must(g.run(""))
		}
		g.put("a.tsv", 20, 50)
		g.put("b.tsv", 50, 70)
		g.put("c.tsv", 70, 90)
		unreadable := faultstore.New(store.Local{}, func(_ int64, op faultstore.Op, name string) error {
			if op == faultstore.Open && filepath.Base(name) == "c.tsv" {
				return syscall.EIO
			}
			return nil
		})
		if err := index(unreadable); !errors.Is(err, syscall.EIO) {
			t.Fatalf("joins %v: error %v", joins, err)
		}
		g.put("b.tsv", 50, 71)
		var opened [3]atomic.Int64
		counting := faultstore.New(store.Local{}, func(_ int64, op faultstore.Op, name string) error {
			if base := filepath.Base(name); op == faultstore.Open && strings.HasSuffix(base, ".tsv") && base != "0.tsv" {
				opened[base[0]-'a'].Add(1)
			}
			return nil
		})
		g.must(index(counting))
		if a, b := opened[0].Load(), opened[1].Load(); a != 1 || b < 2 {
			t.Errorf("joins %v: a.tsv was opened %d times, b.tsv, which changed, %d", joins, a, b)
		}
		for name := range files(t, g.out) {
			if strings.Contains(name, "/scanned/") {
				t.Errorf("joins %v: %s is left", joins, name)
			}
		}
		g.must(g.run(""))
		g.verified()
		if !joins {
			g.like("index that was stopped")
		}
	}
}
