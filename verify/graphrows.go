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

// sameColumns are the columns that texts/ and graphs/ have in common. The key is first.
var sameColumns = []string{schemas.ColKey, schemas.ColImageKey, schemas.ColImage, schemas.ColText}

// graphRows reads the rows of graphs/ from which a shard of texts/ was made, to compare them.
type graphRows struct {
	name     string
	batches  pipeline.Batches // nil if there is nothing to compare with
	rec      arrow.Record
	columns  []*array.String
	row      int
	maxSkips int64 // how many more rows texts/ may lack because it rejected them
}

// openGraphRows opens a shard of graphs/. If it cannot be read, the check graphs reports that.
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

// compare reports the rows of a batch of texts/ that differ from those of graphs/. It stops at the
// first row that graphs/ lacks.
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

// reportUnmatched reports a row of texts/ that graphs/ lacks, and ends the comparison.
func (b *graphRows) reportUnmatched(key string, bad reportRow) {
	switch {
	case b.rec != nil:
		bad(key, "%s has the row %q in its place", b.name, b.columns[0].Value(b.row))
	case b.batches != nil:
		bad(key, "%s has no row in its place", b.name)
	}
	b.close()
}

// seekKey moves to the row with that key and skips at most maxSkips rows in all. It reports whether
// there is such a row.
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

// readBatch reads the next batch if the current one is used up. It reports whether there is a row left.
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
			if !errors.Is(err, io.EOF) { // the check graphs reports it
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
