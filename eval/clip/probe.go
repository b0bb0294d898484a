package clip

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"capgraph/kernels/products"
)

// validationShare is the number of training images for each one that is used for validation.
const validationShare = 5

// Probe measures a logistic regression on image features (Radford et al. 2021, App. A.3), fitted to
// train and tested on test. The L2 strength is one of 97 from 1e-6 to 1e6: the best on a fifth of the
// training images, chosen by a hash of their names. As in CLIP, coarse steps are tried first, then
// finer ones around the best. The final fit is to all of train. Nothing is random.
func Probe(ctx context.Context, encoder Encoder, name string, train, test []Labelled, o Options) (*Result, error) {
	classes := ClassesOf(train)
	g := batchEncoder{encoder: encoder, options: o}
	learn, err := g.encodeLabelled(ctx, train, classes)
	if err != nil {
		return nil, fmt.Errorf("%s: training images: %w", name, err)
	}
	check, err := g.encodeLabelled(ctx, test, classes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	strength, err := chooseStrength(ctx, learn, len(classes))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r, err := fitRegression(ctx, learn, len(classes), strength)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	margins := [2][]float64{nanSlice(len(test)), nanSlice(len(test))}
	for i, scores := range r.classScores(check) {
		margins[0][check.at[i]], margins[1][check.at[i]] = classMargins(scores, check.class[i])
	}
	parts := make([]string, len(test))
	for i, l := range test {
		parts[i] = l.Label
	}
	return &Result{
		Name: name, Measures: classMeasures(margins, parts, len(classes)), Broken: g.broken,
		Note: fmt.Sprintf("L2 strength %.3g, chosen on a fifth of %d training images", strength, len(learn.class)),
	}, nil
}

// labelledFeatures are the features of images with their classes.
type labelledFeatures struct {
	features blas64.General
	class    []int
	at       []int // the indices of the images
	names    []string
}

// encodeLabelled encodes images with their classes.
func (g *batchEncoder) encodeLabelled(ctx context.Context, list []Labelled, classes []Class) (p labelledFeatures, err error) {
	label, err := classIndices(list, classes)
	if err != nil {
		return p, err
	}
	var images []Image
	for _, l := range list {
		images = append(images, Image{Name: l.Image})
	}
	rows, kept, err := g.encodeImages(ctx, images)
	if err != nil {
		return p, err
	}
	if len(kept) == 0 {
		return p, errors.New("none of the images can be read")
	}
	p.at = kept
	for _, i := range kept {
		p.class, p.names = append(p.class, label[i]), append(p.names, list[i].Image)
	}
	p.features = toMatrix(rows)
	return p, nil
}

// toMatrix returns rows in float64.
func toMatrix(rows products.Rows) blas64.General {
	m := blas64.General{Rows: rows.Len(), Cols: rows.Width, Stride: rows.Width}
	for _, x := range rows.Numbers {
		m.Data = append(m.Data, float64(x))
	}
	return m
}

// subset returns the images for which keep returns true.
func (p *labelledFeatures) subset(keep func(i int) bool) (q labelledFeatures) {
	q.features = blas64.General{Cols: p.features.Cols, Stride: p.features.Cols}
	for i, c := range p.class {
		if keep(i) {
			q.class = append(q.class, c)
			q.features.Data = append(q.features.Data, p.features.Data[i*p.features.Stride:][:p.features.Cols]...)
			q.features.Rows++
		}
	}
	return q
}

// Strengths are 10^(k/8) for k from -48 to 48. The search begins with steps of 16.
const (
	maxExponent    = 48
	firstStep      = 16
	stepsPerDecade = 8
)

// chooseStrength returns the L2 strength with the best accuracy on the validation images, the largest
// of equally good ones.
func chooseStrength(ctx context.Context, p labelledFeatures, classes int) (float64, error) {
	isValidation := func(i int) bool {
		h := fnv.New64a()
		h.Write([]byte(p.names[i]))
		return h.Sum64()%validationShare == 0
	}
	validation, rest := p.subset(isValidation), p.subset(func(i int) bool { return !isValidation(i) })
	if len(validation.class) == 0 || len(rest.class) == 0 {
		return 0, fmt.Errorf("%d training images are too few to choose a strength on a fifth of them", len(p.class))
	}
	right := map[int]int{} // validation images, by strength
	best := maxExponent
	try := func(k int) error {
		if _, tried := right[k]; tried || k < -maxExponent || k > maxExponent {
			return nil
		}
		r, err := fitRegression(ctx, rest, classes, strengthAt(k))
		if err != nil {
			return err
		}
		for i, scores := range r.classScores(validation) {
			if margin, _ := classMargins(scores, validation.class[i]); margin > 0 {
				right[k]++
			}
		}
		right[k] += 0
		if n := right[k]; n > right[best] || n == right[best] && k > best {
			best = k
		}
		return nil
	}
	for k := maxExponent; k >= -maxExponent; k -= firstStep {
		if err := try(k); err != nil {
			return 0, err
		}
	}
	for step := firstStep / 2; step > 0; step /= 2 {
		centre := best
		if err := errors.Join(try(centre+step), try(centre-step)); err != nil {
			return 0, err
		}
	}
	return strengthAt(best), nil
}

// strengthAt returns the k-th strength.
func strengthAt(k int) float64 { return math.Pow(10, float64(k)/stepsPerDecade) }

// classScores yields the scores of the classes for each image. They are valid until the next one.
func (r *regression) classScores(p labelledFeatures) func(func(int, []float64) bool) {
	s := blas64.General{Rows: len(p.class), Cols: r.classes, Stride: r.classes, Data: make([]float64, len(p.class)*r.classes)}
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, p.features, r.weights(), 0, s)
	return func(yield func(int, []float64) bool) {
		for i := range p.class {
			row := s.Data[i*r.classes : (i+1)*r.classes]
			for c, b := range r.bias() {
				row[c] += b
			}
			if !yield(i, row) {
				return
			}
		}
	}
}

// classMargins returns how much the score of a class is above the best and above the fifth of the
// others.
func classMargins(scores []float64, own int) (first, fifth float64) {
	others := slices.Delete(slices.Clone(scores), own, own+1)
	slices.SortFunc(others, func(a, b float64) int {
		if a > b || b != b {
			return -1
		}
		return 1
	})
	return marginOver(scores[own], others, 0), marginOver(scores[own], others, 4)
}

// marginOver returns own minus others[i]; 1 if there is no others[i], and 0 if either is NaN.
func marginOver(own float64, others []float64, i int) float64 {
	if i >= len(others) {
		return 1
	}
	if d := own - others[i]; !math.IsNaN(d) {
		return d
	}
	return 0
}
