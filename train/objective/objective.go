package objective

import (
	"capgraph/kernels"
)

// Objective is one loss. The methods are called in their order, once a step.
type Objective interface {
	// Name is the one of the recipe.
	Name() string
	// Lay says which texts of the batch it wants.
	Lay(b *Batch)
	// Loss is its loss [1, 1], of what the batch became.
	Loss(t *kernels.Tape, e Encoded) *kernels.Var
	// Terms are the parts of the loss of this step, by name: scalars on the device.
	Terms() []Term
	// Learned ends the step: what the objective adapts by itself moves once.
	Learned(d kernels.Device)
	// State is what a checkpoint has to keep of it; Restore takes it back.
	State() State
	Restore(State) error
}

// Encoded is what a batch became.
type Encoded struct {
	// Image [len(Images), w] and Text [len(Texts), w] are features of length 1, LogScale
	// the logarithm of their τ, [1, 1].
	Image, Text, LogScale *kernels.Var
	// Scores [N, N] compare each image with the graph of each caption, and Altered, one
	// row, each image with its own altered graphs, one image after another, τ included.
	// Nil where no objective wants scores.
	Scores, Altered *kernels.Var
}

// Term is a part of a loss, [1, 1].
type Term struct {
	Name  string
	Value kernels.Tensor
}

// State is what an objective has learned besides weights.
type State struct {
	// Thresholds are CE-CLIP's, by kind of negative.
	Thresholds []float64 `json:"thresholds,omitempty"`
	// Texts are those of earlier batches that are kept as negatives, with their ids.
	Texts []string `json:"texts,omitempty"`
	IDs   []int64  `json:"ids,omitempty"`
}

// columns are the texts that an objective compares images with: rows of the
// batch's texts, some of them perhaps several times.
type columns struct {
	rows    []int32
	grouper kernels.Grouper
}

// features are the columns' features.
func (c *columns) features(t *kernels.Tape, text *kernels.Var) *kernels.Var {
	return gather(t, text, c.rows, &c.grouper)
}

// gather takes rows of x.
func gather(t *kernels.Tape, x *kernels.Var, rows []int32, g *kernels.Grouper) *kernels.Var {
	d := t.Device
	distinct, bounds, order := g.GroupBy(rows, x.Value.Rows)
	return t.Gather(x, d.Ints(rows), kernels.Groups{Values: d.Ints(distinct), Bounds: d.Ints(bounds), Order: d.Ints(order)})
}

// first are the first n rows of x.
type first struct {
	rows    []int32
	grouper kernels.Grouper
}

func (f *first) of(t *kernels.Tape, x *kernels.Var, n int) *kernels.Var {
	if n == x.Value.Rows {
		return x
	}
	f.rows = f.rows[:0]
	for i := range n {
		f.rows = append(f.rows, int32(i))
	}
	return gather(t, x, f.rows, &f.grouper)
}

// resize is a slice of n zeros in the memory of another.
func resize(mask []byte, n int) []byte {
	mask = append(mask[:0], make([]byte, n)...)
	return mask
}
