// Package stages is the table of the passes and their stages. A stage knows
// its own options and the columns of a batch, and nothing else: no file, no
// other stage, no configuration as a whole.
package stages

import (
	"context"
	"errors"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph"
	"capgraph/clean"
	"capgraph/clean/curate"
	"capgraph/config"
	"capgraph/folder"
	"capgraph/internal/usage"
	"capgraph/llmparse"
	"capgraph/negatives"
	"capgraph/negatives/balance"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// Own are the files and folders that passes write.
func Own(f folder.Folder) []string {
	return []string{f.Path(folder.PassParse.Output()), f.Path(folder.PassTexts.Output()), f.Meta(), f.Path(cardName)}
}

// maker is the version of the code of all stages: a pass that one version began
// another does not finish.
const maker = "capgraph/" + capgraph.Version

// sayer is that of what makes texts of graphs, and chooses among them.
const sayer = negatives.Version + " " + balance.Version + " " + maker

// Passes is the table of all passes in their order. corpus is called only when
// a pass reads it. replies are where a model's are cached.
func Passes(c *config.Config, out folder.Folder, replies llmparse.Files, corpus func() (*pipeline.Corpus, error)) ([]*pipeline.Pass, error) {
	parsers, err := parsersOf(c, replies)
	if err != nil {
		return nil, err
	}
	asked := askedOf(c, replies, parsers.rules)
	filters, err := curate.New(c.Filter)
	if err != nil {
		return nil, &usage.Error{Text: "filter." + err.Error()}
	}
	lists, err := negatives.ListsVersion(&c.Negatives.Options)
	if err != nil {
		return nil, &usage.Error{Text: err.Error()}
	}
	excluded, err := curate.NewExcluded(out.Store, c.Exclude)
	if err != nil {
		return nil, &usage.Error{Text: "exclude." + err.Error()}
	}
	outOfGraphs, outOfTexts := new(curate.Excluded), excluded
	if c.Exclude.From == curate.FromGraphs {
		outOfGraphs, outOfTexts = outOfTexts, outOfGraphs
	}
	duplicates, far := newDuplicates(out), newFarShards(scratchOf(out))
	return []*pipeline.Pass{
		{
			Name: folder.PassParse, Summary: "read and clean captions, and parse them into scene graphs",
			Settings: parseSettings{c.Clean, c.Filter, filters.Version(), outOfGraphs.Lists(), parsers.settings}, Version: parsers.version + " " + clean.Version + " " + maker,
			Able: parsers.able,
			Warn: func(stats map[string]int64) string { return parsers.tellFallen(stats, c.Parse.Cache) },
			Check: func(shard string, stats, rejects map[string]int64) error {
				return parsers.check(shard, stats, rejects, &c.Parse.Options)
			},
			Tell:  tellWhose,
			Reads: captionColumns(),
			Schema: func(x *folder.Index) *arrow.Schema {
				return schemas.GraphsSchema(c.Source.Fields(x.Keep))
			},
			Open: func(ctx context.Context, env pipeline.Env, x *folder.Index, s folder.Shard) (pipeline.Batches, error) {
				from, err := corpus()
				if err != nil {
					return nil, err
				}
				return from.Read(ctx, env.Mem, x, s)
			},
			Stages: []pipeline.Spec{
				{
					Name: "clean", Summary: "make the text of a caption, or reject it with a reason",
					Requires: []string{schemas.ColCaption},
					Assigns:  []arrow.Field{schemas.Field(schemas.ColText, arrow.BinaryTypes.String)},
					New:      func(_ context.Context, env pipeline.Env) (pipeline.Stage, error) { return newClean(c.Clean, env) },
				},
				{
					Name: "filter", Summary: "reject rows that a list names, and captions that are not worth training on",
					Requires: filterColumns(),
					New:      func(context.Context, pipeline.Env) (pipeline.Stage, error) { return filter{filters, outOfGraphs}, nil },
				},
				{
					Name: "parse", Summary: "tag the text and parse it into a scene graph",
					Requires: []string{schemas.ColText},
					Assigns:  schemas.ParseFields(),
					New:      func(_ context.Context, env pipeline.Env) (pipeline.Stage, error) { return newParse(parsers, env) },
					InFlight: parsers.inFlight,
				},
			},
		},
		{
			Name: folder.PassTally, Summary: "count what graphs say, shard by shard",
			Settings: tallySettings{c.Dedupe}, Version: tallyVersion(c.Dedupe),
			Sample: sampling{leastSampled}.of,
			Reads:  tallyColumns(),
			Open: func(_ context.Context, env pipeline.Env, _ *folder.Index, s folder.Shard) (pipeline.Batches, error) {
				return openGraphs(out, env.Mem, s.Name, tallyColumns())
			},
			Stages: []pipeline.Spec{
				{
					Name: "sign", Summary: "count the buckets in which duplicates meet",
					Requires: signColumns(),
					New:      func(context.Context, pipeline.Env) (pipeline.Stage, error) { return sign{c.Dedupe}, nil },
				},
				{
					Name: "known", Summary: "count what rows and images are known by",
					Requires: []string{schemas.ColKey, schemas.ColImageKey, schemas.ColText},
					New:      func(context.Context, pipeline.Env) (pipeline.Stage, error) { return known{}, nil },
				},
				{
					Name: "tally", Summary: "count what the vocabulary is made of",
					Requires: imageColumns(),
					New:      func(context.Context, pipeline.Env) (pipeline.Stage, error) { return tally{}, nil },
				},
			},
		},
		{
			Name: folder.PassCount, Summary: "add the counts of all shards up to the vocabulary, list duplicates, and gather the captions of images that lie apart",
			Settings: struct{}{}, Version: countVersion(c.Dedupe),
			Levels: merging{mostMerged}.levels(), Reduce: merging{mostMerged}.writeFar,
			Warn: warnApart,
		},
		{
			Name: folder.PassBalance, Summary: "learn from the candidates of a sample which n-grams tell negatives",
			Settings: balanceSettings{c.Seed, c.Negatives.Planned(), lists, asked.settings()}, Version: sayer + asked.version(),
			Able: asked.able,
			Reduce: func(ctx context.Context, r *pipeline.Reducer) error {
				return learnBalance(ctx, c.Negatives, asked, r)
			},
		},
		{
			Name: folder.PassTexts, Summary: "decompose graphs into positives and perturb them into hard negatives",
			Settings: textsSettings{c.Seed, c.Negatives.Planned().Generator(), lists, asked.settings(), outOfTexts.Lists()}, Version: sayer + asked.version(),
			OfVocabulary: true,
			Able:         asked.able,
			Removed:      func() error { return removeCard(out) },
			Warn:         func(map[string]int64) string { return asked.tellUnproposed() },
			Reads:        textsColumns(),
			Schema:       func(*folder.Index) *arrow.Schema { return schemas.TextsSchema() },
			Open: func(_ context.Context, env pipeline.Env, x *folder.Index, s folder.Shard) (pipeline.Batches, error) {
				batches, err := far.openFar(out, env.Mem, s.Name, textsColumns())
				if err != nil {
					return nil, err
				}
				marked, err := duplicates.marked(batches, env.Mem, x, s)
				if err != nil {
					return nil, errors.Join(err, batches.Close())
				}
				return marked, nil
			},
			Stages: []pipeline.Spec{
				{
					Name: "negate", Summary: "say all sub-graphs with one or two objects in words, perturb them, and drop what may be true; reject captions that repeat an earlier one, and rows that a list names",
					Requires: append(imageColumns(), schemas.ColSource, schemas.ColSourceRow),
					Assigns:  append(schemas.PositiveFields(), schemas.NegativeFields()...),
					New: func(_ context.Context, env pipeline.Env) (pipeline.Stage, error) {
						if _, err := duplicates.none(); err != nil {
							return nil, err
						}
						return newNegate(c.Negatives, outOfTexts, asked, far, env)
					},
					InFlight: asked.batches(),
				},
			},
			Tell: tellTexts,
		},
	}, nil
}

// parseSettings are those that the bytes of graphs/ depend on.
type parseSettings struct {
	Clean   any           `yaml:"clean"`
	Filter  any           `yaml:"filter"`
	Words   string        `yaml:"offensive_words,omitempty"` // what the file holds
	Exclude *curate.Lists `yaml:"exclude,omitempty"`
	Parse   any           `yaml:"parse"`
}

// tallySettings are those that the counts of a shard depend on.
type tallySettings struct {
	Dedupe string `yaml:"dedupe"`
}

// balanceSettings are those that the scores depend on.
type balanceSettings struct {
	Seed      uint64 `yaml:"seed"`
	Negatives any    `yaml:"negatives"`
	Lists     string `yaml:"lists,omitempty"` // which the settings name
	Model     any    `yaml:"llm,omitempty"`
}

// textsSettings are those that the bytes of texts/ depend on.
type textsSettings struct {
	Seed      uint64        `yaml:"seed"`
	Negatives any           `yaml:"negatives"`
	Lists     string        `yaml:"lists,omitempty"` // which the settings name
	Model     any           `yaml:"llm,omitempty"`
	Exclude   *curate.Lists `yaml:"exclude,omitempty"`
}

// tallyColumns are those that are read of graphs/ to count.
func tallyColumns() []string {
	return append(imageColumns(), schemas.ColSource, schemas.ColSourceRow)
}

// textsColumns are those that are read of graphs/ to make texts/.
func textsColumns() []string {
	return append(imageColumns(), schemas.ColImage, schemas.ColSource, schemas.ColSourceRow)
}

// captionColumns are those that reading a source assigns.
func captionColumns() []string {
	var names []string
	for _, f := range schemas.CaptionFields() {
		names = append(names, f.Name)
	}
	return names
}
