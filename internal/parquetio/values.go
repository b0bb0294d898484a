package parquetio

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/parquet-go/parquet-go"
)

// appendValues appends the values from ≤ i < to of an array to l.values; none of them is null. The
// first has repetition level rep, the others nest, and all have definition level def.
type appendValues func(l *leafColumn, a arrow.Array, from, to, rep, nest, def int)

// appenderOf returns the function that appends values of a type that parquetLeaf accepts.
func appenderOf(t arrow.DataType) appendValues {
	switch t.ID() {
	case arrow.STRING:
		return appendText
	case arrow.BINARY:
		return appendBytes[*array.Binary]
	case arrow.INT8:
		return appendInts(func(a arrow.Array) []int8 { return a.(*array.Int8).Int8Values() })
	case arrow.INT16:
		return appendInts(func(a arrow.Array) []int16 { return a.(*array.Int16).Int16Values() })
	case arrow.INT32:
		return appendInts(func(a arrow.Array) []int32 { return a.(*array.Int32).Int32Values() })
	case arrow.UINT8:
		return appendInts(func(a arrow.Array) []uint8 { return a.(*array.Uint8).Uint8Values() })
	case arrow.UINT16:
		return appendInts(func(a arrow.Array) []uint16 { return a.(*array.Uint16).Uint16Values() })
	case arrow.UINT32:
		return appendInts(func(a arrow.Array) []uint32 { return a.(*array.Uint32).Uint32Values() })
	case arrow.DATE32:
		return appendInts(func(a arrow.Array) []arrow.Date32 { return a.(*array.Date32).Date32Values() })
	case arrow.INT64:
		return appendLongs(func(a arrow.Array) []int64 { return a.(*array.Int64).Int64Values() })
	case arrow.UINT64:
		return appendLongs(func(a arrow.Array) []uint64 { return a.(*array.Uint64).Uint64Values() })
	case arrow.TIMESTAMP:
		return appendLongs(func(a arrow.Array) []arrow.Timestamp { return a.(*array.Timestamp).TimestampValues() })
	case arrow.FLOAT32:
		return func(l *leafColumn, a arrow.Array, from, to, rep, nest, def int) {
			for _, v := range a.(*array.Float32).Float32Values()[from:to] {
				l.values = append(l.values, parquet.FloatValue(v).Level(rep, def, l.index))
				rep = nest
			}
		}
	case arrow.FLOAT64:
		return func(l *leafColumn, a arrow.Array, from, to, rep, nest, def int) {
			for _, v := range a.(*array.Float64).Float64Values()[from:to] {
				l.values = append(l.values, parquet.DoubleValue(v).Level(rep, def, l.index))
				rep = nest
			}
		}
	}
	return appenderOfRare(t)
}

func appenderOfRare(t arrow.DataType) appendValues {
	var value func(l *leafColumn, a arrow.Array, i int) parquet.Value
	switch t.ID() {
	case arrow.BOOL:
		value = func(_ *leafColumn, a arrow.Array, i int) parquet.Value {
			return parquet.BooleanValue(a.(*array.Boolean).Value(i))
		}
	case arrow.FIXED_SIZE_BINARY:
		value = func(l *leafColumn, a arrow.Array, i int) parquet.Value {
			b := a.(*array.FixedSizeBinary).Value(i)
			l.bytes += int64(len(b))
			return parquet.FixedLenByteArrayValue(b)
		}
	case arrow.DECIMAL128:
		value = func(l *leafColumn, a arrow.Array, i int) parquet.Value {
			v := a.(*array.Decimal128).Value(i)
			b := binary.BigEndian.AppendUint64(make([]byte, 0, 16), uint64(v.HighBits()))
			l.bytes += 16
			return parquet.FixedLenByteArrayValue(binary.BigEndian.AppendUint64(b, v.LowBits()))
		}
	}
	return func(l *leafColumn, a arrow.Array, from, to, rep, nest, def int) {
		for i := from; i < to; i++ {
			l.values = append(l.values, value(l, a, i).Level(rep, def, l.index))
			rep = nest
		}
	}
}

// appendText is appendBytes for text. It checks that the text is UTF-8, since readers otherwise
// refuse the whole file.
func appendText(l *leafColumn, a arrow.Array, from, to, rep, nest, def int) {
	if !l.allText {
		for i := from; i < to; i++ {
			if v := a.(*array.String).Value(i); !utf8.ValidString(v) {
				l.err = fmt.Errorf("column %q: %q is not UTF-8", l.path, v)
				return
			}
		}
	}
	appendBytes[*array.String](l, a, from, to, rep, nest, def)
}

// isText reports whether every value of an array of text is UTF-8: the concatenated bytes are, and
// no value begins within a character.
func isText(a *array.String) bool {
	data := a.ValueBytes()
	if !utf8.Valid(data) {
		return false
	}
	offsets := a.ValueOffsets()
	for _, o := range offsets {
		if at := int(o - offsets[0]); at < len(data) && !utf8.RuneStart(data[at]) {
			return false
		}
	}
	return true
}

// growValues appends n values to l.values and returns them, to be set.
func (l *leafColumn) growValues(n int) []parquet.Value {
	have := len(l.values)
	l.values = slices.Grow(l.values, n)[:have+n]
	return l.values[have:]
}

func appendBytes[A interface {
	ValueBytes() []byte
	ValueOffsets() []int32
}](l *leafColumn, a arrow.Array, from, to, rep, nest, def int) {
	t := a.(A)
	offsets := t.ValueOffsets()
	data, base := t.ValueBytes(), offsets[0]
	offsets = offsets[from : to+1]
	l.bytes += int64(offsets[to-from] - offsets[0])
	begin, index := offsets[0], l.index
	into := l.growValues(to - from)
	for i, end := range offsets[1:] {
		into[i] = parquet.ByteArrayValue(data[begin-base:end-base]).Level(rep, def, index)
		begin, rep = end, nest
	}
}

func appendInts[T ~int8 | ~int16 | ~int32 | ~uint8 | ~uint16 | ~uint32](values func(arrow.Array) []T) appendValues {
	return func(l *leafColumn, a arrow.Array, from, to, rep, nest, def int) {
		into, index := l.growValues(to-from), l.index
		for i, v := range values(a)[from:to] {
			into[i] = parquet.Int32Value(int32(v)).Level(rep, def, index)
			rep = nest
		}
	}
}

func appendLongs[T ~int64 | ~uint64](values func(arrow.Array) []T) appendValues {
	return func(l *leafColumn, a arrow.Array, from, to, rep, nest, def int) {
		into, index := l.growValues(to-from), l.index
		for i, v := range values(a)[from:to] {
			into[i] = parquet.Int64Value(int64(v)).Level(rep, def, index)
			rep = nest
		}
	}
}
