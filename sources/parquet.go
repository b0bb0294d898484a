package sources

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// parquet reads Parquet files with columns of any names, and decodes only those that are asked for.
type parquet struct {
	table *parquetTable
	roles columnRoles
	// hasPictures is set if the images themselves are in the file. One without a name is called
	// BASE/ROW, by the row of the file.
	hasPictures bool
	base        string
	// namePath is the path in the struct that is named as the image, or "".
	namePath string
}

const remedyParquet = "copy or download the file again, or write it anew"

func openParquet(in *input) (rowReader, error) { return in.openParquet(in.newRoles()) }

// openParquet opens the file for the columns of the roles.
func (in *input) openParquet(r columnRoles) (*parquet, error) {
	t, err := in.openTable()
	if err != nil {
		return nil, err
	}
	p := &parquet{table: t, roles: r}
	p.roles.columns = t.parquetFile.Columns
	if err := p.selectColumns(); err != nil {
		t.close()
		return nil, err
	}
	return p, nil
}

// parquetColumns returns the columns that may be captions or images by their types.
func parquetColumns(in *input) ([]string, error) {
	t, err := in.openTable()
	if err != nil {
		return nil, err
	}
	defer t.close()
	var names []string
	for _, name := range t.parquetFile.Columns() {
		if typ, err := t.parquetFile.Type(name); err == nil {
			names = appendLeafNames(names, name, typ, 0)
		}
	}
	return names, nil
}

// maxFieldDepth bounds how deep in structs a caption is looked for.
const maxFieldDepth = 4

// appendLeafNames appends the name of a column, or those of the fields of one that is a struct or a
// list of structs, that may be a caption or an image by their types.
func appendLeafNames(names []string, name string, typ arrow.DataType, depth int) []string {
	if kind, _ := cellTypeOf(typ); kind != otherCell && (depth == 0 || typ.ID() != arrow.BINARY) || isTextList(typ) {
		return append(names, name)
	}
	if list, ok := typ.(*arrow.ListType); ok {
		typ = list.Elem()
	}
	if s, ok := typ.(*arrow.StructType); ok && depth < maxFieldDepth {
		for _, f := range s.Fields() {
			names = appendLeafNames(names, name+"."+f.Name, f.Type, depth+1)
		}
	}
	return names
}

// isTextList reports whether a type is a list of texts, or of structs with texts.
func isTextList(typ arrow.DataType) bool {
	list, ok := typ.(*arrow.ListType)
	if !ok {
		return false
	}
	switch list.Elem().ID() {
	case arrow.STRING, arrow.BINARY:
		return true
	case arrow.STRUCT:
		_, ok := list.Elem().(*arrow.StructType).FieldByName("raw")
		return ok
	}
	return false
}

func (p *parquet) selectColumns() error {
	if p.roles.guessCaption {
		there := p.table.parquetFile.Columns()
		known := []string{seriesColumns[0], seriesColumns[1], listColumn}
		for _, c := range publishedCorpora {
			known = append(known, c.captions[0])
		}
		p.roles.guessCaption = !slices.Contains(there, Caption) && slices.ContainsFunc(known, func(name string) bool {
			return slices.Contains(there, name)
		})
	}
	p.table.several = p.roles.lists // a text may hold a list of captions, so no type tells
	typ, _ := p.table.parquetFile.Type(Image)
	p.hasPictures = p.roles.guessImage && (p.table.parquetFile.Has(structBytes) || typ != nil && typ.ID() == arrow.BINARY)
	p.base = path.Base(p.table.in.file.Path)
	columns := p.roles.allColumns()
	if name := p.roles.image; name != "" && p.table.parquetFile.Has(name+".path") {
		p.namePath, p.roles.image = name+".path", ""
		p.hasPictures = p.table.parquetFile.Has(name + ".bytes")
		columns = append(p.roles.allColumns(), columnRole{p.namePath, Image, true})
	}
	if err := p.table.openColumns(columns, nil); err != nil {
		return err
	}
	for _, c := range columns {
		if err := p.table.checkRole(c, p.roles.lists); err != nil {
			return err
		}
	}
	return nil
}

func (p *parquet) next(row *Row) error {
	if err := p.table.next(row); err != nil || row.Reject != "" {
		return err
	}
	p.roles.fillRow(row, p.table.cell)
	if p.namePath != "" {
		row.Image = p.table.cell(p.namePath).String()
	}
	if row.Image == "" && p.hasPictures {
		row.Image = fmt.Sprintf("%s/%d", p.base, p.table.row-1)
	}
	return nil
}

// keptType implements typer.
func (p *parquet) keptType(name string) schemas.KeptType { return p.table.keptType(name) }

func (p *parquet) position() schemas.Position {
	at := schemas.Position{Row: p.table.row + p.table.shift, Offset: -1}
	if p.table.several {
		at.Offset = p.table.row
	}
	return at
}

func (p *parquet) close() error { return p.table.close() }

// parquetTable returns the rows of a Parquet file.
type parquetTable struct {
	in          *input
	file        *trackedFile
	parquetFile *parquetio.File
	reader      *parquetio.Reader
	row         int64 // the number of rows of the file before the next one
	// several is set if a row of the file may be several rows. Then the offset in a position is the
	// row of the file, and shift is how many more rows there were before the first that is read.
	several  bool
	shift    int64
	batch    arrow.Record
	batchRow int // the current row of batch
}

// openTable opens the file and checks its metadata.
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

// openColumns begins to read columns, which must exist, at the row that was asked for. types are
// the types that columns must have.
func (t *parquetTable) openColumns(columns []columnRole, types []arrow.Field) error {
	var names []string
	for _, c := range columns {
		there := t.parquetFile.Has(c.name)
		outer := ""
		if !there && c.required {
			outer = hasOuter(c.name, t.parquetFile.Has)
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

// seekToStart goes to the row that was asked for, if it is known.
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

// typeOf returns the type of a column that is read, or nil.
func (t *parquetTable) typeOf(name string) arrow.DataType {
	for _, i := range t.reader.Schema().FieldIndices(name) {
		return t.reader.Schema().Field(i).Type
	}
	return nil
}

// mayHaveRole reports whether a column that nobody named may be a caption or identify an image: it
// is text or whole numbers. Bytes in a column image are the picture itself.
func (t *parquetTable) mayHaveRole(name string) bool {
	typ, err := t.parquetFile.Type(name)
	if err != nil || typ.ID() == arrow.BINARY && name == Image {
		return false
	}
	kind, _ := cellTypeOf(typ)
	return kind != otherCell || name == listColumn && isTextList(typ)
}

func (t *parquetTable) missingColumnError(c columnRole) error {
	remedy := "choose among them in source.keep and source.where"
	if c.role != "" {
		remedy = fmt.Sprintf("say which of them it is: source.columns: {%s: NAME}", c.role)
	}
	return t.in.malformedError(schemas.Position{Offset: -1},
		fmt.Errorf("has no column %q; it has %s", c.name, clip(strings.Join(t.parquetFile.Columns(), ", "), 4*maxDetail)), remedy)
}

// checkRole returns an error if a column cannot play its role.
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

// namedField returns the name of a field of a column that may be a caption, or NAME.
func namedField(name string, typ arrow.DataType) string {
	if names := appendLeafNames(nil, name, typ, 0); len(names) > 0 {
		return names[0]
	}
	return "NAME"
}

// readError returns the error of a failed read, nil for nil.
func (t *parquetTable) readError(err error) error {
	switch {
	case err == nil:
		return nil
	case t.file.err != nil:
		return t.file.err
	}
	return t.in.malformedError(schemas.Position{Row: t.row, Offset: -1}, err, remedyParquet)
}

// next goes to the next row. It rejects a row that is too large.
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

// cell returns the current row's value of a column.
func (t *parquetTable) cell(name string) cell {
	at := t.batch.Schema().FieldIndices(name)
	if len(at) == 0 {
		return cell{Kept: Kept{Null: true}}
	}
	a := t.batch.Column(at[0])
	kind, typ := cellTypeOf(a.DataType())
	if typ == schemas.KeptNull || a.IsNull(t.batchRow) { // the validity of an array of nulls says nothing
		return cell{Kept: Kept{Type: typ, Null: true}}
	}
	id := a.DataType().ID()
	return cell{Kept: arrowValue(a, t.batchRow), kind: kind, bytes: id == arrow.BINARY, single: id == arrow.FLOAT32}
}

// cellTypeOf returns how the values of a type are used and carried.
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

// arrowValue returns a value that is not null: text as it is, numbers and booleans as such, and
// everything else as text or JSON.
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
