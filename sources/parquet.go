package sources

import (
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/schemas"
)

// parquet reads Parquet files with columns of any names. It decodes only the columns that are needed.
type parquet struct {
	table *parquetTable
	roles columnRoles
	// hasPictures is set if the file contains the encoded images. An image without a name is then
	// called BASE/ROW, by the row's number in the file.
	hasPictures bool
	base        string
	// namePath is the path of the field with the image's name in the image struct, or "".
	namePath string
}

const remedyParquet = "copy or download the file again, or write it anew"

func openParquet(in *input) (rowReader, error) { return in.openParquet(in.newRoles()) }

// openParquet opens the file and its columns that have the roles in r.
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

// parquetColumns returns the columns whose types allow captions or images.
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

// maxFieldDepth bounds how deep a caption may be nested in structs.
const maxFieldDepth = 4

// appendLeafNames appends the name of a column whose type allows captions or images. For a struct or a list
// of structs it appends the names of such fields instead.
func appendLeafNames(names []string, name string, typ arrow.DataType, depth int) []string {
	if kind, _ := cellTypeOf(typ); kind != otherCell && (depth == 0 || typ.ID() != arrow.BINARY) || isTextList(typ) {
		return append(names, name)
	}
	if list, ok := typ.(*arrow.ListType); ok {
		typ = list.Elem()
	}
	if isNumbered(typ) {
		return append(names, name)
	}
	if s, ok := typ.(*arrow.StructType); ok && depth < maxFieldDepth {
		for _, f := range s.Fields() {
			names = appendLeafNames(names, name+"."+f.Name, f.Type, depth+1)
		}
	}
	return names
}

// isNumbered reports whether a type is a struct of strings whose fields are numbers from 0 or 1 on.
func isNumbered(typ arrow.DataType) bool {
	s, ok := typ.(*arrow.StructType)
	if !ok || s.NumFields() == 0 {
		return false
	}
	_, zero := s.FieldByName("0")
	for i := range s.NumFields() {
		if !zero {
			i++
		}
		if f, ok := s.FieldByName(strconv.Itoa(i)); !ok || f.Type.ID() != arrow.STRING {
			return false
		}
	}
	return true
}

// isTextList reports whether a type has several captions: it is a list of strings, of such lists or of
// structs with a field raw, or a struct as isNumbered describes.
func isTextList(typ arrow.DataType) bool {
	list, ok := typ.(*arrow.ListType)
	if !ok {
		return isNumbered(typ)
	}
	switch list.Elem().ID() {
	case arrow.STRING, arrow.BINARY:
		return true
	case arrow.LIST:
		return isTextList(list.Elem())
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
	p.table.several = p.roles.lists // a text may contain a list of captions, so types do not tell
	p.hasPictures = p.roles.guessImage && (p.table.parquetFile.Has(structBytes) || slices.ContainsFunc(pictureColumns, p.table.hasBytes))
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
