package sources

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/schemas"
)

// Kept is the value of one carried column. It is in Text, Int, Float or Bool, as Type says; if Null
// is set, there is no value.
type Kept struct {
	Type  schemas.KeptType
	Null  bool
	Text  string
	Int   int64
	Float float64
	Bool  bool
}

// String returns the value as text.
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

// typedRows is implemented by formats whose files declare column types. In all others, carried
// columns are text.
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

// HasTypedColumns reports whether columns are carried whose types the files declare. In other
// formats, carried columns are text.
func (o Options) HasTypedColumns() bool {
	f, err := o.formatByName()
	return err == nil && f.isTyped && len(o.Keep) > 0
}

// Fields returns the additional columns of graphs/ for the format and Keep. They stand between the
// columns of the caption and the text. If types is nil, kept columns are strings.
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

// HasCaptionKinds reports whether captions come from several columns, so that rows have a Kind.
func (o Options) HasCaptionKinds() bool { return len(o.Columns[Caption]) > 1 }

// HasSameImages reports whether rows of the format may have a value in Same.
func (o Options) HasSameImages() bool {
	f, err := o.formatByName()
	return err == nil && f.hasSame
}

// keptFields returns the Arrow fields of the carried columns. All are nullable; if types is nil,
// all are strings.
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
