package stages

import (
	"context"

	"capgraph/clean"
	"capgraph/config"
	"capgraph/pipeline"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// Unsure counts, among about n captions of the corpus, those that a hybrid
// parser would ask the model for: the rule parser's confidence in them is below
// parse.threshold. Captions that cleaning rejects are not counted.
func Unsure(ctx context.Context, c *config.Config, corpus *pipeline.Corpus, n int) (unsure, sampled int, err error) {
	cleaner, err := clean.New(c.Clean)
	if err != nil {
		return 0, 0, err
	}
	rules, err := ruleparse.New()
	if err != nil {
		return 0, 0, err
	}
	var parsed schemas.Parsed
	err = corpus.Sample(ctx, n, func(caption string) {
		text, reason := cleaner.Clean(caption)
		if reason != "" {
			return
		}
		sampled++
		rules.ParseText(text, &parsed)
		if float64(parsed.Confidence) < c.Parse.Threshold {
			unsure++
		}
	})
	return unsure, sampled, err
}
