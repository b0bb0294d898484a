package objective

import (
	"math"

	"capgraph/kernels"
)

// Distill keeps the similarities of images and captions of a batch near a teacher's: a frozen copy
// of the weights that the training begins with. With s and t the similarities of student and teacher,
// each divided by the temperature T, and p and q their softmax, the loss is
//
//	T²/2 · (mean over images of KL(q ‖ p) + mean over captions of KL(q ‖ p))
//
// The factor T² makes the size of gradients independent of T (Hinton et al. 2015). The loss is computed as T²·(f(s) −
// f(t) − ⟨∇f(t), s − t⟩), where f is a contrastive loss in which all texts are positives: the log-sum-exps of rows and
// columns, minus means, which cancel. So it needs only the operations of a contrastive loss.
type Distill struct {
	stateless
	student, teacher captions
	temperature      float64
}

// NewDistill returns the objective. temperature must be above 0.
func NewDistill(temperature float64) *Distill { return &Distill{temperature: temperature} }

// Name implements Objective.
func (*Distill) Name() string { return "distill" }

// Prepare implements Objective.
func (o *Distill) Prepare(b *Batch) {
	o.student.Prepare(b)
	o.teacher.Prepare(b)
	for i := range o.student.mask {
		o.student.mask[i] = kernels.MaskPositive
	}
}

// Loss implements Objective.
func (o *Distill) Loss(t *kernels.Tape, e Features) *kernels.Var {
	d, n := t.Device, o.student.n
	cooled := func(e Features) Features {
		e.LogScale = t.Sum([]*kernels.Var{e.LogScale, t.Scalar(math.Log(o.temperature))}, []float64{1, -1})
		return e
	}
	teacher := Features{Image: e.TeacherImage, Text: e.TeacherText, LogScale: e.TeacherLogScale}
	s, goal := o.student.similarities(t, cooled(e)), o.teacher.similarities(t, cooled(teacher))
	mask, weight := d.Bytes(o.student.mask), 0.5/float64(n)

	// f of the teacher's similarities, and its gradient slope.
	ft, lse, slope := t.Scalar(0), t.Arena.Tensor(1, 2*n), t.Arena.Tensor(n, n)
	d.Contrastive(ft.Value, lse, goal.Value, mask, n, weight, weight)
	d.ContrastiveBackward(kernels.Grad{Tensor: slope}, t.Scalar(1).Value, lse, goal.Value, mask, n, weight, weight)

	fs := t.Contrastive(s, mask, n, weight, weight)
	product := func(x *kernels.Var) *kernels.Var { // Σ x·slope over all elements
		return t.SumRow(t.RowDot(x, t.Constant(slope), t.Scalar(0)), 1)
	}
	squared := o.temperature * o.temperature
	return t.Sum([]*kernels.Var{fs, ft, product(s), product(goal)}, []float64{squared, -squared, -squared, squared})
}

// TeacherTexts returns the number of texts that the teacher encodes. They are the distinct captions, which are the
// batch's first texts if distill is its first objective.
func (o *Distill) TeacherTexts() int {
	most := int32(-1)
	for _, row := range o.student.columns.rows {
		most = max(most, row)
	}
	return int(most) + 1
}
