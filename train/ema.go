package train

import (
	"errors"
	"iter"

	"capgraph/kernels"
	"capgraph/train/checkpoint"
)

// emaTensors yields the averages of the weights, each with its name in a checkpoint.
func (t *training) emaTensors() iter.Seq2[string, kernels.Tensor] {
	return func(yield func(string, kernels.Tensor) bool) {
		if t.ema == nil {
			return
		}
		for i, s := range t.model.Specs {
			if average := t.ema.Average(i); !average.IsNone() && !yield("ema."+s.Name, average) {
				return
			}
		}
	}
}

// averagedWeights returns the averages of the weights, and the frozen weights as they are.
func (t *training) averagedWeights() checkpoint.Weights {
	w := checkpoint.Weights{}
	for i, s := range t.model.Specs {
		from := t.ema.Average(i)
		if from.IsNone() {
			from = t.model.Vars[i].Value
		}
		w[s.Name] = readTensor(t.device, from)
	}
	return w
}

// withAverage calls do while the model's weights are replaced by their averages, if there are any.
// Afterwards the weights have their previous bits again.
func (t *training) withAverage(do func() error) error {
	if t.ema == nil {
		return do()
	}
	own := readWeights(t.model)
	if err := t.averagedWeights().Apply(t.model); err != nil {
		return err
	}
	return errors.Join(do(), own.Apply(t.model))
}
