package ptx

import (
	"fmt"
	"math"
)

// Block is the number of threads of a block, for all kernels.
const Block = 256

// Kernel is the signature of one kernel.
type Kernel struct {
	Name string `json:"name"`
	// Grid has the number of blocks in each direction of the grid: one or two.
	Grid       []Size      `json:"grid"`
	Parameters []Parameter `json:"parameters"`
}

// Parameter is one argument of a kernel. Its Type is int, float, or a pointer such as "const
// float*".
type Parameter struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// IsPointer reports whether the argument is an address.
func (p Parameter) IsPointer() bool { return p.Type[len(p.Type)-1] == '*' }

// Size is a formula for a number of blocks: Times multiplied by the int arguments that Of names, divided by Per and
// rounded up.
type Size struct {
	Times int      `json:"times"`
	Of    []string `json:"of,omitempty"`
	Per   int      `json:"per"`
}

// Launch has the grid and the arguments of a call of a kernel, as cuLaunchKernel takes them.
type Launch struct {
	Name string
	// Grid is the number of blocks in each direction. If one is 0, there is nothing to do.
	Grid [3]uint32
	// Arguments has 8 bytes for each: an address, or an int or a float in the lower 4.
	Arguments []uint64
}

// IsEmpty reports whether the grid has no blocks, which a driver would refuse.
func (l Launch) IsEmpty() bool { return l.Grid[0] == 0 || l.Grid[1] == 0 || l.Grid[2] == 0 }

// The largest numbers of blocks in the first direction and in the others.
const (
	maxGridX = math.MaxInt32
	maxGridY = 65535
)

// Launch returns the call of the kernel with these values: a uint64 for a pointer (0 for none), an int or a bool for an
// int, a float64 for a float. It is an error if their number or a type differs from the parameters, if an int does not
// fit into 32 bits, or if the grid is too large.
func (k Kernel) Launch(values ...any) (Launch, error) {
	l := Launch{Name: k.Name, Grid: [3]uint32{1, 1, 1}, Arguments: make([]uint64, len(values))}
	if len(values) != len(k.Parameters) {
		return l, fmt.Errorf("%s takes %d arguments, not %d", k.Name, len(k.Parameters), len(values))
	}
	ints := map[string]int{}
	for i, p := range k.Parameters {
		word, err := p.encode(values[i])
		if err != nil {
			return l, fmt.Errorf("%s: %s: %w", k.Name, p.Name, err)
		}
		l.Arguments[i] = word
		ints[p.Name] = int(int32(word))
	}
	for direction, size := range k.Grid {
		blocks, most := size.blockCount(ints), maxGridX
		if direction > 0 {
			most = maxGridY
		}
		if blocks > most {
			return l, fmt.Errorf("%s needs %d blocks, of at most %d: make the batch or its chunks smaller", k.Name, blocks, most)
		}
		l.Grid[direction] = uint32(blocks)
	}
	return l, nil
}

// encode returns the bits of a value for this parameter.
func (p Parameter) encode(value any) (uint64, error) {
	switch v := value.(type) {
	case uint64:
		if p.IsPointer() {
			return v, nil
		}
	case float64:
		if p.Type == "float" {
			return uint64(math.Float32bits(float32(v))), nil
		}
	case bool:
		if p.Type == "int" && v {
			return 1, nil
		}
		if p.Type == "int" {
			return 0, nil
		}
	case int:
		if p.Type == "int" && int(int32(v)) != v {
			return 0, fmt.Errorf("%d has more than 31 bits: make the batch or its chunks smaller", v)
		}
		if p.Type == "int" {
			return uint64(uint32(v)), nil
		}
	}
	return 0, fmt.Errorf("a %T is no %s", value, p.Type)
}

// blockCount returns the number of blocks for int arguments, given by name.
func (s Size) blockCount(ints map[string]int) int {
	n := s.Times
	for _, name := range s.Of {
		n *= max(ints[name], 0)
	}
	return (n + s.Per - 1) / s.Per
}
