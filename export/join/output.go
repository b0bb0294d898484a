package join

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/export"
	"capgraph/internal/parquetio"
	"capgraph/internal/usage"
	"capgraph/store"
)

// output writes the rows of each tar, which are in its order.
type output interface {
	writeTexts(tar string, rows []rowOf) error
	finishOutput() error
}

// newOutput returns what writes the texts.
func (g *grouper) newOutput() (output, error) {
	fields := g.schema.Fields()[2:]
	if !g.options.Tars {
		return &parquetOutput{g.options, arrow.NewSchema(fields, nil)}, nil
	}
	w := &tarOutput{options: g.options, sizes: map[string]int{}, caption: -1}
	for i, f := range fields {
		if f.Name == g.options.Caption || g.options.Caption == "" && w.caption < 0 && slices.Contains(captionNames, f.Name) {
			w.caption = i
		}
	}
	if g.options.Caption != "" && w.caption < 0 {
		return nil, usage.Errorf("--caption %s: %s has %s", g.options.Caption, g.options.Texts, columnNames(g.texts.schema))
	}
	return w, nil
}

// captionNames are the usual names of the column of captions.
var captionNames = []string{"text", "caption", "recaption", "TEXT", "title"}

// parquetOutput writes texts/TAR.parquet, with the key before the other columns.
type parquetOutput struct {
	options Options
	schema  *arrow.Schema
}

func (p *parquetOutput) writeTexts(tar string, rows []rowOf) error {
	t, err := p.options.Store.Create(store.Join(p.options.Output, "texts", tar+".parquet"))
	if err != nil {
		return err
	}
	defer t.Discard()
	w, err := parquetio.NewWriter(t, p.schema, parquetio.WriterOptions{})
	if err != nil {
		return err
	}
	for part := range slices.Chunk(rows, parquetio.DefaultBatchRows) {
		if err := p.writeRows(w, part); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return t.Publish()
}

func (p *parquetOutput) writeRows(w *parquetio.Writer, rows []rowOf) error {
	var columns []arrow.Array
	defer func() {
		for _, c := range columns {
			c.Release()
		}
	}()
	for i := range p.schema.NumFields() {
		c, err := gatherColumn(rows, i+2)
		if err != nil {
			return fmt.Errorf("column %q: %w", p.schema.Field(i).Name, err)
		}
		columns = append(columns, c)
	}
	rec := array.NewRecord(p.schema, columns, int64(len(rows)))
	defer rec.Release()
	return w.Write(rec)
}

func (p *parquetOutput) finishOutput() error { return nil }

// tarOutput writes TAR.tar with a .json of all columns and, if there is a caption, a .txt.
type tarOutput struct {
	options Options
	caption int // a column, or -1
	names   []string
	sizes   map[string]int
}

func (w *tarOutput) writeTexts(tar string, rows []rowOf) error {
	name := tar + ".tar"
	t, err := export.NewSampleTar(w.options.Store, w.options.Output, name)
	if err != nil {
		return err
	}
	defer t.Discard()
	for _, r := range rows {
		fields := r.rec.Schema().Fields()[2:]
		row := array.NewRecord(arrow.NewSchema(fields, nil), r.rec.Columns()[2:], r.rec.NumRows())
		members := []export.Member{{Extension: "json", Data: parquetio.AppendRowJSON(nil, row, r.row)}}
		row.Release()
		if w.caption >= 0 {
			members = append(members, export.Member{Extension: "txt", Data: []byte(textAt(r.rec.Column(w.caption+2), r.row))})
		}
		key := r.rec.Column(2).(*array.String).Value(r.row)
		if strings.Contains(key[strings.LastIndexByte(key, '/')+1:], ".") {
			continue // of a sidecar that is not that of the tar
		}
		if err := t.WriteSample(key, members); err != nil {
			return err
		}
	}
	w.names = append(w.names, name)
	w.sizes[name] = t.Samples()
	return t.PublishWithIndex()
}

func (w *tarOutput) finishOutput() error {
	return export.DescribeTars(w.options.Store, w.options.Output, w.names, w.sizes)
}
