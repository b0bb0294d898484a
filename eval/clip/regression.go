package clip

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/optimize"

	"capgraph/internal/portable"
)

// regression is a multinomial logistic regression: a row of weights for each class, then the biases.
type regression struct {
	classes, width int
	x              []float64
}

func (r *regression) weights() blas64.General {
	return blas64.General{Rows: r.classes, Cols: r.width, Stride: r.width, Data: r.x[:r.classes*r.width]}
}

func (r *regression) bias() []float64 { return r.x[r.classes*r.width:] }

// maxIterations is the largest number of iterations of a fit, as in CLIP.
const maxIterations = 1000

// fitRegression minimises (sum of cross-entropies + strength/2·‖W‖²) / number of images by L-BFGS, from
// zero. Biases are not regularised.
func fitRegression(ctx context.Context, p labelledFeatures, classes int, strength float64) (*regression, error) {
	r := &regression{classes: classes, width: p.features.Cols}
	r.x = make([]float64, classes*r.width+classes)
	n := float64(len(p.class))
	residual := blas64.General{Rows: len(p.class), Cols: classes, Stride: classes, Data: make([]float64, len(p.class)*classes)}
	at := &regression{classes: classes, width: r.width}
	// loss writes its derivative with respect to the scores to residual.
	loss := func(x []float64) float64 {
		at.x = x
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, p.features, at.weights(), 0, residual)
		var sum float64
		for i, class := range p.class {
			sum += crossEntropy(residual.Data[i*classes:(i+1)*classes], at.bias(), class)
		}
		var squares float64
		for _, w := range at.weights().Data {
			squares += w * w
		}
		return (sum + strength/2*squares) / n
	}
	problem := optimize.Problem{
		Func: loss,
		Grad: func(gradient, x []float64) {
			loss(x)
			to := &regression{classes: classes, width: r.width, x: gradient}
			copy(gradient, x)
			blas64.Gemm(blas.Trans, blas.NoTrans, 1/n, residual, p.features, strength/n, to.weights())
			clear(to.bias())
			for i, d := range residual.Data {
				to.bias()[i%classes] += d / n
			}
		},
		Status: func() (optimize.Status, error) {
			if err := ctx.Err(); err != nil {
				return optimize.Failure, err
			}
			return optimize.NotTerminated, nil
		},
	}
	result, err := optimize.Minimize(problem, r.x, &optimize.Settings{GradientThreshold: 1e-6, MajorIterations: maxIterations}, &optimize.LBFGS{})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if result == nil { // if a line search finds no better point, the fit ends there
		return nil, fmt.Errorf("the fit failed: %w", err)
	}
	r.x = result.X
	return r, nil
}

// crossEntropy returns the cross-entropy of scores and biases with a class. It replaces scores by the
// derivative with respect to them.
func crossEntropy(scores, bias []float64, class int) float64 {
	largest := math.Inf(-1)
	for c := range scores {
		scores[c] += bias[c]
		largest = max(largest, scores[c])
	}
	own := scores[class] - largest
	var sum float64
	for c, s := range scores {
		scores[c] = portable.Exp(s - largest)
		sum += scores[c]
	}
	for c := range scores {
		scores[c] /= sum
	}
	scores[class]--
	return portable.Log(sum) - own
}
