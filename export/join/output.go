package join

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/export"
	"capgraph/internal/parquetio"
	"capgraph/internal/usage"
	"capgraph/store"
)

// output writes the texts of each tar in the order of the tar's samples.
type output interface {
	writeTexts(ctx context.Context, tar string, rows []placed) error
	finishOutput() error
}

// newOutput returns the output for the options: Parquet files or tars.
func (g *grouper) newOutput() (output, error) {
	if !g.options.Tars {
		return &parquetOutput{g.options, withKey(g.schema)}, nil
	}
	w := &tarOutput{options: g.options, schema: withKey(g.schema), sizes: map[string]int{}, caption: -1}
	for i, f := range g.schema.Fields() {
		if f.Name == g.options.Caption || g.options.Caption == "" && w.caption < 0 && slices.Contains(captionNames, f.Name) {
			w.caption = i
		}
	}
	if g.options.Caption != "" && w.caption < 0 {
		return nil, usage.Errorf("--caption %s: %s has %s", g.options.Caption, g.options.Texts, columnNames(g.texts.schema))
	}
	return w, nil
}

// withKey returns the schema with a column key before its own columns.
func withKey(schema *arrow.Schema) *arrow.Schema {
	return arrow.NewSchema(append([]arrow.Field{{Name: "key", Type: arrow.BinaryTypes.String}}, schema.Fields()...), nil)
}

// chunkRows yields the rows in chunks of at most DefaultBatchBytes, or of one row if that is
// larger. A long text of many samples is in many rows.
func chunkRows(rows []placed) iter.Seq[[]placed] {
	return func(yield func([]placed) bool) {
		begin, bytes := 0, int64(0)
		for i, r := range rows {
			n := r.bytes()
			if i > begin && (bytes+n > parquetio.DefaultBatchBytes || i-begin == parquetio.DefaultBatchRows) {
				if !yield(rows[begin:i]) {
					return
				}
				begin, bytes = i, 0
			}
			bytes += n
		}
		if begin < len(rows) {
			yield(rows[begin:])
		}
	}
}

// copyRows returns a record of the rows with their keys.
func copyRows(schema *arrow.Schema, rows []placed) (arrow.Record, error) {
	keys := array.NewStringBuilder(memory.DefaultAllocator)
	defer keys.Release()
	plain := make([]rowOf, len(rows))
	for i, r := range rows {
		keys.Append(r.at.key)
		plain[i] = r.rowOf
	}
	columns := []arrow.Array{keys.NewArray()}
	defer func() {
		for _, c := range columns {
			c.Release()
		}
	}()
	for i := range schema.NumFields() - 1 {
		c, err := gatherColumn(plain, i)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", schema.Field(i+1).Name, err)
		}
		columns = append(columns, c)
	}
	return array.NewRecord(schema, columns, int64(len(rows))), nil
}

// captionNames are usual names of the caption column.
var captionNames = []string{"text", "caption", "recaption", "TEXT", "title"}

// parquetOutput writes texts/TAR.parquet with the key as the first column.
type parquetOutput struct {
	options Options
	schema  *arrow.Schema
}

func (p *parquetOutput) writeTexts(ctx context.Context, tar string, rows []placed) error {
	t, err := p.options.Store.Create(store.Join(p.options.Output, textsFolder, tar+".parquet"))
	if err != nil {
		return err
	}
	defer t.Discard()
	w, err := parquetio.NewWriter(t, p.schema, parquetio.WriterOptions{})
	if err != nil {
		return err
	}
	for part := range chunkRows(rows) {
		rec, err := copyRows(p.schema, part)
		if err != nil {
			return err
		}
		err = cmp.Or(ctx.Err(), w.Write(rec))
		rec.Release()
		if err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return t.Publish()
}

func (p *parquetOutput) finishOutput() error { return nil }

// tarOutput writes TAR.tar. A sample has a .json with all columns and, if there is a caption column, a .txt.
type tarOutput struct {
	options Options
	schema  *arrow.Schema // key, then the columns of the texts
	caption int           // index of the caption column without key; -1 if there is none
	names   []string
	sizes   map[string]int
}

func (w *tarOutput) writeTexts(ctx context.Context, tar string, rows []placed) error {
	name := tar + ".tar"
	t, err := export.NewSampleTar(w.options.Store, w.options.Output, name)
	if err != nil {
		return err
	}
	defer t.Discard()
	for part := range chunkRows(rows) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.writeRows(t, part); err != nil {
			return err
		}
	}
	w.names = append(w.names, name)
	w.sizes[name] = t.Samples()
	return t.PublishWithIndex()
}

func (w *tarOutput) writeRows(t *export.SampleTar, rows []placed) error {
	rec, err := copyRows(w.schema, rows)
	if err != nil {
		return err
	}
	defer rec.Release()
	for i, r := range rows {
		members := []export.Member{{Extension: "json", Data: parquetio.AppendRowJSON(nil, rec, i)}}
		if w.caption >= 0 {
			members = append(members, export.Member{Extension: "txt", Data: []byte(textAt(rec.Column(w.caption+1), i))})
		}
		key := r.at.key
		if strings.Contains(key[strings.LastIndexByte(key, '/')+1:], ".") {
			continue // the key is of a sidecar of another tar
		}
		if !filepath.IsLocal(filepath.FromSlash(key)) {
			return fmt.Errorf("its sample %q would be unpacked outside the folder of the tar: write that tar again with names below the folder, or join without --to webdataset", key)
		}
		if err := t.WriteSample(key, members); err != nil {
			return err
		}
	}
	return nil
}

func (w *tarOutput) finishOutput() error {
	return export.DescribeTars(w.options.Store, w.options.Output, w.names, w.sizes)
}
