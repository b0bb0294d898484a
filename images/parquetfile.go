package images

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/internal/parquetio"
	"capgraph/store"
)

// errNull is the error of a row without an image.
var errNull = errors.New("the row has no image")

type parquetFile struct {
	file       store.File
	name       string
	whole      *parquetio.File
	image, key string // columns; key may be ""

	mu   sync.Mutex
	free []*positioned
}

// positioned is a reader that is before row at.
type positioned struct {
	*parquetio.Reader
	at int64
}

func openParquet(s store.Store, name string, o Options) (*parquetFile, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	p := &parquetFile{file: f, name: name, image: o.Column, key: o.Key}
	if err = store.CheckPointerAt(f); err == nil {
		p.whole, err = parquetio.Open(f, f.Size(), parquetio.Limits{})
	}
	if err == nil {
		err = p.chooseColumns()
	}
	if err != nil {
		f.Close()
		return nil, p.readError(err)
	}
	return p, nil
}

func (p *parquetFile) readError(err error) error {
	if err == nil || store.IsEnvironmentError(err) || errors.Is(err, errNull) || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%s: %w", p.name, err)
}

// chooseColumns finds the columns of images and of keys, and checks what they hold.
func (p *parquetFile) chooseColumns() error {
	columns := p.whole.Columns()
	there := strings.Join(columns, ", ")
	if p.image == "" {
		i := slices.IndexFunc(imageColumns, func(c string) bool { return slices.Contains(columns, c) && p.holdsBytes(c) })
		if i < 0 {
			if lists := slices.IndexFunc(columns, p.holdsLists); lists >= 0 {
				return listError(columns[lists])
			}
			return fmt.Errorf("no column holds encoded images; there are %s: name it (column)", there)
		}
		p.image = imageColumns[i]
	}
	switch {
	case !slices.Contains(columns, p.image):
		return fmt.Errorf("has no column %q, but %s: name one of them (column)", p.image, there)
	case p.holdsLists(p.image):
		return listError(p.image)
	case !p.holdsBytes(p.image):
		return fmt.Errorf("column %q holds no bytes of images: name another (column)", p.image)
	case p.key == "" && slices.Contains(columns, defaultKey):
		p.key = defaultKey
	case p.key != "" && !slices.Contains(columns, p.key):
		return fmt.Errorf("has no column %q of keys, but %s", p.key, there)
	}
	return nil
}

const defaultKey = "key"

func (p *parquetFile) holdsBytes(column string) bool {
	t, err := p.whole.Type(column)
	if s, ok := t.(*arrow.StructType); ok && err == nil {
		f, ok := s.FieldByName(bytesField)
		return ok && f.Type.ID() == arrow.BINARY
	}
	return err == nil && t.ID() == arrow.BINARY
}

// holdsLists reports whether a column has several images a row.
func (p *parquetFile) holdsLists(column string) bool {
	t, err := p.whole.Type(column)
	list, ok := t.(arrow.ListLikeType)
	if !ok || err != nil {
		return false
	}
	switch e := list.Elem().(type) {
	case *arrow.StructType:
		f, ok := e.FieldByName(bytesField)
		return ok && f.Type.ID() == arrow.BINARY
	default:
		return e.ID() == arrow.BINARY
	}
}

// listError is the error of a column with several images a row, since a text has one.
func listError(column string) error {
	return fmt.Errorf("column %q holds lists of images, and a row has one: write a row for each image, or one image a row (in datasets: ds.map(lambda r: {\"image\": r[%q][0]}))", column, column)
}

// fieldIndex is the number of a field of datasets' struct, or -1.
func (p *parquetFile) fieldIndex(name string) int {
	t, _ := p.whole.Type(p.image)
	if s, ok := t.(*arrow.StructType); ok {
		if i, ok := s.FieldIdx(name); ok {
			return i
		}
	}
	return -1
}

// appendPlaces appends the rows by their names.
func (p *parquetFile) appendPlaces(ctx context.Context, number uint32, all []place) ([]place, error) {
	column := p.key
	if column == "" && p.fieldIndex(pathField) < 0 {
		return all, nil // images are called by their rows
	}
	if column == "" {
		column = p.image + "." + pathField
	}
	r, err := p.whole.NewReader(parquetio.ReaderOptions{Columns: []string{column}})
	if err != nil {
		return all, p.readError(err)
	}
	defer r.Close()
	for row := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return all, err
		}
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, p.readError(err)
		}
		names := rec.Column(0)
		for i := range int(rec.NumRows()) {
			if name, ok := stringValue(names, i); ok {
				all = append(all, place{name: hashName(name), offset: row, file: number})
			}
			row++
		}
		rec.Release()
	}
}

// stringValue is a name: text or a whole number.
func stringValue(a arrow.Array, i int) (string, bool) {
	if a.IsNull(i) {
		return "", false
	}
	switch a := a.(type) {
	case *array.String:
		return a.Value(i), true
	case *array.Binary:
		return string(a.Value(i)), true
	case *array.Int32:
		return strconv.Itoa(int(a.Value(i))), true
	case *array.Int64:
		return strconv.FormatInt(a.Value(i), 10), true
	}
	return "", false
}

// readRow copies the image of a row to buf.
func (p *parquetFile) readRow(row int64, buf []byte) ([]byte, error) {
	if row >= p.whole.NumRows() {
		return nil, errNull
	}
	r, err := p.readerAt(row)
	if err != nil {
		return nil, p.readError(err)
	}
	rec, err := r.Next()
	if err != nil {
		r.Close()
		return nil, p.readError(fmt.Errorf("row %d: %w", row, err))
	}
	defer rec.Release()
	r.at = row + 1
	p.mu.Lock()
	p.free = append(p.free, r)
	p.mu.Unlock()
	column := rec.Column(0)
	null := column.IsNull(0)
	if s, ok := column.(*array.Struct); ok {
		column = s.Field(p.fieldIndex(bytesField))
	}
	if null || column.IsNull(0) {
		return nil, errNull
	}
	data := column.(*array.Binary).Value(0)
	if err := checkPointer(data, p.name, fmt.Sprintf("the image of row %d", row)); err != nil {
		return nil, err
	}
	return append(buf[:0], data...), nil
}

// readerAt returns a reader before a row.
func (p *parquetFile) readerAt(row int64) (*positioned, error) {
	p.mu.Lock()
	var r *positioned
	if n := len(p.free); n > 0 {
		r, p.free = p.free[n-1], p.free[:n-1]
	}
	p.mu.Unlock()
	if r == nil {
		whole, err := p.whole.NewReader(parquetio.ReaderOptions{Columns: []string{p.image}, BatchRows: 1})
		if err != nil {
			return nil, err
		}
		r = &positioned{whole, 0}
	}
	if r.at == row {
		return r, nil
	}
	if err := r.SeekToRow(row); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Close frees the readers, which nobody uses.
func (p *parquetFile) Close() error {
	for _, r := range p.free {
		r.Close()
	}
	return p.file.Close()
}
