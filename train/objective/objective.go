package objective

import (
	"capgraph/kernels"
)

// Objective is one loss. The methods are called in their order, once in each step.
type Objective interface {
	// Name is the name in the recipe.
	Name() string
	// Prepare adds the texts that it wants to the batch.
	Prepare(b *Batch)
	// Loss returns its loss [1, 1] from the features of the batch.
	Loss(t *kernels.Tape, e Features) *kernels.Var
	// Metrics returns the components of this step's loss, by name: scalars on the device.
	Metrics() []Metric
	// AfterStep ends the step: it updates what the objective adapts by itself.
	AfterStep(d kernels.Device)
	// State returns the part that a checkpoint must keep; Restore sets it again.
	State() State
	Restore(State) error
}

// PatchReader is an objective that may read features of patches and of tokens.
type PatchReader interface {
	ReadsPatches() bool
	ReadsTokens() bool
}

// Features are the outputs of the towers for a batch.
type Features struct {
	// Image [len(Images), w] and Text [len(Texts), w] are features of length 1. LogScale is the
	// logarithm of their τ, [1, 1]. LogitBias is the bias of a sigmoid, [1, 1], nil if the model has
	// none.
	Image, Text, LogScale, LogitBias *kernels.Var
	// Patches [len(Images)·p, w] are features of the p patches of each image, Tokens of the tokens of
	// texts; neither is scaled to length 1. Text i has the tokens TokenStarts[i] to TokenStarts[i+1]-1. They are
	// nil unless an objective reads them.
	Patches, Tokens *kernels.Var
	TokenStarts     []int
	// PartHead [classes, w] classifies images by parts of captions; nil without superclip.
	PartHead *kernels.Var
	// Scores [N, N] compare each image with the graph of each caption. Altered, one row, compares
	// each image with its own altered graphs, one image after another. Both include τ, and are nil
	// if no objective wants scores.
	Scores, Altered *kernels.Var
	// TeacherImage and TeacherText are the features that the teacher of distill has of the same images
	// and of the first texts, TeacherLogScale the logarithm of its τ. They are nil without distill.
	TeacherImage, TeacherText, TeacherLogScale *kernels.Var
}

// patchCount returns the number of patches of an image.
func (e Features) patchCount() int { return e.Patches.Value.Rows / e.Image.Value.Rows }

// Metric is a component of a loss, [1, 1].
type Metric struct {
	Name  string
	Value kernels.Tensor
}

// State has the values that an objective has learned besides weights.
type State struct {
	// Thresholds are CE-CLIP's, by kind of negative.
	Thresholds []float64 `json:"thresholds,omitempty"`
	// Counts are SuperCLIP's: of how many images captions state each class, and the number of all images.
	Counts []int64 `json:"counts,omitempty"`
	// Texts are texts of earlier batches that are kept as negatives, with their ids.
	Texts []string `json:"texts,omitempty"`
	IDs   []int64  `json:"ids,omitempty"`
}

// textColumns are the texts that an objective compares images with: rows of the batch's texts, some
// perhaps several times.
type textColumns struct {
	rows    []int32
	grouper kernels.Grouper
}

// features returns the columns' features.
func (c *textColumns) features(t *kernels.Tape, text *kernels.Var) *kernels.Var {
	return gatherRows(t, text, c.rows, &c.grouper)
}

// gatherRows takes rows of x.
func gatherRows(t *kernels.Tape, x *kernels.Var, rows []int32, g *kernels.Grouper) *kernels.Var {
	d := t.Device
	distinct, bounds, order := g.GroupBy(rows, x.Value.Rows)
	return t.Gather(x, d.Ints(rows), kernels.Groups{Values: d.Ints(distinct), Bounds: d.Ints(bounds), Order: d.Ints(order)})
}

// firstRows takes the first n rows of x.
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

// zeroMask returns n zeros in the memory of mask.
func zeroMask(mask []byte, n int) []byte {
	mask = append(mask[:0], make([]byte, n)...)
	return mask
}
