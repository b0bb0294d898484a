package sources

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/store"
)

// KeptType is the type of a carried column.
type KeptType int

// The types of carried columns.
const (
	KeptText KeptType = iota
	KeptInt
	KeptFloat
	KeptBool
)

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

// String is the value as Where compares it.
func (k Kept) String() string {
	switch {
	case k.Null:
		return ""
	case k.Type == KeptInt:
		return fmt.Sprint(k.Int)
	case k.Type == KeptFloat:
		return fmt.Sprint(k.Float)
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

// KeepSchema is the fields of the carried columns, all nullable, as file has
// them. Text is utf8; what is neither text, whole number, number nor boolean
// is carried as its JSON.
func KeepSchema(ctx context.Context, s store.Store, file File, opts Options) ([]arrow.Field, error) {
	types := map[KeptType]arrow.DataType{
		KeptText:  arrow.BinaryTypes.String,
		KeptInt:   arrow.PrimitiveTypes.Int64,
		KeptFloat: arrow.PrimitiveTypes.Float64,
		KeptBool:  arrow.FixedWidthTypes.Boolean,
	}
	fields := make([]arrow.Field, len(opts.Keep))
	for i, name := range opts.Keep {
		fields[i] = arrow.Field{Name: name, Type: types[KeptText], Nullable: true}
	}
	if f, err := opts.format(); err != nil || f.Fields != nil || len(fields) == 0 {
		return fields, err
	}
	r, err := Open(ctx, s, file, opts, Position{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if t, ok := r.(*reader).rows.(typer); ok {
		for i, name := range opts.Keep {
			fields[i].Type = types[t.keptType(name)]
		}
	}
	return fields, nil
}
