// Package stages holds the five passes after indexing, and the stages they consist of:
//
//	parse    captions → graphs/    clean, filter and parse captions into scene graphs
//	tally    graphs/ → counts      count the vocabulary, duplicates and images of each shard
//	count    counts → counts       add up the counts of all shards
//	balance  a sample → weights    learn which n-grams are typical of negatives
//	texts    graphs/ → texts/      make positives and hard negatives
//
// Passes builds them from a recipe, and package pipeline runs them:
//
//	passes, err := stages.Passes(cfg, out, corpus)
//	…
//	run := &pipeline.Run{Passes: passes, Folder: out, …}
//
// Each pass has a file of its own, named after it. A stage knows its options and the columns of a
// batch; it never sees files, other stages or the whole configuration.
package stages

import (
	"capgraph"
	"capgraph/clean/curate"
	"capgraph/config"
	"capgraph/folder"
	"capgraph/internal/usage"
	"capgraph/negatives"
	"capgraph/negatives/balance"
	"capgraph/pipeline"
)

// codeVersion is the version of the code of all stages. A pass that was begun with one version is
// not finished with another.
const codeVersion = "capgraph/" + capgraph.Version

// textsVersion is the version of the code that makes texts of graphs and selects among them.
const textsVersion = negatives.Version + " " + balance.Version + " " + codeVersion

// OutputPaths returns the files and folders that passes write.
func OutputPaths(f folder.Folder) []string {
	return []string{f.Path(folder.PassParse.Output()), f.Path(folder.PassTexts.Output()), f.MetaPath(), f.Path(cardName)}
}

// Passes returns all passes in their order. corpus is called only when a pass reads it.
func Passes(c *config.Config, out folder.Folder, corpus func() (*pipeline.Corpus, error)) ([]*pipeline.Pass, error) {
	b, err := newPassBuilder(c, out, corpus)
	if err != nil {
		return nil, err
	}
	return []*pipeline.Pass{b.parsePass(), b.tallyPass(), b.countPass(), b.balancePass(), b.textsPass()}, nil
}

// passBuilder builds passes from a recipe. It has what several passes share, and what is checked
// before any pass starts.
type passBuilder struct {
	config  *config.Config
	out     folder.Folder
	corpus  func() (*pipeline.Corpus, error)
	parsers *parsers
	llm     *llmSettings // nil if no model makes negatives
	filters *curate.Filter
	lists   string // version of the files that the settings of negatives name
	// Excluded rows are left out of graphs/ or, later, of texts/. The other one is empty.
	excludedFromGraphs, excludedFromTexts *curate.Excluded
}

func newPassBuilder(c *config.Config, out folder.Folder, corpus func() (*pipeline.Corpus, error)) (*passBuilder, error) {
	b := &passBuilder{config: c, out: out, corpus: corpus}
	var err error
	if b.parsers, err = newParsers(c); err != nil {
		return nil, err
	}
	b.llm = newLLMSettings(c, b.parsers.rules)
	if b.filters, err = curate.New(c.Filter); err != nil {
		return nil, &usage.Error{Text: "filter." + err.Error()}
	}
	if b.lists, err = negatives.ListsVersion(&c.Negatives.Options); err != nil {
		return nil, &usage.Error{Text: err.Error()}
	}
	excluded, err := curate.NewExcluded(out.Store, c.Exclude)
	if err != nil {
		return nil, &usage.Error{Text: "exclude." + err.Error()}
	}
	b.excludedFromGraphs, b.excludedFromTexts = new(curate.Excluded), excluded
	if c.Exclude.From == curate.FromGraphs {
		b.excludedFromGraphs, b.excludedFromTexts = b.excludedFromTexts, b.excludedFromGraphs
	}
	return b, nil
}
