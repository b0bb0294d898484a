package objective

import (
	"fmt"
	"math"
	"slices"

	"capgraph/kernels"
)

// SuperCLIP classifies images into the parts that their captions state, without encoding texts, after SuperCLIP
// (NeurIPS 2025, arXiv 2512.14480). The paper's classes are the tokens of the caption; here they are hashes of its
// objects, attributes and relations (docs/format.md, "Parts of texts"). The logits are x_i = √w·W·v_i, where v_i [w]
// are the image's features of length 1 and W [classes, w] is the head:
//
//	1/n Σ_i [LSE(x_i) − Σ_c y_ic·x_ic],  y_ic ∝ ln((1+D)/(1+D_c)) + 1 if a caption of image i states c, otherwise 0
//
// n is the number of images whose captions state something; the y of an image sum to 1. D is the number of images so
// far, D_c that of images whose captions state class c, so that rare classes have larger weights.
type SuperCLIP struct {
	stateless
	counts  []int64 // D_c, then D
	images  textColumns
	targets []float64 // [n, classes]
	starts  []int32
	own     []int32 // the classes of one image
}

// NewSuperCLIP returns the objective with that number of classes.
func NewSuperCLIP(classes int) *SuperCLIP { return &SuperCLIP{counts: make([]int64, classes+1)} }

// Name implements Objective.
func (*SuperCLIP) Name() string { return "superclip" }

// Prepare implements Objective.
func (s *SuperCLIP) Prepare(b *Batch) {
	classes := len(s.counts) - 1
	s.images.rows, s.targets, s.starts = s.images.rows[:0], s.targets[:0], append(s.starts[:0], 0)
	for i, image := range b.Images[:b.N] {
		if s.readClasses(image.KnownParts); len(s.own) == 0 {
			continue
		}
		for _, c := range s.own {
			s.counts[c]++
		}
		s.counts[classes]++
		s.images.rows = append(s.images.rows, int32(i))
	}
	for _, i := range s.images.rows {
		s.readClasses(b.Images[i].KnownParts)
		first, total := len(s.targets), 0.0
		s.targets = append(s.targets, make([]float64, classes)...)
		y := s.targets[first:]
		for _, c := range s.own {
			y[c] = math.Log(float64(1+s.counts[classes])/float64(1+s.counts[c])) + 1
			total += y[c]
		}
		for _, c := range s.own {
			y[c] /= total
		}
		s.starts = append(s.starts, int32(len(s.targets)))
	}
	if len(s.images.rows) == 0 { // an image that is in no term, so that the loss is 0
		s.images.rows = append(s.images.rows, 0)
		s.targets, s.starts = append(s.targets, make([]float64, classes)...), append(s.starts[:0], 0)
	}
}

// readClasses sets s.own to the distinct classes of parts, ascending.
func (s *SuperCLIP) readClasses(parts []int32) {
	s.own = s.own[:0]
	for _, p := range parts {
		s.own = append(s.own, int32(uint32(p)%uint32(len(s.counts)-1)))
	}
	slices.Sort(s.own)
	s.own = slices.Compact(s.own)
}

// Loss implements Objective.
func (s *SuperCLIP) Loss(t *kernels.Tape, e Features) *kernels.Var {
	classes, n := len(s.counts)-1, len(s.images.rows)
	x := t.Similarity(s.images.features(t, e.Image), e.PartHead, t.Scalar(0.5*math.Log(float64(e.Image.Value.Cols))))
	targets := t.Arena.Tensor(n, classes)
	t.Device.Write(targets, s.targets)
	stated := t.SumRow(t.RowDot(t.Constant(targets), x, t.Scalar(0)), 1/float64(n))
	if len(s.starts) == 1 {
		return stated
	}
	all := t.SumRow(t.SegmentLSE(t.Reshape(x, n*classes), t.Device.Ints(s.starts)), 1/float64(n))
	return t.Sum([]*kernels.Var{all, stated}, []float64{1, -1})
}

// State implements Objective.
func (s *SuperCLIP) State() State { return State{Counts: slices.Clone(s.counts)} }

// Restore implements Objective.
func (s *SuperCLIP) Restore(from State) error {
	if len(from.Counts) != len(s.counts) {
		return fmt.Errorf("a checkpoint has counts of %d classes, not %d", len(from.Counts)-1, len(s.counts)-1)
	}
	copy(s.counts, from.Counts)
	return nil
}
