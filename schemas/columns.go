package schemas

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Names of columns in batches and in Parquet files.
const (
	ColKey        = "key"
	ColImageKey   = "image_key"
	ColImage      = "image"
	ColCaption    = "caption"
	ColSource     = "source"
	ColSourceRow  = "source_row"
	ColText       = "text"
	ColTokens     = "tokens"
	ColGraph      = "graph"
	ColParser     = "parser"
	ColConfidence = "confidence"
	ColPos        = "pos"
	ColPosKind    = "pos_kind"
	ColPosID      = "pos_id"
	ColPosConf    = "pos_confidence"
	ColPosCount   = "pos_count"
	ColPosParts   = "pos_parts"
	ColNeg        = "neg"
	ColNegOf      = "neg_of"
	ColNegMethod  = "neg_method"
	ColNegChanged = "neg_changed"
	ColNegCat     = "neg_category"
	ColNegScore   = "neg_score"
	ColNegParts   = "neg_parts"
	ColReason     = "reason"
	ColDetail     = "detail"
	ColStage      = "stage"
	ColKind       = "kind"
	ColSame       = "same_image"
	ColCount      = "count"
	ColGroup      = "group"
	ColCapKind    = "caption_kind"
)

// Distinct are the columns that seldom repeat a value within some thousand rows.
var Distinct = []string{ColKey, ColImageKey, ColImage, ColCaption, ColSourceRow, ColText, ColPos, ColPosID, ColNeg}

// Field is a required column.
func Field(name string, t arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: t}
}

// CaptionFields returns the columns that reading a source sets, without those that source.keep
// carries.
func CaptionFields() []arrow.Field {
	s := arrow.BinaryTypes.String
	return []arrow.Field{
		Field(ColKey, s), Field(ColImageKey, s), Field(ColImage, s), Field(ColCaption, s),
		Field(ColSource, s), Field(ColSourceRow, arrow.PrimitiveTypes.Int64),
	}
}

// SameField returns a column of graphs/ for sources that identify images by more than image_key. It
// has hashes of these identifiers (see sources.Row).
func SameField() arrow.Field { return Field(ColSame, listType(arrow.PrimitiveTypes.Int64)) }

// CaptionKindField returns the column of graphs/ and texts/ with the name of the source's column
// that a caption is from. Only sources with several such columns have it.
func CaptionKindField() arrow.Field { return Field(ColCapKind, arrow.BinaryTypes.String) }

// ParseFields returns the columns that parsing sets.
func ParseFields() []arrow.Field {
	return []arrow.Field{
		Field(ColTokens, TokensType()), Field(ColGraph, GraphType()),
		Field(ColParser, arrow.BinaryTypes.String), Field(ColConfidence, arrow.PrimitiveTypes.Float32),
	}
}

// PositiveFields returns the columns that decomposing sets: parallel lists.
func PositiveFields() []arrow.Field {
	s := listType(arrow.BinaryTypes.String)
	return []arrow.Field{
		Field(ColPos, s), Field(ColPosKind, s), Field(ColPosID, listType(arrow.PrimitiveTypes.Int64)),
		Field(ColPosConf, listType(arrow.PrimitiveTypes.Float32)), Field(ColPosCount, listType(arrow.PrimitiveTypes.Int64)),
		Field(ColPosParts, listType(listType(arrow.PrimitiveTypes.Int32))),
	}
}

// NegativeFields returns the columns that perturbing sets: parallel lists.
func NegativeFields() []arrow.Field {
	s := listType(arrow.BinaryTypes.String)
	return []arrow.Field{
		Field(ColNeg, s), Field(ColNegOf, listType(arrow.PrimitiveTypes.Int16)),
		Field(ColNegMethod, s), Field(ColNegChanged, s), Field(ColNegCat, s),
		Field(ColNegScore, listType(arrow.PrimitiveTypes.Float32)), Field(ColNegParts, listType(listType(arrow.PrimitiveTypes.Int32))),
	}
}

// TextsSchema returns the schema of texts/.
func TextsSchema() *arrow.Schema {
	s := arrow.BinaryTypes.String
	f := []arrow.Field{Field(ColKey, s), Field(ColImageKey, s), Field(ColImage, s), Field(ColText, s)}
	f = append(f, PositiveFields()...)
	return arrow.NewSchema(append(f, NegativeFields()...), nil)
}

// GraphsSchema returns the schema of graphs/, with the columns that are kept of the source.
func GraphsSchema(keep []arrow.Field) *arrow.Schema {
	f := append(CaptionFields(), keep...)
	f = append(f, Field(ColText, arrow.BinaryTypes.String))
	return arrow.NewSchema(append(f, ParseFields()...), nil)
}

// SampleSchema returns the schema of a sample of a shard's images: the columns from which their
// candidates are made, and a group number that changes where another image begins or an image was
// cut.
func SampleSchema() *arrow.Schema {
	s := arrow.BinaryTypes.String
	return arrow.NewSchema([]arrow.Field{
		Field(ColKey, s), Field(ColImageKey, s), Field(ColText, s), Field(ColTokens, TokensType()), Field(ColGraph, GraphType()),
		SameField(), Field(ColGroup, arrow.PrimitiveTypes.Int64),
	}, nil)
}

// RejectsSchema returns the schema of the rows that a pass rejected, with the reasons.
func RejectsSchema() *arrow.Schema {
	s := arrow.BinaryTypes.String
	return arrow.NewSchema([]arrow.Field{
		Field(ColSource, s), Field(ColSourceRow, arrow.PrimitiveTypes.Int64), Field(ColKey, s), Field(ColImageKey, s),
		Field(ColCaption, s), Field(ColStage, s), Field(ColReason, s), Field(ColDetail, s),
	}, nil)
}

// CountsSchema returns the schema of counts, of a shard or of the vocabulary.
func CountsSchema() *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{
		Field(ColKind, arrow.BinaryTypes.String), Field(ColKey, arrow.BinaryTypes.String),
		Field(ColCount, arrow.PrimitiveTypes.Int64),
	}, nil)
}

// TokensType returns the type of the tokens column.
func TokensType() *arrow.ListType {
	return listType(arrow.StructOf(append(plainTokenFields(), Field("quality", arrow.PrimitiveTypes.Float32))...))
}

// EarlierTokens returns the tokens column of earlier versions, without quality.
func EarlierTokens() arrow.Field {
	return Field(ColTokens, listType(arrow.StructOf(plainTokenFields()...)))
}

func plainTokenFields() []arrow.Field {
	s, i := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32
	return []arrow.Field{Field("begin", i), Field("end", i), Field("tag", s), Field("lemma", s)}
}

// GraphType returns the type of the graph column.
func GraphType() *arrow.StructType {
	s, i, p := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Float32
	attribute := arrow.StructOf(Field("text", s), Field("form", s), Field("begin", i), Field("end", i), Field("confidence", p), Field("status", s))
	object := arrow.StructOf(Field("name", s), Field("head", s), Field("quantity", s),
		Field("attributes", listType(attribute)), Field("begin", i), Field("end", i), Field("confidence", p), Field("status", s))
	relation := arrow.StructOf(Field("subject", i), Field("predicate", s), Field("lemma", s),
		Field("object", i), Field("begin", i), Field("end", i), Field("confidence", p), Field("status", s))
	return arrow.StructOf(Field("objects", listType(object)), Field("relations", listType(relation)))
}

func listType(t arrow.DataType) *arrow.ListType {
	return arrow.ListOfField(arrow.Field{Name: "element", Type: t})
}

// Column returns the column of a name as an array of type A. The error says that it is missing, or
// which type it has instead.
func Column[A arrow.Array](rec arrow.Record, name string) (A, error) {
	var none A
	at := rec.Schema().FieldIndices(name)
	if len(at) != 1 {
		return none, fmt.Errorf("column %q: want one, the batch has %d", name, len(at))
	}
	a, ok := rec.Column(at[0]).(A)
	if !ok {
		return none, fmt.Errorf("column %q: want %T, it is %s", name, none, rec.Column(at[0]).DataType())
	}
	return a, nil
}

// Strings returns the columns of some names, all of type string.
func Strings(rec arrow.Record, names ...string) ([]*array.String, error) {
	columns := make([]*array.String, len(names))
	for i, name := range names {
		c, err := Column[*array.String](rec, name)
		if err != nil {
			return nil, err
		}
		columns[i] = c
	}
	return columns, nil
}

// Assign returns a batch with the columns of rec and the added ones. An added column replaces one
// of the same name. Assign takes ownership of the added arrays, but not of rec.
func Assign(rec arrow.Record, fields []arrow.Field, columns []arrow.Array) arrow.Record {
	allFields := append([]arrow.Field(nil), rec.Schema().Fields()...)
	all := append([]arrow.Array(nil), rec.Columns()...)
	for i, f := range fields {
		if at := rec.Schema().FieldIndices(f.Name); len(at) > 0 {
			allFields[at[0]], all[at[0]] = f, columns[i]
			continue
		}
		allFields, all = append(allFields, f), append(all, columns[i])
	}
	out := array.NewRecord(arrow.NewSchema(allFields, nil), all, rec.NumRows())
	for _, c := range columns {
		c.Release()
	}
	return out
}

// Select returns the columns of rec that schema names, in its order.
func Select(rec arrow.Record, schema *arrow.Schema) (arrow.Record, error) {
	columns := make([]arrow.Array, schema.NumFields())
	for i, f := range schema.Fields() {
		c, err := Column[arrow.Array](rec, f.Name)
		if err != nil {
			return nil, err
		}
		if !arrow.TypeEqual(c.DataType(), f.Type) {
			return nil, fmt.Errorf("column %q: want %s, it is %s", f.Name, f.Type, c.DataType())
		}
		columns[i] = c
	}
	return array.NewRecord(schema, columns, rec.NumRows()), nil
}

// Keep returns the rows of rec whose keep is true. keep has one value a row.
func Keep(mem memory.Allocator, rec arrow.Record, keep []bool) (arrow.Record, error) {
	var spans [][2]int64
	for i := 0; i < len(keep); {
		if !keep[i] {
			i++
			continue
		}
		begin := i
		for i < len(keep) && keep[i] {
			i++
		}
		spans = append(spans, [2]int64{int64(begin), int64(i)})
	}
	switch len(spans) {
	case 0:
		return rec.NewSlice(0, 0), nil
	case 1:
		return rec.NewSlice(spans[0][0], spans[0][1]), nil
	}
	columns := make([]arrow.Array, rec.NumCols())
	defer func() {
		for _, c := range columns {
			if c != nil {
				c.Release()
			}
		}
	}()
	rows := int64(0)
	for j := range columns {
		parts := make([]arrow.Array, len(spans))
		for i, s := range spans {
			parts[i] = array.NewSlice(rec.Column(j), s[0], s[1])
			defer parts[i].Release()
		}
		c, err := array.Concatenate(parts, mem)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", rec.ColumnName(j), err)
		}
		columns[j] = c
	}
	for _, s := range spans {
		rows += s[1] - s[0]
	}
	return array.NewRecord(rec.Schema(), columns, rows), nil
}
