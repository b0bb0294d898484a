package verify

import (
	"errors"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// sameColumns are those of texts/ that are as in graphs/, the key first.
var sameColumns = []string{schemas.ColKey, schemas.ColImageKey, schemas.ColImage, schemas.ColText}

// beside steps through the rows of graphs/ from which a shard of texts/ was made.
type beside struct {
	name    string
	batches pipeline.Batches // nil where there is nothing to compare with
	rec     arrow.Record
	columns []*array.String
	at      int
	left    int64 // how many rows texts/ may still be without
}

// beside opens a shard of graphs/. One that cannot be read is told by the checks
// of its rows.
func (c *check) beside(shard string, texts *folder.Entry) *beside {
	b := &beside{name: folder.DataFile(folder.PassParse, shard)}
	for _, n := range texts.Rejects {
		b.left += n
	}
	if batches, err := c.folder.ReadShard(memory.NewGoAllocator(), folder.PassParse, shard, sameColumns); err == nil {
		b.batches = batches
	}
	return b
}

// compare tells which rows of a batch of texts/ are not those of graphs/. At the
// first that is none of them it ends.
func (b *beside) compare(rec arrow.Record, bad badRow) error {
	columns, err := schemas.Strings(rec, sameColumns...)
	if err != nil {
		return err
	}
	for i := 0; i < int(rec.NumRows()) && b.batches != nil; i++ {
		key := columns[0].Value(i)
		if !b.find(key) {
			b.lost(key, bad)
			return nil
		}
		for j, name := range sameColumns {
			if texts, graphs := columns[j].Value(i), b.columns[j].Value(b.at); texts != graphs {
				bad(key, "its %s is %q, and %q in %s", name, texts, graphs, b.name)
			}
		}
		b.at++
	}
	return nil
}

// lost tells that a row of texts/ was not found, and ends the comparison.
func (b *beside) lost(key string, bad badRow) {
	switch {
	case b.rec != nil:
		bad(key, "%s has the row %q in its place", b.name, b.columns[0].Value(b.at))
	case b.batches != nil:
		bad(key, "%s has no row in its place", b.name)
	}
	b.close()
}

// find goes on to the row of that key, past those that texts/ may be without.
func (b *beside) find(key string) bool {
	for b.fill() {
		if b.columns[0].Value(b.at) == key {
			return true
		}
		if b.left == 0 {
			return false
		}
		b.left--
		b.at++
	}
	return false
}

// fill reads on where all rows of the batch are seen.
func (b *beside) fill() bool {
	for b.rec == nil || b.at == int(b.rec.NumRows()) {
		if b.rec != nil {
			b.rec.Release()
			b.rec = nil
		}
		rec, _, err := b.batches.Next()
		if err == nil {
			b.rec, b.at = rec, 0
			b.columns, err = schemas.Strings(rec, sameColumns...)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) { // told by the checks of the rows of graphs/
				b.close()
			}
			return false
		}
	}
	return true
}

func (b *beside) close() {
	if b.rec != nil {
		b.rec.Release()
		b.rec = nil
	}
	if b.batches != nil {
		b.batches.Close()
		b.batches = nil
	}
}
