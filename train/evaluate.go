package train

import (
	"context"
	"fmt"

	"capgraph/eval/clip"
	"capgraph/train/features"
	"capgraph/train/metrics"
)

// Accuracy is the name of the share of pairs whose true caption is nearer to the image.
const Accuracy = "accuracy"

// evalBatch is how many pairs are encoded at once.
const evalBatch = 256

// evaluate measures the model on the recipe's pairs and writes the result to the metrics. It
// returns nil if the recipe names no pairs.
func (t *training) evaluate(ctx context.Context) (map[string]float64, error) {
	file, folder := t.recipe.EvaluationPairs()
	if file == "" {
		return nil, nil
	}
	if t.pairs == nil {
		var err error
		if t.pairs, err = clip.ReadSugarCrepe(t.store, file); err != nil {
			return nil, err
		}
		set, err := t.openImages(Images{Format: "folder", Paths: []string{folder}})
		if err != nil {
			return nil, err
		}
		t.pairScorer = features.NewFolder(t.encoder, set)
	}
	t.encoder.ForgetTexts() // the words of an evaluation before
	result, err := clip.ScorePairs(ctx, t.pairScorer, t.pairs, evalBatch)
	if err == nil {
		err = deviceError(t.device)
	}
	if err != nil {
		return nil, err
	}
	for _, b := range result.Broken {
		t.options.Warn(fmt.Sprintf("evaluation: %s: %v", b.Image, b.Err))
	}
	if result.Scored() == 0 {
		return nil, fmt.Errorf("%s: none of the images of its %d pairs can be used; check that evaluate.images names their folder", file, len(t.pairs))
	}
	measured := map[string]float64{Accuracy: result.Accuracy()}
	t.options.Info(fmt.Sprintf("step %d: %s %.1f %% of %d held-out pairs (chance 50)", t.optimiser.Steps(), Accuracy, 100*result.Accuracy(), result.Scored()))
	return measured, t.logMetrics(metrics.Record{
		Step: t.optimiser.Steps(), Epoch: t.state.Position.Epoch, Samples: t.state.Samples, Seconds: t.state.Seconds,
		Values: []metrics.Value{{Name: "eval/" + Accuracy, Number: result.Accuracy()}},
	})
}
