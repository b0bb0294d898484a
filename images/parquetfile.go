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

// errNull is returned for a row without an image.
var errNull = errors.New("the row has no image")

type parquetFile struct {
	file       store.File
	name       string
	whole      *parquetio.File
	image, key string // column names; key may be ""

	mu   sync.Mutex
	free []*positioned
}

// positioned is a Parquet reader whose next row is at.
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

// chooseColumns sets the columns of images and of keys, and checks their types.
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

// holdsLists reports whether a column has lists of images.
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

// listError returns the error for a column with lists of images, since a text belongs to one image.
func listError(column string) error {
	return fmt.Errorf("column %q holds lists of images, and a row has one: write a row for each image, or one image a row (in datasets: ds.map(lambda r: {\"image\": r[%q][0]}))", column, column)
}

// fieldIndex returns the index of a field in the struct of the image column; -1 if there is none.
func (p *parquetFile) fieldIndex(name string) int {
	t, _ := p.whole.Type(p.image)
	if s, ok := t.(*arrow.StructType); ok {
		if i, ok := s.FieldIdx(name); ok {
			return i
		}
	}
	return -1
}

// appendPlaces appends the places of the file's named rows to all. number is the number of the file.
func (p *parquetFile) appendPlaces(ctx context.Context, number uint32, all []place) ([]place, error) {
	column := p.key
	if column == "" && p.fieldIndex(pathField) < 0 {
		return all, nil // images have only the names BASE/ROW
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

// stringValue returns the i-th value as a name if it is a string or an integer.
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

// readRow returns the image of a row, in the memory of buf if that is large enough.
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

// readerAt returns a reader whose next row is row.
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

// Close closes the file and its readers. None may be in use.
func (p *parquetFile) Close() error {
	for _, r := range p.free {
		r.Close()
	}
	return p.file.Close()
}
