package sources

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/schemas"
)

// KeptType is the type of a carried column.
type KeptType int

// The types of carried columns. They are written in indexes: new ones come last.
const (
	KeptText KeptType = iota
	KeptInt
	KeptFloat
	KeptBool
	KeptNull // of a file where the column holds nothing: it goes with any other
)

// String is the type's name as the documentation has it.
func (t KeptType) String() string {
	return [...]string{KeptText: "text", KeptInt: "int64", KeptFloat: "float64", KeptBool: "boolean", KeptNull: "null"}[t]
}

// Kept is the value of one carried column: of Text, Int, Float and Bool the
// one that Type says, or none where Null is set.
type Kept struct {
	Type  KeptType
	Null  bool
	Text  string
	Int   int64
	Float float64
	Bool  bool
}

// String is the value in words, numbers in digits.
func (k Kept) String() string {
	switch {
	case k.Null:
		return ""
	case k.Type == KeptInt:
		return fmt.Sprint(k.Int)
	case k.Type == KeptFloat:
		return strconv.FormatFloat(k.Float, 'f', -1, 64)
	case k.Type == KeptBool:
		return fmt.Sprint(k.Bool)
	default:
		return k.Text
	}
}

// typer is implemented by the rows of formats whose files say the types of
// their columns; all others carry text.
type typer interface {
	keptType(name string) KeptType
}

// KeptTypes implements Reader.
func (r *reader) KeptTypes() []KeptType {
	types := make([]KeptType, len(r.in.opts.Keep))
	if t, ok := r.rows.(typer); ok {
		for i, name := range r.in.opts.Keep {
			types[i] = t.keptType(name)
		}
	}
	return types
}

// KeepsTypes tells whether there are carried columns whose types the files say.
// All others carry text.
func (o Options) KeepsTypes() bool {
	f, err := o.format()
	return err == nil && f.typed && len(o.Keep) > 0
}

// Fields are the columns of graphs/ that the format and Keep bring, between those
// of the caption and those of its text. Where types is nil, the carried ones are
// text.
func (o Options) Fields(types []KeptType) []arrow.Field {
	fields := keepFields(o.Keep, types)
	if o.SaysSame() {
		fields = append(fields, schemas.SameField())
	}
	return fields
}

// SaysSame tells whether rows of the format may have Same.
func (o Options) SaysSame() bool {
	f, err := o.format()
	return err == nil && f.same
}

// keepFields are the fields of the carried columns, all nullable. Where types is
// nil, all are text.
func keepFields(names []string, types []KeptType) []arrow.Field {
	if types == nil {
		types = make([]KeptType, len(names))
	}
	fields := make([]arrow.Field, len(names))
	for i, name := range names {
		fields[i] = arrow.Field{Name: name, Nullable: true, Type: map[KeptType]arrow.DataType{
			KeptText:  arrow.BinaryTypes.String,
			KeptInt:   arrow.PrimitiveTypes.Int64,
			KeptFloat: arrow.PrimitiveTypes.Float64,
			KeptBool:  arrow.FixedWidthTypes.Boolean,
		}[types[i]]}
	}
	return fields
}
