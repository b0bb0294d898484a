package join

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/export"
	"capgraph/internal/parquetio"
	"capgraph/sources"
	"capgraph/store"
)

// texts reads the rows to join from files of one format.
type texts struct {
	store  store.Store
	files  []string
	form   string // an extension
	schema *arrow.Schema
	isRun  bool // the files are texts/ of a run
}

// batch is some consecutive rows of a file.
type batch struct {
	rec  arrow.Record
	file string
	row  int64 // the number of the first row in the file, from 0
}

// forms are the extensions of the formats that can be read.
var forms = []string{".parquet", ".jsonl", ".csv", ".tsv"}

// formOf returns the extension of a file without that of its compression; "" if the format cannot be read.
func formOf(name string) string {
	for _, packed := range []string{".gz", ".zst"} {
		if plain, ok := strings.CutSuffix(name, packed); ok && path.Ext(plain) != ".parquet" {
			name = plain
		}
	}
	if e := path.Ext(name); slices.Contains(forms, e) {
		return e
	}
	return ""
}

// openTexts finds the files of texts and reads their columns.
func openTexts(s store.Store, name string) (*texts, error) {
	t := &texts{store: s}
	info, err := s.Stat(name)
	if err == nil && info.Dir {
		if _, err := s.Stat(store.Join(name, "texts")); err == nil {
			t.isRun = true
			if t.files, err = export.ListShards(s, name); err != nil {
				return nil, err
			}
		}
	}
	if !t.isRun {
		if t.files, err = listTexts(s, name, info, err); err != nil {
			return nil, err
		}
	}
	t.form = formOf(t.files[0])
	for i, f := range t.files {
		if formOf(f) != t.form {
			return nil, fmt.Errorf("%s and %s have different forms: name those of one", t.files[0], f)
		}
		schema, err := t.readSchema(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		switch {
		case i == 0:
			t.schema = schema
		case t.form == ".jsonl":
			t.schema = mergeSchemas(t.schema, schema)
		case !schema.Equal(t.schema):
			return nil, fmt.Errorf("%s has other columns than %s (%s): join them one by one", f, t.files[0], schema)
		}
	}
	if t.schema.NumFields() == 0 {
		return nil, fmt.Errorf("%s has no columns", t.files[0])
	}
	return t, nil
}

// listTexts returns the files that name stands for: a file, a folder or a glob. info and err are the results
// of Stat for name.
func listTexts(s store.Store, name string, info store.Info, err error) ([]string, error) {
	var infos []store.Info
	switch {
	case err == nil && info.Dir:
		infos, err = s.List(name)
	case err == nil && info.Special:
		return nil, fmt.Errorf("%s is a pipe, a socket or a device: texts are read twice, so they have to be a file", name)
	case err == nil:
		if formOf(name) == "" {
			return nil, fmt.Errorf("%s: want a file of the form %s, or a run", name, strings.Join(forms, ", "))
		}
		return []string{name}, nil
	case store.IsGlob(name) && errors.Is(err, fs.ErrNotExist):
		infos, err = store.Glob(s, name)
	}
	if err != nil {
		return nil, err
	}
	var files []string
	for _, i := range infos {
		if base := path.Base(i.Name); !i.Dir && !i.Special && formOf(base) != "" && base[0] != '.' && base[0] != '_' {
			files = append(files, i.Name)
		}
	}
	if len(files) == 0 {
		if store.IsGlob(name) {
			return nil, fmt.Errorf("%s: no file matches", name)
		}
		return nil, fmt.Errorf("%s: no %s in it", name, strings.Join(forms, ", "))
	}
	return files, nil
}

// readSchema returns the columns of a file. Columns of text files are strings. JSON lines have all fields
// that occur, in the order in which they first occur.
func (t *texts) readSchema(name string) (*arrow.Schema, error) {
	if t.form == ".parquet" {
		f, err := t.store.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r, err := parquetio.NewReader(f, f.Size(), parquetio.ReaderOptions{})
		if err != nil {
			return nil, err
		}
		return r.Schema(), nil
	}
	var names []string
	known := map[string]bool{}
	for line, err := range t.textLines(name) {
		if err != nil {
			return nil, err
		}
		for _, n := range line.names {
			if !known[n] {
				known[n] = true
				names = append(names, n)
			} else if t.form != ".jsonl" {
				return nil, fmt.Errorf("has two columns %q: rename one", n)
			}
		}
		if t.form != ".jsonl" {
			break
		}
	}
	return textSchema(names), nil
}

func textSchema(names []string) *arrow.Schema {
	var fields []arrow.Field
	for _, n := range names {
		fields = append(fields, arrow.Field{Name: n, Type: arrow.BinaryTypes.String, Nullable: true})
	}
	return arrow.NewSchema(fields, nil)
}

// mergeSchemas returns the columns of a, followed by those of b that a lacks.
func mergeSchemas(a, b *arrow.Schema) *arrow.Schema {
	fields := slices.Clone(a.Fields())
	for _, f := range b.Fields() {
		if !a.HasField(f.Name) {
			fields = append(fields, f)
		}
	}
	return arrow.NewSchema(fields, nil)
}

// textLine is a row of a text file. The first line of a table is its header and has no values.
// Missing values are nil.
type textLine struct {
	names  []string
	values map[string]*string
}

// textLines yields the rows of a text file.
func (t *texts) textLines(name string) iter.Seq2[textLine, error] {
	return func(yield func(textLine, error) bool) {
		if t.form == ".jsonl" {
			f, err := sources.OpenText(t.store, name)
			if err != nil {
				yield(textLine{}, err)
				return
			}
			defer f.Close()
			yieldObjects(f, yield)
			return
		}
		c, err := sources.OpenTable(context.Background(), t.store, name, t.form == ".tsv")
		if err != nil {
			yield(textLine{}, err)
			return
		}
		defer c.Close()
		header := c.Header()
		for line := (textLine{names: header}); yield(line, nil); {
			cells, err := c.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(textLine{}, err)
				return
			}
			line.values = make(map[string]*string, len(cells))
			for i := range cells {
				line.values[header[i]] = &cells[i]
			}
		}
	}
}

// maxLine bounds a JSON line, in bytes.
const maxLine = 64 << 20

// yieldObjects yields the objects of JSON lines. Strings are decoded; other values stay JSON.
func yieldObjects(r io.Reader, yield func(textLine, error) bool) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 1
	for ; lines.Scan(); n++ {
		if len(strings.TrimSpace(lines.Text())) == 0 {
			continue
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(lines.Bytes(), &fields); err != nil {
			yield(textLine{}, fmt.Errorf("line %d: %w (want a JSON object)", n, err))
			return
		}
		line := textLine{values: map[string]*string{}}
		for name, raw := range fields {
			line.names = append(line.names, name)
			text := string(raw)
			if string(raw) == "null" {
				continue
			}
			if raw[0] == '"' && json.Unmarshal(raw, &text) != nil {
				continue
			}
			line.values[name] = &text
		}
		slices.Sort(line.names)
		if !yield(line, nil) {
			return
		}
	}
	if err := lines.Err(); err != nil {
		yield(textLine{}, fmt.Errorf("line %d: %w", n, err))
	}
}

// readBatches yields all rows in order, in batches that the caller must release.
func (t *texts) readBatches() iter.Seq2[batch, error] {
	return func(yield func(batch, error) bool) {
		for _, name := range t.files {
			for b, err := range t.fileBatches(name) {
				if err != nil {
					err = fmt.Errorf("%s: %w", name, err)
				}
				if !yield(b, err) || err != nil {
					return
				}
			}
		}
	}
}

func (t *texts) fileBatches(name string) iter.Seq2[batch, error] {
	return func(yield func(batch, error) bool) {
		var err error
		if t.form == ".parquet" {
			err = t.parquetBatches(name, yield)
		} else {
			err = t.textBatches(name, yield)
		}
		if err != nil {
			yield(batch{}, err)
		}
	}
}

func (t *texts) parquetBatches(name string, yield func(batch, error) bool) error {
	f, err := t.store.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := parquetio.NewReader(f, f.Size(), parquetio.ReaderOptions{})
	if err != nil {
		return err
	}
	row := int64(0)
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		at := row
		row += rec.NumRows()
		if !yield(batch{rec, name, at}, nil) {
			return nil
		}
	}
}

func (t *texts) textBatches(name string, yield func(batch, error) bool) error {
	build := array.NewRecordBuilder(memory.DefaultAllocator, t.schema)
	defer build.Release()
	rows, bytes, first := 0, 0, int64(0)
	next := func() bool {
		at := first
		first += int64(rows)
		rows, bytes = 0, 0
		return yield(batch{build.NewRecord(), name, at}, nil)
	}
	for line, err := range t.textLines(name) {
		if err != nil {
			return err
		}
		if line.values == nil {
			continue // the header
		}
		for i, f := range t.schema.Fields() {
			column := build.Field(i).(*array.StringBuilder)
			if v := line.values[f.Name]; v != nil {
				column.Append(strings.ToValidUTF8(*v, "\uFFFD"))
				bytes += len(*v)
			} else {
				column.AppendNull()
			}
		}
		if rows++; rows == parquetio.DefaultBatchRows || bytes >= parquetio.DefaultBatchBytes {
			if !next() {
				return nil
			}
		}
	}
	if rows > 0 {
		next()
	}
	return nil
}
