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
	rows       ends
	text, kind texts
	id         []int64
}

// Append adds a row. A builder that a row does not fit is of no more use.
func (b *PositivesBuilder) Append(positives []Positive) error {
	for i := range positives {
		if !b.text.append(positives[i].Text) || !b.kind.append(positives[i].Kind) {
			return errBatchFull
		}
		b.id = append(b.id, positives[i].ID)
	}
	b.rows.append(len(b.id))
	return nil
}

// NewColumns returns the columns of PositiveFields and empties the builder, which
// makes room for as much again.
func (b *PositivesBuilder) NewColumns() []arrow.Array {
	columns := b.rows.lists(PositiveFields(), b.text.data(), b.kind.data(), fixed(arrow.PrimitiveTypes.Int64, b.id))
	*b = PositivesBuilder{b.rows.room(), b.text.room(), b.kind.room(), room(b.id)}
	return columns
}

// NegativesBuilder builds the columns of NegativeFields.
type NegativesBuilder struct {
	rows                            ends
	text, method, changed, category texts
	of                              []int16
	score                           []float32
}

// Append adds a row. A builder that a row does not fit is of no more use.
func (b *NegativesBuilder) Append(negatives []HardNegative) error {
	for i := range negatives {
		n := &negatives[i]
		if !b.text.append(n.Text) || !b.method.append(n.Method) || !b.changed.append(n.Changed) || !b.category.append(n.Category) {
			return errBatchFull
		}
		b.of = append(b.of, n.Of)
		b.score = append(b.score, n.Score)
	}
	b.rows.append(len(b.of))
	return nil
}

// NewColumns returns the columns of NegativeFields and empties the builder, which
// makes room for as much again.
func (b *NegativesBuilder) NewColumns() []arrow.Array {
	columns := b.rows.lists(NegativeFields(), b.text.data(), fixed(arrow.PrimitiveTypes.Int16, b.of),
		b.method.data(), b.changed.data(), b.category.data(), fixed(arrow.PrimitiveTypes.Float32, b.score))
	*b = NegativesBuilder{b.rows.room(), b.text.room(), b.method.room(), b.changed.room(), b.category.room(), room(b.of), room(b.score)}
	return columns
}

// ends says where each of several values ends that lie one after the other. The
// first begins at 0.
type ends []int32

func (e *ends) append(end int) {
	if len(*e) == 0 {
		*e = append(*e, 0)
	}
	*e = append(*e, int32(end))
}

// values is how many there are.
func (e ends) values() int { return max(len(e)-1, 0) }

func (e ends) buffer() *memory.Buffer {
	if len(e) == 0 {
		e = ends{0}
	}
	return memory.NewBufferBytes(arrow.GetBytes(e))
}

func (e ends) room() ends { return room(e) }

// lists makes columns of lists that end alike, of the values of each.
func (e ends) lists(fields []arrow.Field, values ...arrow.ArrayData) []arrow.Array {
	columns := make([]arrow.Array, len(fields))
	offsets := e.buffer()
	for i, f := range fields {
		data := array.NewData(f.Type, e.values(), []*memory.Buffer{nil, offsets}, []arrow.ArrayData{values[i]}, 0, 0)
		columns[i] = array.NewListData(data)
		data.Release()
		values[i].Release()
	}
	return columns
}

// texts are strings one after the other.
type texts struct {
	ends  ends
	bytes []byte
}

// append reports false if no offset reaches the end of s.
func (t *texts) append(s string) bool {
	if len(s) > math.MaxInt32-len(t.bytes) {
		return false
	}
	t.bytes = append(t.bytes, s...)
	t.ends.append(len(t.bytes))
	return true
}

func (t *texts) room() texts { return texts{t.ends.room(), room(t.bytes)} }

func (t *texts) data() arrow.ArrayData {
	return array.NewData(arrow.BinaryTypes.String, t.ends.values(), []*memory.Buffer{nil, t.ends.buffer(), memory.NewBufferBytes(t.bytes)}, nil, 0, 0)
}

// fixed is a column of numbers.
func fixed[T int16 | int64 | float32](t arrow.DataType, values []T) arrow.ArrayData {
	return array.NewData(t, len(values), []*memory.Buffer{nil, memory.NewBufferBytes(arrow.GetBytes(values))}, nil, 0, 0)
}

// room is an empty slice with room for what values has, and some more.
func room[S ~[]T, T any](values S) S { return make(S, 0, len(values)+len(values)/8) }
