package train

import (
	"context"
	"fmt"

	"capgraph/eval/clip"
	"capgraph/images"
	"capgraph/train/benchmarks"
	"capgraph/train/metrics"
)

// evaluate runs the recipe's benchmarks on the model, writes the shares of right answers to the
// metrics, and returns them; output.keep_best compares the first one. Other measures, such as mean
// cosines, are skipped. It returns nil if the recipe has no benchmark.
func (t *training) evaluate(ctx context.Context) ([]Measured, error) {
	tasks, folders, err := t.recipe.benchmarks()
	if err != nil || len(tasks) == 0 {
		return nil, err
	}
	if t.suite == nil {
		if t.suite, err = benchmarks.Open(ctx, t.store, tasks, images.Options{Format: "folder", Paths: folders}, t.options.Tag); err != nil {
			return nil, fmt.Errorf("evaluate.benchmarks: %w", err)
		}
	}
	t.encoder.ForgetTexts() // cached by the previous evaluation
	var results []*clip.Result
	err = t.withAverage(func() (err error) {
		results, err = t.suite.Measure(ctx, t.device, t.encoder, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	var all []Measured
	record := metrics.Record{Step: t.optimiser.Steps(), Epoch: t.state.Position.Epoch, Samples: t.state.Samples, Seconds: t.state.Seconds}
	for _, r := range results {
		for _, b := range r.Broken {
			t.options.Warn(fmt.Sprintf("%s: %s: %v", r.Name, b.Image, b.Err))
		}
		for i := range r.Measures {
			m := &r.Measures[i]
			if !m.Share {
				continue
			}
			if m.Scored() == 0 {
				return nil, fmt.Errorf("%s: none of its images can be used; check that evaluate.images names their folder", r.Name)
			}
			of := Measured{Name: r.Name + " " + m.Name, Value: m.Value()}
			all = append(all, of)
			record.Values = append(record.Values, metrics.Value{Name: "eval/" + of.Name, Number: of.Value})
			t.options.Info(fmt.Sprintf("step %d: %s %s of %d%s", t.optimiser.Steps(), of.Name, of, m.Scored(), formatChance(m)))
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("evaluate.benchmarks: %s has no share of right answers", results[0].Name)
	}
	return all, t.logMetrics(record)
}

// formatChance returns the chance level of a measure as text, "" if it has none.
func formatChance(m *clip.Measure) string {
	if m.Chance == 0 {
		return ""
	}
	return fmt.Sprintf(" (chance %.3g)", 100*m.Chance)
}

// Measured is a share of right answers, from 0 to 1. Name is the benchmark and its measure.
type Measured struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// String returns the share in percent.
func (m Measured) String() string { return fmt.Sprintf("%.1f %%", 100*m.Value) }
