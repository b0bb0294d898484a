package parquetio

import (
	"fmt"
	"math/big"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// pageValues has the values of a page, or a dictionary and indexes into it.
type pageValues struct {
	values  encoding.Values
	indexes []int32
	indexed bool
}

// appendPage appends the values from ≤ i < to of a page to a builder. Indexes
// outside the page or dictionary panic: see recoverAsError.
type appendPage func(b array.Builder, p *pageValues, from, to int) error

// leafType returns the Arrow type of a leaf column and the function that appends its values: see
// the table of docs/format.md.
func leafType(c *parquet.Column) (arrow.DataType, appendPage, error) {
	t := c.Type()
	if t.Kind() < 0 {
		return arrow.Null, func(array.Builder, *pageValues, int, int) error {
			return fmt.Errorf("a value in a column of nulls")
		}, nil
	}
	var logical any
	if lt := t.LogicalType(); lt != nil {
		logical = lt.Value
	}
	if d, ok := logical.(*format.DecimalType); ok {
		return decimalType(t, d)
	}
	switch t.Kind() {
	case parquet.Boolean:
		return arrow.FixedWidthTypes.Boolean, appendBools, nil
	case parquet.Int32:
		return int32Type(logical)
	case parquet.Int64:
		return int64Type(logical)
	case parquet.Int96:
		return &arrow.TimestampType{Unit: arrow.Nanosecond}, appendAs((*encoding.Values).Int96, fromInt96), nil
	case parquet.Float:
		return arrow.PrimitiveTypes.Float32, appendAs((*encoding.Values).Float, func(v float32) float32 { return v }), nil
	case parquet.Double:
		return arrow.PrimitiveTypes.Float64, appendAs((*encoding.Values).Double, func(v float64) float64 { return v }), nil
	case parquet.FixedLenByteArray:
		if t.Length() <= 0 {
			return nil, nil, fmt.Errorf("values of %d bytes", t.Length())
		}
		return &arrow.FixedSizeBinaryType{ByteWidth: t.Length()}, appendFixed, nil
	case parquet.ByteArray:
		switch logical.(type) {
		case *format.StringType, *format.EnumType, *format.JsonType:
			return arrow.BinaryTypes.String, appendByteArrays, nil
		}
		return arrow.BinaryTypes.Binary, appendByteArrays, nil
	}
	return nil, nil, fmt.Errorf("type %s can't be read", t)
}

func int32Type(logical any) (arrow.DataType, appendPage, error) {
	switch t := logical.(type) {
	case *format.DateType:
		return arrow.PrimitiveTypes.Date32, appendAs((*encoding.Values).Int32, func(v int32) arrow.Date32 { return arrow.Date32(v) }), nil
	case *format.TimeType:
		return arrow.FixedWidthTypes.Time32ms, appendAs((*encoding.Values).Int32, func(v int32) arrow.Time32 { return arrow.Time32(v) }), nil
	case *format.IntType:
		switch {
		case t.IsSigned && t.BitWidth == 8:
			return arrow.PrimitiveTypes.Int8, appendAs((*encoding.Values).Int32, func(v int32) int8 { return int8(v) }), nil
		case t.IsSigned && t.BitWidth == 16:
			return arrow.PrimitiveTypes.Int16, appendAs((*encoding.Values).Int32, func(v int32) int16 { return int16(v) }), nil
		case !t.IsSigned && t.BitWidth == 8:
			return arrow.PrimitiveTypes.Uint8, appendAs((*encoding.Values).Int32, func(v int32) uint8 { return uint8(v) }), nil
		case !t.IsSigned && t.BitWidth == 16:
			return arrow.PrimitiveTypes.Uint16, appendAs((*encoding.Values).Int32, func(v int32) uint16 { return uint16(v) }), nil
		case !t.IsSigned:
			return arrow.PrimitiveTypes.Uint32, appendAs(unsigned32, func(v uint32) uint32 { return v }), nil
		}
	}
	return arrow.PrimitiveTypes.Int32, appendAs((*encoding.Values).Int32, func(v int32) int32 { return v }), nil
}

func int64Type(logical any) (arrow.DataType, appendPage, error) {
	switch t := logical.(type) {
	case *format.TimeType:
		unit := arrow.FixedWidthTypes.Time64us
		if _, ok := t.Unit.Value.(*format.NanoSeconds); ok {
			unit = arrow.FixedWidthTypes.Time64ns
		}
		return unit, appendAs((*encoding.Values).Int64, func(v int64) arrow.Time64 { return arrow.Time64(v) }), nil
	case *format.TimestampType:
		ts := &arrow.TimestampType{Unit: arrow.Microsecond}
		switch t.Unit.Value.(type) {
		case *format.MilliSeconds:
			ts.Unit = arrow.Millisecond
		case *format.NanoSeconds:
			ts.Unit = arrow.Nanosecond
		}
		if t.IsAdjustedToUTC {
			ts.TimeZone = "UTC"
		}
		return ts, appendAs((*encoding.Values).Int64, func(v int64) arrow.Timestamp { return arrow.Timestamp(v) }), nil
	case *format.IntType:
		if !t.IsSigned {
			return arrow.PrimitiveTypes.Uint64, appendAs(unsigned64, func(v uint64) uint64 { return v }), nil
		}
	}
	return arrow.PrimitiveTypes.Int64, appendAs((*encoding.Values).Int64, func(v int64) int64 { return v }), nil
}

func unsigned32(v *encoding.Values) []uint32 { return v.Uint32() }

func unsigned64(v *encoding.Values) []uint64 { return v.Uint64() }

// appendAs returns a function that appends values of the physical type P as values of the Arrow
// type A.
func appendAs[P, A any](values func(*encoding.Values) []P, convert func(P) A) appendPage {
	return func(b array.Builder, p *pageValues, from, to int) error {
		into := b.(interface{ Append(A) })
		all := values(&p.values)
		if p.indexed {
			for _, i := range p.indexes[from:to] {
				into.Append(convert(all[i]))
			}
			return nil
		}
		for _, v := range all[from:to] {
			into.Append(convert(v))
		}
		return nil
	}
}

func appendBools(b array.Builder, p *pageValues, from, to int) error {
	into, bits := b.(*array.BooleanBuilder), p.values.Boolean()
	for i := from; i < to; i++ {
		at := i
		if p.indexed {
			at = int(p.indexes[i])
		}
		into.Append(bits[at/8]>>(at%8)&1 != 0)
	}
	return nil
}

func appendByteArrays(b array.Builder, p *pageValues, from, to int) error {
	var into *array.BinaryBuilder
	switch b := b.(type) {
	case *array.StringBuilder:
		into = b.BinaryBuilder
	case *array.BinaryBuilder:
		into = b
	}
	data, offsets := p.values.ByteArray()
	if !p.indexed {
		if n := int(offsets[to] - offsets[from]); into.DataCap()-into.DataLen() < n {
			into.ReserveData(max(n, into.DataLen()))
		}
		for i := from; i < to; i++ {
			into.Append(data[offsets[i]:offsets[i+1]])
		}
		return nil
	}
	for _, i := range p.indexes[from:to] {
		into.Append(data[offsets[i]:offsets[i+1]])
	}
	return nil
}

// countBytes returns the bytes of the values from ≤ i < to of a column of texts.
func (p *pageValues) countBytes(from, to int) (n int64) {
	if from == to {
		return 0
	}
	_, offsets := p.values.ByteArray()
	if !p.indexed {
		return int64(offsets[to] - offsets[from])
	}
	for _, i := range p.indexes[from:to] {
		n += int64(offsets[i+1] - offsets[i])
	}
	return n
}

func appendFixed(b array.Builder, p *pageValues, from, to int) error {
	return eachFixed(p, from, to, b.(*array.FixedSizeBinaryBuilder).Append)
}

func eachFixed(p *pageValues, from, to int, do func([]byte)) error {
	data, size := p.values.FixedLenByteArray()
	for i := from; i < to; i++ {
		at := i
		if p.indexed {
			at = int(p.indexes[i])
		}
		do(data[at*size : (at+1)*size])
	}
	return nil
}

// decimalType returns the type and the function for decimals of up to 38 digits.
func decimalType(t parquet.Type, d *format.DecimalType) (arrow.DataType, appendPage, error) {
	if d.Precision < 1 || d.Precision > 38 || d.Scale < 0 || d.Scale > d.Precision {
		return nil, nil, fmt.Errorf("decimal(%d, %d) can't be read: 1 to 38 digits can", d.Precision, d.Scale)
	}
	dt := &arrow.Decimal128Type{Precision: d.Precision, Scale: d.Scale}
	switch t.Kind() {
	case parquet.Int32:
		return dt, appendAs((*encoding.Values).Int32, func(v int32) decimal128.Num { return decimal128.FromI64(int64(v)) }), nil
	case parquet.Int64:
		return dt, appendAs((*encoding.Values).Int64, decimal128.FromI64), nil
	case parquet.FixedLenByteArray:
		return dt, func(b array.Builder, p *pageValues, from, to int) error {
			return eachFixed(p, from, to, func(v []byte) { b.(*array.Decimal128Builder).Append(bigEndian(v)) })
		}, nil
	case parquet.ByteArray:
		return dt, func(b array.Builder, p *pageValues, from, to int) error {
			data, offsets := p.values.ByteArray()
			for i := from; i < to; i++ {
				at := i
				if p.indexed {
					at = int(p.indexes[i])
				}
				b.(*array.Decimal128Builder).Append(bigEndian(data[offsets[at]:offsets[at+1]]))
			}
			return nil
		}, nil
	}
	return nil, nil, fmt.Errorf("decimal stored as %s can't be read", t.Kind())
}

// bigEndian reads a number in two's complement. More than 128 bits cause a panic.
func bigEndian(b []byte) decimal128.Num {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return decimal128.FromBigInt(v)
}

// fromInt96 converts a timestamp of old Spark and Impala: the nanoseconds of the day, and the
// Julian day.
func fromInt96(v deprecated.Int96) arrow.Timestamp {
	const epoch, day = 2_440_588, 86_400_000_000_000
	nanoseconds := int64(v[1])<<32 | int64(v[0])
	return arrow.Timestamp((int64(v[2])-epoch)*day + nanoseconds)
}
