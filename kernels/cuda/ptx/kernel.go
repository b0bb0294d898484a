package ptx

import (
	"fmt"
	"math"
)

// Block is the number of threads of a block, of every kernel.
const Block = 256

// Kernel is what one kernel is launched with.
type Kernel struct {
	Name string `json:"name"`
	// Grid has one size for each direction in which the kernel has blocks.
	Grid       []Size      `json:"grid"`
	Parameters []Parameter `json:"parameters"`
}

// Parameter is one argument of a kernel: its Type is int, float, or that of a
// pointer, such as "const float*".
type Parameter struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Pointer says whether the argument is an address.
func (p Parameter) Pointer() bool { return p.Type[len(p.Type)-1] == '*' }

// Size is a number of blocks: Times by the int arguments that Of names, divided by Per
// and rounded up.
type Size struct {
	Times int      `json:"times"`
	Of    []string `json:"of,omitempty"`
	Per   int      `json:"per"`
}

// Launch is a call of a kernel, as cuLaunchKernel takes it.
type Launch struct {
	Name string
	// Grid is the number of blocks; with a 0 among them there is nothing to do.
	Grid [3]uint32
	// Arguments has 8 bytes for each: an address, or an int or a float in the lower 4.
	Arguments []uint64
}

// Empty says whether there is nothing to do: a driver refuses a grid without blocks.
func (l Launch) Empty() bool { return l.Grid[0] == 0 || l.Grid[1] == 0 || l.Grid[2] == 0 }

// The most blocks that a card takes in the first direction and in the others.
const (
	mostX = math.MaxInt32
	mostY = 65535
)

// Launch is the call of the kernel with values: a uint64 for a pointer, 0 for none,
// an int or a bool for an int, a float64 for a float. It is an error where their
// number or a type is another, where an int has more than 31 bits, or where the grid
// is larger than a card takes.
func (k Kernel) Launch(values ...any) (Launch, error) {
	l := Launch{Name: k.Name, Grid: [3]uint32{1, 1, 1}, Arguments: make([]uint64, len(values))}
	if len(values) != len(k.Parameters) {
		return l, fmt.Errorf("%s takes %d arguments, not %d", k.Name, len(k.Parameters), len(values))
	}
	ints := map[string]int{}
	for i, p := range k.Parameters {
		word, err := p.word(values[i])
		if err != nil {
			return l, fmt.Errorf("%s: %s: %w", k.Name, p.Name, err)
		}
		l.Arguments[i] = word
		ints[p.Name] = int(int32(word))
	}
	for direction, size := range k.Grid {
		blocks, most := size.blocks(ints), mostX
		if direction > 0 {
			most = mostY
		}
		if blocks > most {
			return l, fmt.Errorf("%s needs %d blocks, of at most %d: make the batch or its chunks smaller", k.Name, blocks, most)
		}
		l.Grid[direction] = uint32(blocks)
	}
	return l, nil
}

// word is a value as it lies in the memory of arguments.
func (p Parameter) word(value any) (uint64, error) {
	switch v := value.(type) {
	case uint64:
		if p.Pointer() {
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

// blocks is the size for int arguments by their names.
func (s Size) blocks(ints map[string]int) int {
	n := s.Times
	for _, name := range s.Of {
		n *= max(ints[name], 0)
	}
	return (n + s.Per - 1) / s.Per
}
