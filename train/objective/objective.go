package objective

import (
	"capgraph/kernels"
)

// Objective is one loss. In each step, Prepare, Loss, Metrics and AfterStep are called once, in this order.
type Objective interface {
	// Name returns the objective's name in the recipe.
	Name() string
	// Prepare adds the texts that the objective needs to the batch.
	Prepare(b *Batch)
	// Loss returns the loss [1, 1] of the batch, given its features.
	Loss(t *kernels.Tape, e Features) *kernels.Var
	// Metrics returns the components of this step's loss, as scalars on the device.
	Metrics() []Metric
	// AfterStep ends the step. It updates the objective's own state, such as thresholds.
	AfterStep(d kernels.Device)
	// State returns the state that a checkpoint must keep. Restore sets it.
	State() State
	Restore(State) error
}

// PatchReader is an objective that can need features of patches or of tokens.
type PatchReader interface {
	ReadsPatches() bool
	ReadsTokens() bool
}

// Features are the outputs of the towers for a batch.
type Features struct {
	// Image [len(Images), w] and Text [len(Texts), w] are features of length 1. LogScale [1, 1] is the logarithm of τ,
	// the learned scale of their similarities. LogitBias [1, 1] is the bias of a sigmoid, nil if the model has none.
	Image, Text, LogScale, LogitBias *kernels.Var
	// Patches [len(Images)·p, w] are features of the p patches of each image, Tokens features of the tokens of texts;
	// neither is scaled to length 1. Text i has the tokens TokenStarts[i] to TokenStarts[i+1]-1. They are nil unless an
	// objective needs them.
	Patches, Tokens *kernels.Var
	TokenStarts     []int
	// PartHead [classes, w] classifies images into parts of captions; nil without superclip.
	PartHead *kernels.Var
	// Scores [N, N] are the structured scores of each image with the graph of each caption. Altered has one row with
	// the scores of each image with its own altered graphs, one image after another. Both are multiplied by the
	// binding's scale, and nil if no objective needs them.
	Scores, Altered *kernels.Var
	// TeacherImage and TeacherText are the features of the same images and of the first texts by the teacher of
	// distill, TeacherLogScale is the logarithm of its τ. They are nil without distill.
	TeacherImage, TeacherText, TeacherLogScale *kernels.Var
}

// patchCount returns the number of patches of an image.
func (e Features) patchCount() int { return e.Patches.Value.Rows / e.Image.Value.Rows }

// Metric is a component of a loss, [1, 1].
type Metric struct {
	Name  string
	Value kernels.Tensor
}

// State has the values that an objective keeps between steps.
type State struct {
	// Thresholds are those of CE-CLIP, by kind of negative.
	Thresholds []float64 `json:"thresholds,omitempty"`
	// Counts are those of SuperCLIP: the number of images whose captions state each class, then that of all images.
	Counts []int64 `json:"counts,omitempty"`
	// Texts are texts of earlier batches that are kept as negatives, with their ids.
	Texts []string `json:"texts,omitempty"`
	IDs   []int64  `json:"ids,omitempty"`
}

// textColumns are the texts that an objective compares images with, as rows of the batch's texts. A text may occur
// several times.
type textColumns struct {
	rows    []int32
	grouper kernels.Grouper
}

// features returns the columns' features.
func (c *textColumns) features(t *kernels.Tape, text *kernels.Var) *kernels.Var {
	return gatherRows(t, text, c.rows, &c.grouper)
}

// gatherRows returns the given rows of x.
func gatherRows(t *kernels.Tape, x *kernels.Var, rows []int32, g *kernels.Grouper) *kernels.Var {
	d := t.Device
	distinct, bounds, order := g.GroupBy(rows, x.Value.Rows)
	return t.Gather(x, d.Ints(rows), kernels.Groups{Values: d.Ints(distinct), Bounds: d.Ints(bounds), Order: d.Ints(order)})
}

// firstRows gathers the first rows of a matrix.
type firstRows struct {
	rows    []int32
	grouper kernels.Grouper
}

func (f *firstRows) takeRows(t *kernels.Tape, x *kernels.Var, n int) *kernels.Var {
	if n == x.Value.Rows {
		return x
	}
	f.rows = f.rows[:0]
	for i := range n {
		f.rows = append(f.rows, int32(i))
	}
	return gatherRows(t, x, f.rows, &f.grouper)
}

// zeroMask returns n zeros, in the memory of mask if that is large enough.
func zeroMask(mask []byte, n int) []byte {
	mask = append(mask[:0], make([]byte, n)...)
	return mask
}
