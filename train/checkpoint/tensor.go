package checkpoint

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Tensor is a dense row-major array. Data is one of []float32, []float64, []int32, []int64 and
// []uint8; its length is the product of Shape. The Shape of a scalar is empty.
type Tensor struct {
	Shape []int
	Data  any
}

// Floats returns the elements as float64, without a copy if they are float64 already. ok is false
// if they are integers.
func (t Tensor) Floats() (x []float64, ok bool) {
	switch data := t.Data.(type) {
	case []float64:
		return data, true
	case []float32:
		x = make([]float64, len(data))
		for i, v := range data {
			x[i] = float64(v)
		}
		return x, true
	}
	return nil, false
}

// Float32 returns a tensor with these elements rounded to float32.
func Float32(shape []int, x []float64) Tensor {
	data := make([]float32, len(x))
	for i, v := range x {
		data[i] = float32(v)
	}
	return Tensor{shape, data}
}

// elementType is a type of elements: its name in safetensors, its size in bytes, and how elements
// are decoded.
type elementType struct {
	name   string
	size   int
	decode func(b []byte, n int) any
}

// elementTypes are the types that can be read. Half precision becomes float32, without rounding.
var elementTypes = []elementType{
	{"F64", 8, newDecoder(8, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) })},
	{"I64", 8, newDecoder(8, func(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) })},
	{"F32", 4, newDecoder(4, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) })},
	{"I32", 4, newDecoder(4, func(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) })},
	{"F16", 2, newDecoder(2, func(b []byte) float32 { return halfToFloat32(binary.LittleEndian.Uint16(b)) })},
	{"BF16", 2, newDecoder(2, func(b []byte) float32 { return math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16) })},
	{"U8", 1, newDecoder(1, func(b []byte) uint8 { return b[0] })},
}

func newDecoder[T any](size int, one func([]byte) T) func([]byte, int) any {
	return func(b []byte, n int) any {
		x := make([]T, n)
		for i := range x {
			x[i] = one(b[i*size:])
		}
		return x
	}
}

// findElementType returns the type with a safetensors name, and whether it can be read.
func findElementType(name string) (elementType, bool) {
	for _, k := range elementTypes {
		if k.name == name {
			return k, true
		}
	}
	return elementType{}, false
}

// halfToFloat32 returns the float32 with the value of an IEEE 754 binary16 number.
func halfToFloat32(bits uint16) float32 {
	sign, exponent, mantissa := uint32(bits>>15)<<31, uint32(bits>>10&31), uint32(bits&1023)
	switch exponent {
	case 0: // zero and the subnormal numbers: mantissa · 2⁻²⁴
		return math.Float32frombits(sign | math.Float32bits(float32(mantissa)/(1<<24)))
	case 31: // infinity and NaN
		return math.Float32frombits(sign | 255<<23 | mantissa<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | mantissa<<13)
}

// encoding returns the safetensors name of the elements' type, their number n, and the size of one
// in bytes. It is an error if the type of Data is unknown.
func (t Tensor) encoding() (name string, n, size int, err error) {
	switch data := t.Data.(type) {
	case []float64:
		return "F64", len(data), 8, nil
	case []int64:
		return "I64", len(data), 8, nil
	case []float32:
		return "F32", len(data), 4, nil
	case []int32:
		return "I32", len(data), 4, nil
	case []uint8:
		return "U8", len(data), 1, nil
	}
	return "", 0, 0, fmt.Errorf("elements of type %T cannot be written", t.Data)
}

// appendTo appends the bytes of the elements from to end-1 to b.
func (t Tensor) appendTo(b []byte, from, end int) []byte {
	le := binary.LittleEndian
	switch data := t.Data.(type) {
	case []float64:
		for _, v := range data[from:end] {
			b = le.AppendUint64(b, math.Float64bits(v))
		}
	case []int64:
		for _, v := range data[from:end] {
			b = le.AppendUint64(b, uint64(v))
		}
	case []float32:
		for _, v := range data[from:end] {
			b = le.AppendUint32(b, math.Float32bits(v))
		}
	case []int32:
		for _, v := range data[from:end] {
			b = le.AppendUint32(b, uint32(v))
		}
	case []uint8:
		b = append(b, data[from:end]...)
	}
	return b
}
