package schemas

import (
	"errors"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// errBatchFull: offsets in Arrow's lists and strings are int32.
var errBatchFull = errors.New("the texts of a batch are more than 2 GiB")

// PositivesBuilder builds the columns of PositiveFields.
type PositivesBuilder struct {
	rows       listEnds
	text, kind textValues
	id         []int64
	confidence []float32
	count      []int64
	parts      partLists
}

// Append adds a row. After an error the builder must not be used.
func (b *PositivesBuilder) Append(positives []Positive) error {
	for i := range positives {
		if !b.text.append(positives[i].Text) || !b.kind.append(positives[i].Kind) {
			return errBatchFull
		}
		b.id = append(b.id, positives[i].ID)
		b.confidence = append(b.confidence, positives[i].Confidence)
		b.count = append(b.count, positives[i].Count)
		b.parts.append(positives[i].Parts)
	}
	b.rows.append(len(b.id))
	return nil
}

// NewColumns returns the columns of PositiveFields with the rows so far. It empties the builder and
// reserves as much memory again.
func (b *PositivesBuilder) NewColumns() []arrow.Array {
	columns := b.rows.listArrays(PositiveFields(), b.text.arrayData(), b.kind.arrayData(),
		fixedWidthData(arrow.PrimitiveTypes.Int64, b.id), fixedWidthData(arrow.PrimitiveTypes.Float32, b.confidence),
		fixedWidthData(arrow.PrimitiveTypes.Int64, b.count), b.parts.arrayData())
	*b = PositivesBuilder{b.rows.emptyCopy(), b.text.emptyCopy(), b.kind.emptyCopy(), emptyWithCapacity(b.id), emptyWithCapacity(b.confidence), emptyWithCapacity(b.count), b.parts.emptyCopy()}
	return columns
}

// NegativesBuilder builds the columns of NegativeFields.
type NegativesBuilder struct {
	rows                            listEnds
	text, method, changed, category textValues
	of                              []int16
	score                           []float32
	parts                           partLists
}

// Append adds a row. After an error the builder must not be used.
func (b *NegativesBuilder) Append(negatives []HardNegative) error {
	for i := range negatives {
		n := &negatives[i]
		if !b.text.append(n.Text) || !b.method.append(n.Method) || !b.changed.append(n.Changed) || !b.category.append(n.Category) {
			return errBatchFull
		}
		b.of = append(b.of, n.Of)
		b.score = append(b.score, n.Score)
		b.parts.append(n.Parts)
	}
	b.rows.append(len(b.of))
	return nil
}

// NewColumns returns the columns of NegativeFields with the rows so far. It empties the builder and
// reserves as much memory again.
func (b *NegativesBuilder) NewColumns() []arrow.Array {
	columns := b.rows.listArrays(NegativeFields(), b.text.arrayData(), fixedWidthData(arrow.PrimitiveTypes.Int16, b.of),
		b.method.arrayData(), b.changed.arrayData(), b.category.arrayData(), fixedWidthData(arrow.PrimitiveTypes.Float32, b.score), b.parts.arrayData())
	*b = NegativesBuilder{b.rows.emptyCopy(), b.text.emptyCopy(), b.method.emptyCopy(), b.changed.emptyCopy(), b.category.emptyCopy(), emptyWithCapacity(b.of), emptyWithCapacity(b.score), b.parts.emptyCopy()}
	return columns
}

// listEnds has the offsets of lists that are stored one after another: 0, then the end of each
// list.
type listEnds []int32

func (e *listEnds) append(end int) {
	if len(*e) == 0 {
		*e = append(*e, 0)
	}
	*e = append(*e, int32(end))
}

// countLists returns the number of lists.
func (e listEnds) countLists() int { return max(len(e)-1, 0) }

func (e listEnds) offsetsBuffer() *memory.Buffer {
	if len(e) == 0 {
		e = listEnds{0}
	}
	return memory.NewBufferBytes(arrow.GetBytes(e))
}

func (e listEnds) emptyCopy() listEnds { return emptyWithCapacity(e) }

// listArrays returns one list column for each of values. All have lists of the same lengths.
func (e listEnds) listArrays(fields []arrow.Field, values ...arrow.ArrayData) []arrow.Array {
	columns := make([]arrow.Array, len(fields))
	offsets := e.offsetsBuffer()
	for i, f := range fields {
		data := array.NewData(f.Type, e.countLists(), []*memory.Buffer{nil, offsets}, []arrow.ArrayData{values[i]}, 0, 0)
		columns[i] = array.NewListData(data)
		data.Release()
		values[i].Release()
	}
	return columns
}

// textValues has strings that are stored one after another.
type textValues struct {
	ends  listEnds
	bytes []byte
}

// append adds s. It returns false if the end of s does not fit into an offset.
func (t *textValues) append(s string) bool {
	if len(s) > math.MaxInt32-len(t.bytes) {
		return false
	}
	t.bytes = append(t.bytes, s...)
	t.ends.append(len(t.bytes))
	return true
}

func (t *textValues) emptyCopy() textValues {
	return textValues{t.ends.emptyCopy(), emptyWithCapacity(t.bytes)}
}

func (t *textValues) arrayData() arrow.ArrayData {
	return array.NewData(arrow.BinaryTypes.String, t.ends.countLists(), []*memory.Buffer{nil, t.ends.offsetsBuffer(), memory.NewBufferBytes(t.bytes)}, nil, 0, 0)
}

// partLists has lists of hashes that are stored one after another.
type partLists struct {
	ends   listEnds
	hashes []int32
}

func (p *partLists) append(parts []int32) {
	p.hashes = append(p.hashes, parts...)
	p.ends.append(len(p.hashes))
}

func (p *partLists) emptyCopy() partLists {
	return partLists{p.ends.emptyCopy(), emptyWithCapacity(p.hashes)}
}

func (p *partLists) arrayData() arrow.ArrayData {
	values := fixedWidthData(arrow.PrimitiveTypes.Int32, p.hashes)
	defer values.Release()
	return array.NewData(listType(arrow.PrimitiveTypes.Int32), p.ends.countLists(), []*memory.Buffer{nil, p.ends.offsetsBuffer()}, []arrow.ArrayData{values}, 0, 0)
}

// fixedWidthData returns values as an Arrow column of type t.
func fixedWidthData[T int16 | int32 | int64 | float32](t arrow.DataType, values []T) arrow.ArrayData {
	return array.NewData(t, len(values), []*memory.Buffer{nil, memory.NewBufferBytes(arrow.GetBytes(values))}, nil, 0, 0)
}

// emptyWithCapacity returns an empty slice with an eighth more capacity than values has elements.
func emptyWithCapacity[S ~[]T, T any](values S) S { return make(S, 0, len(values)+len(values)/8) }
