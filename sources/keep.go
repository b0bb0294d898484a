package sources

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/schemas"
)

// Kept is the value of one carried column: the one of Text, Int, Float and Bool that Type names, or
// none if Null is set.
type Kept struct {
	Type  schemas.KeptType
	Null  bool
	Text  string
	Int   int64
	Float float64
	Bool  bool
}

// String returns the value as text, numbers in digits.
func (k Kept) String() string {
	switch {
	case k.Null:
		return ""
	case k.Type == schemas.KeptInt:
		return fmt.Sprint(k.Int)
	case k.Type == schemas.KeptFloat:
		return strconv.FormatFloat(k.Float, 'f', -1, 64)
	case k.Type == schemas.KeptBool:
		return fmt.Sprint(k.Bool)
	default:
		return k.Text
	}
}

// typedRows is implemented by formats whose files declare the types of their columns. All others
// carry text.
type typedRows interface {
	keptType(name string) schemas.KeptType
}

// KeptTypes implements Reader.
func (r *checkedReader) KeptTypes() []schemas.KeptType {
	types := make([]schemas.KeptType, len(r.in.opts.Keep))
	if t, ok := r.rows.(typedRows); ok {
		for i, name := range r.in.opts.Keep {
			types[i] = t.keptType(name)
		}
	}
	return types
}

// HasTypedColumns reports whether there are carried columns whose types the files declare. All
// others carry text.
func (o Options) HasTypedColumns() bool {
	f, err := o.formatByName()
	return err == nil && f.isTyped && len(o.Keep) > 0
}

// Fields returns the extra columns of graphs/, in order, from the format and Keep. They are between
// the caption's columns and the text's. If types is nil, kept columns are strings.
func (o Options) Fields(types []schemas.KeptType) []arrow.Field {
	fields := keptFields(o.Keep, types)
	if o.HasCaptionKinds() {
		fields = append(fields, schemas.CaptionKindField())
	}
	if o.HasSameImages() {
		fields = append(fields, schemas.SameField())
	}
	return fields
}

// HasCaptionKinds reports whether captions are in several columns, so that rows have a Kind.
func (o Options) HasCaptionKinds() bool { return len(o.Columns[Caption]) > 1 }

// HasSameImages reports whether rows of the format may have Same.
func (o Options) HasSameImages() bool {
	f, err := o.formatByName()
	return err == nil && f.hasSame
}

// keptFields returns the fields of the carried columns, all nullable. If types is nil, all are
// text.
func keptFields(names []string, types []schemas.KeptType) []arrow.Field {
	if types == nil {
		types = make([]schemas.KeptType, len(names))
	}
	fields := make([]arrow.Field, len(names))
	for i, name := range names {
		fields[i] = arrow.Field{Name: name, Nullable: true, Type: map[schemas.KeptType]arrow.DataType{
			schemas.KeptText:  arrow.BinaryTypes.String,
			schemas.KeptInt:   arrow.PrimitiveTypes.Int64,
			schemas.KeptFloat: arrow.PrimitiveTypes.Float64,
			schemas.KeptBool:  arrow.FixedWidthTypes.Boolean,
		}[types[i]]}
	}
	return fields
}
