package sources

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// parquetTable returns the rows of a Parquet file.
type parquetTable struct {
	in          *input
	file        *trackedFile
	parquetFile *parquetio.File
	reader      *parquetio.Reader
	row         int64 // the number of the next row in the file
	// several is set if a record of the file may become several rows. Then the Offset of a position is
	// the number of the record, and shift is how many more rows than records come before the first
	// that is read.
	several  bool
	shift    int64
	batch    arrow.Record
	batchRow int // the current row of batch
}

// openTable opens the file and reads its metadata.
func (in *input) openTable() (*parquetTable, error) {
	f, err := in.openFile()
	if err != nil {
		return nil, err
	}
	t := &parquetTable{in: in, file: &trackedFile{File: f}}
	if t.parquetFile, err = parquetio.Open(t.file, f.Size(), parquetio.Limits{}); err != nil {
		err = t.readError(err)
		f.Close()
		return nil, err
	}
	return t, nil
}

// openColumns opens a reader of columns at the row to start from. Required columns that do not
// exist are an error. types are the types that columns must have.
func (t *parquetTable) openColumns(columns []columnRole, types []arrow.Field) error {
	var names []string
	for _, c := range columns {
		there := t.parquetFile.Has(c.name)
		outer := ""
		if !there && c.required {
			outer = outerColumn(c.name, t.parquetFile.Has)
		}
		switch {
		case outer != "":
			if !slices.Contains(names, outer) {
				names = append(names, outer)
			}
		case !there && t.in.file.hasPartition(c.name):
		case !there && c.required:
			return t.missingColumnError(c)
		case there && (c.required || t.mayHaveRole(c.name)):
			if !slices.Contains(names, c.name) {
				names = append(names, c.name)
			}
		}
	}
	r, err := t.parquetFile.NewReader(parquetio.ReaderOptions{Columns: names, Types: types, RowBytes: MaxRow})
	if err != nil {
		return t.readError(err)
	}
	t.reader = r
	return t.seekToStart()
}

// seekToStart moves the reader to the row to start from, if that is known.
func (t *parquetTable) seekToStart() error {
	t.row = t.in.from.Row
	if t.several {
		t.row = max(t.in.from.Offset, 0)
	}
	if t.row > 0 {
		t.shift = t.in.from.Row - t.row
	}
	if t.row > t.reader.NumRows() {
		return t.in.malformedError(t.in.from, fmt.Errorf("has %d rows, fewer than were indexed", t.reader.NumRows()),
			"bring the old file back, or index again into another folder")
	}
	if t.row == 0 {
		return nil
	}
	return t.readError(t.reader.SeekToRow(t.row))
}

// typeOf returns the type of a column that is read; nil for others.
func (t *parquetTable) typeOf(name string) arrow.DataType {
	for _, i := range t.reader.Schema().FieldIndices(name) {
		return t.reader.Schema().Field(i).Type
	}
	return nil
}

// pictureColumns are usual names of binary columns with encoded images.
var pictureColumns = []string{Image, "jpg", "jpeg", "png", "webp"}

// mayHaveRole reports whether the type of a column, which the options do not name, allows a caption
// or an image: strings, integers, or lists of strings.
func (t *parquetTable) mayHaveRole(name string) bool {
	typ, err := t.parquetFile.Type(name)
	if err != nil || typ.ID() == arrow.BINARY && slices.Contains(pictureColumns, name) {
		return false
	}
	kind, _ := cellTypeOf(typ)
	return kind != otherCell || isTextList(typ) && (name == listColumn || slices.Contains(weakImageColumns, name))
}

// hasBytes reports whether a column is binary.
func (t *parquetTable) hasBytes(name string) bool {
	typ, err := t.parquetFile.Type(name)
	return err == nil && typ.ID() == arrow.BINARY
}

func (t *parquetTable) missingColumnError(c columnRole) error {
	remedy := "choose among them in source.keep and source.where"
	if c.role != "" {
		remedy = fmt.Sprintf("say which of them it is: source.columns: {%s: NAME}", c.role)
	}
	return t.in.malformedError(schemas.Position{Offset: -1},
		fmt.Errorf("has no column %q; it has %s", c.name, clip(strings.Join(t.parquetFile.Columns(), ", "), 4*maxDetail)), remedy)
}

// checkRole returns an error if the type of a column does not allow its role.
func (t *parquetTable) checkRole(c columnRole, lists bool) error {
	typ := t.typeOf(c.name)
	if typ == nil || typ.ID() == arrow.NULL || c.role == Caption && lists && isTextList(typ) {
		return nil
	}
	kind, _ := cellTypeOf(typ)
	if c.role == Caption && kind != textCell || c.role != "" && kind == otherCell {
		return t.in.malformedError(schemas.Position{Offset: -1}, fmt.Errorf("column %q is %s and cannot be the %s", c.name, typ, c.role),
			fmt.Sprintf("name another, or a field of it: source.columns: {%s: %s}", c.role, namedField(c.name, typ)))
	}
	return nil
}

// namedField returns the name of a field in a column whose type allows captions; NAME if there is none.
func namedField(name string, typ arrow.DataType) string {
	if names := appendLeafNames(nil, name, typ, 0); len(names) > 0 {
		return names[0]
	}
	return "NAME"
}

// readError returns the error of a failed read with its place; nil for nil.
func (t *parquetTable) readError(err error) error {
	switch {
	case err == nil:
		return nil
	case t.file.err != nil:
		return t.file.err
	}
	return t.in.malformedError(schemas.Position{Row: t.row, Offset: -1}, err, remedyParquet)
}

// next moves to the next row. It rejects rows that are too large.
func (t *parquetTable) next(row *Row) error {
	row.SourceRow = t.row + t.shift
	t.batchRow++
	for t.batch == nil || t.batchRow >= int(t.batch.NumRows()) {
		if t.row == t.reader.NumRows() {
			return io.EOF
		}
		t.releaseBatch()
		batch, err := t.reader.Next()
		if _, large := errors.AsType[*parquetio.LargeRowError](err); large {
			t.row++
			row.rejectLargeRow()
			return nil
		}
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return t.readError(err)
		}
		t.batch, t.batchRow = batch, 0
	}
	t.row++
	return nil
}

func (t *parquetTable) releaseBatch() {
	if t.batch != nil {
		t.batch.Release()
		t.batch = nil
	}
}

func (t *parquetTable) close() error {
	t.releaseBatch()
	if t.reader != nil {
		t.reader.Close()
	}
	return t.file.Close()
}

func (t *parquetTable) keptType(name string) schemas.KeptType {
	for _, i := range t.reader.Schema().FieldIndices(name) {
		_, typ := cellTypeOf(t.reader.Schema().Field(i).Type)
		return typ
	}
	return schemas.KeptText
}

// cell returns the current row's value in a column.
func (t *parquetTable) cell(name string) cell {
	at := t.batch.Schema().FieldIndices(name)
	if len(at) == 0 {
		return cell{Kept: Kept{Null: true}}
	}
	a := t.batch.Column(at[0])
	kind, typ := cellTypeOf(a.DataType())
	if typ == schemas.KeptNull || a.IsNull(t.batchRow) { // an array of type null has no validity bits
		return cell{Kept: Kept{Type: typ, Null: true}}
	}
	id := a.DataType().ID()
	return cell{Kept: arrowValue(a, t.batchRow), kind: kind, bytes: id == arrow.BINARY, single: id == arrow.FLOAT32}
}

// cellTypeOf returns the kind of cells of a type, and the type that they are carried as.
func cellTypeOf(t arrow.DataType) (cellKind, schemas.KeptType) {
	switch t.ID() {
	case arrow.STRING, arrow.BINARY:
		return textCell, schemas.KeptText
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16, arrow.UINT32:
		return numberCell, schemas.KeptInt
	case arrow.UINT64:
		return numberCell, schemas.KeptText
	case arrow.FLOAT32, arrow.FLOAT64:
		return otherCell, schemas.KeptFloat
	case arrow.BOOL:
		return otherCell, schemas.KeptBool
	case arrow.NULL:
		return otherCell, schemas.KeptNull
	}
	return otherCell, schemas.KeptText
}

// arrowValue returns a value that is not null. Strings, numbers and booleans keep their types;
// everything else becomes text or JSON.
func arrowValue(a arrow.Array, i int) Kept {
	switch a := a.(type) {
	case *array.String:
		return Kept{Text: strings.Clone(a.Value(i))}
	case *array.Binary:
		return Kept{Text: string(a.Value(i))}
	case *array.Int8:
		return Kept{Type: schemas.KeptInt, Int: int64(a.Value(i))}
	case *array.Int16:
		return Kept{Type: schemas.KeptInt, Int: int64(a.Value(i))}
	case *array.Int32:
		return Kept{Type: schemas.KeptInt, Int: int64(a.Value(i))}
	case *array.Int64:
		return Kept{Type: schemas.KeptInt, Int: a.Value(i)}
	case *array.Uint8:
		return Kept{Type: schemas.KeptInt, Int: int64(a.Value(i))}
	case *array.Uint16:
		return Kept{Type: schemas.KeptInt, Int: int64(a.Value(i))}
	case *array.Uint32:
		return Kept{Type: schemas.KeptInt, Int: int64(a.Value(i))}
	case *array.Float32:
		return Kept{Type: schemas.KeptFloat, Float: float64(a.Value(i))}
	case *array.Float64:
		return Kept{Type: schemas.KeptFloat, Float: a.Value(i)}
	case *array.Boolean:
		return Kept{Type: schemas.KeptBool, Bool: a.Value(i)}
	case *array.Decimal128:
		return Kept{Text: a.Value(i).ToString(a.DataType().(*arrow.Decimal128Type).Scale)}
	case *array.Timestamp:
		if a.DataType().(*arrow.TimestampType).TimeZone == "" {
			return Kept{Text: strings.TrimSuffix(a.ValueStr(i), "Z")}
		}
	}
	return Kept{Text: a.ValueStr(i)}
}
