package parquetio

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/parquet-go/parquet-go"
)

// parquetSchema returns the Parquet schema of an Arrow schema: columns in the same order, lists in
// the three-level form, text with the UTF8 logical type. The columns in distinct have no
// dictionary.
func parquetSchema(schema *arrow.Schema, distinct []string) (*parquet.Schema, error) {
	if schema.NumFields() == 0 {
		return nil, fmt.Errorf("a Parquet file needs at least one column")
	}
	root, err := parquetGroup(schema.Fields(), "", func(column string) bool { return !slices.Contains(distinct, column) })
	if err != nil {
		return nil, err
	}
	return parquet.NewSchema("schema", root), nil
}

// orderedGroup is a group whose fields keep their order: parquet.Group is a
// map and sorts them by name.
type orderedGroup struct {
	parquet.Group
	fields []parquet.Field
}

func (g *orderedGroup) Fields() []parquet.Field { return g.fields }

type namedNode struct {
	parquet.Node
	name string
}

func (n *namedNode) Name() string { return n.name }

// Value is called only to write Go structs, which this package does not do.
func (n *namedNode) Value(base reflect.Value) reflect.Value {
	return base.MapIndex(reflect.ValueOf(n.name))
}

func parquetGroup(fields []arrow.Field, path string, dictionaries func(name string) bool) (parquet.Node, error) {
	if len(fields) == 0 {
		return nil, fmt.Errorf("column %q: Parquet has no struct without fields", path)
	}
	g := &orderedGroup{Group: parquet.Group{}}
	for _, f := range fields {
		if _, twice := g.Group[f.Name]; twice {
			return nil, fmt.Errorf("column %q is there twice", joinPath(path, f.Name))
		}
		n, err := parquetNode(f, joinPath(path, f.Name), dictionaries(f.Name))
		if err != nil {
			return nil, err
		}
		g.Group[f.Name] = n
		g.fields = append(g.fields, &namedNode{n, f.Name})
	}
	return g, nil
}

func parquetNode(f arrow.Field, path string, dictionaries bool) (parquet.Node, error) {
	var n parquet.Node
	var err error
	switch t := f.Type.(type) {
	case *arrow.ListType:
		var element parquet.Node
		if element, err = parquetNode(t.ElemField(), joinPath(path, "element"), dictionaries); err == nil {
			n = parquet.List(element)
		}
	case *arrow.StructType:
		n, err = parquetGroup(t.Fields(), path, func(string) bool { return dictionaries })
	default:
		n, err = parquetLeaf(f.Type, path, dictionaries)
	}
	if err != nil {
		return nil, err
	}
	if f.Nullable {
		return parquet.Optional(n), nil
	}
	return n, nil
}

// parquetLeaf returns the node of a type without children. If dictionaries is true, whole numbers,
// text and bytes are dictionary-encoded until the dictionary is too large. Other types are PLAIN.
func parquetLeaf(t arrow.DataType, path string, dictionaries bool) (parquet.Node, error) {
	plain := func(n parquet.Node) parquet.Node { return parquet.Encoded(n, &parquet.Plain) }
	dictionary := plain
	if dictionaries {
		dictionary = func(n parquet.Node) parquet.Node { return parquet.Encoded(n, &parquet.RLEDictionary) }
	}
	switch t := t.(type) {
	case *arrow.StringType:
		return dictionary(parquet.String()), nil
	case *arrow.BinaryType:
		return dictionary(parquet.Leaf(parquet.ByteArrayType)), nil
	case *arrow.BooleanType:
		return plain(parquet.Leaf(parquet.BooleanType)), nil
	case *arrow.Int8Type, *arrow.Int16Type, *arrow.Int32Type, *arrow.Int64Type:
		return dictionary(parquet.Int(t.(arrow.FixedWidthDataType).BitWidth())), nil
	case *arrow.Uint8Type, *arrow.Uint16Type, *arrow.Uint32Type, *arrow.Uint64Type:
		return dictionary(parquet.Uint(t.(arrow.FixedWidthDataType).BitWidth())), nil
	case *arrow.Float32Type:
		return plain(parquet.Leaf(parquet.FloatType)), nil
	case *arrow.Float64Type:
		return plain(parquet.Leaf(parquet.DoubleType)), nil
	case *arrow.Date32Type:
		return plain(parquet.Date()), nil
	case *arrow.TimestampType:
		utc := t.TimeZone != ""
		switch t.Unit {
		case arrow.Millisecond:
			return plain(parquet.TimestampAdjusted(parquet.Millisecond, utc)), nil
		case arrow.Microsecond:
			return plain(parquet.TimestampAdjusted(parquet.Microsecond, utc)), nil
		case arrow.Nanosecond:
			return plain(parquet.TimestampAdjusted(parquet.Nanosecond, utc)), nil
		}
	case *arrow.FixedSizeBinaryType:
		return plain(parquet.Leaf(parquet.FixedLenByteArrayType(t.ByteWidth))), nil
	case *arrow.Decimal128Type:
		return plain(parquet.Decimal(int(t.Scale), int(t.Precision), parquet.FixedLenByteArrayType(16))), nil
	}
	return nil, fmt.Errorf("column %q: type %s can't be written to Parquet; cast it to text, a number or a timestamp in microseconds", path, t)
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// SameShape reports whether two types are equal, except for the names of list elements and for
// nullability, which writers of Parquet choose differently.
func SameShape(a, b arrow.DataType) bool {
	switch a := a.(type) {
	case *arrow.ListType:
		b, ok := b.(*arrow.ListType)
		return ok && SameShape(a.Elem(), b.Elem())
	case *arrow.StructType:
		b, ok := b.(*arrow.StructType)
		if !ok || a.NumFields() != b.NumFields() {
			return false
		}
		for i := range a.NumFields() {
			if a.Field(i).Name != b.Field(i).Name || !SameShape(a.Field(i).Type, b.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return a.ID() == b.ID()
}
