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

// graphRows steps through the rows of graphs/ from which a shard of texts/ was made.
type graphRows struct {
	name     string
	batches  pipeline.Batches // nil where there is nothing to compare with
	rec      arrow.Record
	columns  []*array.String
	row      int
	maxSkips int64 // how many rows texts/ may still be without
}

// openGraphRows opens a shard of graphs/. One that cannot be read is told by the checks
// of its rows.
func (c *check) openGraphRows(shard string, texts *folder.Entry) *graphRows {
	b := &graphRows{name: folder.DataFile(folder.PassParse, shard)}
	for _, n := range texts.Rejects {
		b.maxSkips += n
	}
	if batches, err := c.folder.ReadShard(memory.NewGoAllocator(), folder.PassParse, shard, sameColumns); err == nil {
		b.batches = batches
	}
	return b
}

// compare tells which rows of a batch of texts/ are not those of graphs/. At the
// first that is none of them it ends.
func (b *graphRows) compare(rec arrow.Record, bad reportRow) error {
	columns, err := schemas.Strings(rec, sameColumns...)
	if err != nil {
		return err
	}
	for i := 0; i < int(rec.NumRows()) && b.batches != nil; i++ {
		key := columns[0].Value(i)
		if !b.seekKey(key) {
			b.reportUnmatched(key, bad)
			return nil
		}
		for j, name := range sameColumns {
			if texts, graphs := columns[j].Value(i), b.columns[j].Value(b.row); texts != graphs {
				bad(key, "its %s is %q, and %q in %s", name, texts, graphs, b.name)
			}
		}
		b.row++
	}
	return nil
}

// reportUnmatched tells that a row of texts/ was not found, and ends the comparison.
func (b *graphRows) reportUnmatched(key string, bad reportRow) {
	switch {
	case b.rec != nil:
		bad(key, "%s has the row %q in its place", b.name, b.columns[0].Value(b.row))
	case b.batches != nil:
		bad(key, "%s has no row in its place", b.name)
	}
	b.close()
}

// seekKey goes on to the row of that key, past those that texts/ may be without.
func (b *graphRows) seekKey(key string) bool {
	for b.readBatch() {
		if b.columns[0].Value(b.row) == key {
			return true
		}
		if b.maxSkips == 0 {
			return false
		}
		b.maxSkips--
		b.row++
	}
	return false
}

// readBatch reads on where all rows of the batch are seen.
func (b *graphRows) readBatch() bool {
	for b.rec == nil || b.row == int(b.rec.NumRows()) {
		if b.rec != nil {
			b.rec.Release()
			b.rec = nil
		}
		rec, _, err := b.batches.Next()
		if err == nil {
			b.rec, b.row = rec, 0
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

func (b *graphRows) close() {
	if b.rec != nil {
		b.rec.Release()
		b.rec = nil
	}
	if b.batches != nil {
		b.batches.Close()
		b.batches = nil
	}
}
