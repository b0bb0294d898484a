// Package products computes the inner products of all rows of one matrix with all rows of another,
// tile by tile on a device. Memory does not grow with the number of pairs. Retrieval and the search
// for nearest neighbours are such products; see [EachTile] and [Nearest].
package products

import (
	"context"
	"fmt"

	"capgraph/kernels"
)

// Rows is a matrix on the host, with Width numbers in each row.
type Rows struct {
	Width   int
	Numbers []float32
}

// Len returns the number of rows.
func (r Rows) Len() int {
	if r.Width == 0 {
		return 0
	}
	return len(r.Numbers) / r.Width
}

// Row returns one row.
func (r Rows) Row(i int) []float32 { return r.Numbers[i*r.Width : (i+1)*r.Width : (i+1)*r.Width] }

// Tile is a part of the product u·vᵀ: rows Row to Row+Rows-1 and columns Column to
// Column+Columns-1, row after row. Products is valid until the next tile.
type Tile struct {
	Row, Column   int
	Rows, Columns int
	Products      []float32
}

// Line returns row i of the tile, from 0.
func (t Tile) Line(i int) []float32 { return t.Products[i*t.Columns : (i+1)*t.Columns] }

// A tile of 512 × 4096 numbers of 4 bytes is 8 MiB. Computing it from rows of some hundred numbers
// takes much longer than reading it.
const (
	tileRows    = 512
	tileColumns = 4096
)

// EachTile calls visit with the tiles of u·vᵀ: the first rows from left to right, then the rows
// below. It stops at the first error of visit, or when ctx is done, and returns the error.
func EachTile(ctx context.Context, d kernels.Device, u, v Rows, visit func(Tile) error) error {
	if u.Len() == 0 || v.Len() == 0 {
		return nil
	}
	if u.Width != v.Width {
		return fmt.Errorf("rows of %d numbers have no product with rows of %d", u.Width, v.Width)
	}
	left, right := newOperand(d, min(tileRows, u.Len()), u.Width), newOperand(d, min(tileColumns, v.Len()), v.Width)
	one, out := d.Alloc(1), d.Alloc(min(tileRows, u.Len())*min(tileColumns, v.Len()))
	defer func() {
		left.release()
		right.release()
		d.Free(one)
		d.Free(out)
	}()
	unscaled := kernels.Tensor{Rows: 1, Cols: 1, Memory: one} // 0, the logarithm of 1
	var read reader
	for row := 0; row < u.Len(); row += tileRows {
		rows := min(tileRows, u.Len()-row)
		a := left.load(u, row, rows)
		for column := 0; column < v.Len(); column += tileColumns {
			if err := ctx.Err(); err != nil {
				return err
			}
			columns := min(tileColumns, v.Len()-column)
			s := kernels.Tensor{Rows: rows, Cols: columns, Memory: d.Slice(out, 0, rows*columns)}
			d.Similarity(s, a, right.load(v, column, columns), unscaled)
			if err := visit(Tile{row, column, rows, columns, read.numbers(d, s)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// operand is memory of a device for rows of u or v. A device with float32 memory on the host needs
// none and reads the rows in place.
type operand struct {
	device kernels.Device
	width  int
	memory kernels.Memory
	wide   []float64
}

func newOperand(d kernels.Device, rows, width int) *operand {
	o := &operand{device: d, width: width, memory: d.Alloc(1)}
	if o.memory.F32 == nil {
		d.Free(o.memory)
		o.memory = d.Alloc(rows * width)
	}
	return o
}

func (o *operand) release() { o.device.Free(o.memory) }

// load returns n rows of a matrix from first on as a tensor, valid until the next call.
func (o *operand) load(r Rows, first, n int) kernels.Tensor {
	from := r.Numbers[first*o.width : (first+n)*o.width]
	if o.memory.F32 != nil {
		return kernels.Tensor{Rows: n, Cols: o.width, Memory: kernels.Memory{F32: from}}
	}
	o.wide = o.wide[:0]
	for _, x := range from {
		o.wide = append(o.wide, float64(x))
	}
	t := kernels.Tensor{Rows: n, Cols: o.width, Memory: o.device.Slice(o.memory, 0, n*o.width)}
	o.device.Write(t, o.wide)
	return t
}

// reader reads tensors in float32.
type reader struct {
	wide   []float64
	narrow []float32
}

// numbers returns the elements of a tensor, valid until the next call or the next write to the
// tensor.
func (r *reader) numbers(d kernels.Device, t kernels.Tensor) []float32 {
	if t.F32 != nil {
		return t.F32[:t.Len()]
	}
	if cap(r.wide) < t.Len() {
		r.wide = make([]float64, t.Len())
	}
	d.Read(r.wide[:t.Len()], t)
	r.narrow = r.narrow[:0]
	for _, x := range r.wide[:t.Len()] {
		r.narrow = append(r.narrow, float32(x))
	}
	return r.narrow
}
