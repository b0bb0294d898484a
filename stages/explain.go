package stages

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/goccy/go-yaml"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/internal/strictyaml"
	"capgraph/negatives"
	"capgraph/negatives/llm"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// Explanation says what the pass texts did with one caption.
type Explanation struct {
	Key, Text string
	Pool      schemas.Pool
	Dropped   []negatives.Dropped
	// Judged is the verdict of the judge of plausibility by text.
	Judged map[string]negatives.Judged
	// Rated are the texts of parts of the graph, including those that are not kept because they are
	// probably bad.
	Rated []RatedText
	// Unsaid are the sentences of the caption about which no text says anything.
	Unsaid []negatives.UnsaidSentence
	// Unknown is the number of questions to a model that have no reply in the cache. The outcome of these
	// replacements is not known.
	Unknown int64
}

// RatedText is a text with the probability that a reader calls it good.
type RatedText struct {
	Text       string
	Confidence float64
}

// Explain returns the outcome of each candidate of the caption with that key, in that shard of graphs/.
// replies is as in NewExplainer.
func Explain(ctx context.Context, f folder.Folder, replies, shard, key string) (_ *Explanation, err error) {
	state, err := f.Read()
	if err != nil {
		return nil, err
	}
	counts, err := state.CountReaderOf(shard)
	if err != nil {
		return nil, err
	}
	x, err := newExplainer(state, counts, replies)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	return x.Explain(ctx, shard, key)
}

// Explainer makes the texts of captions again, with the settings of their folder. It is not safe
// for concurrent use.
type Explainer struct {
	folder    folder.Folder
	proposer  *llmProposer
	generator *negatives.Generator
	capper    negatives.Capper
}

// NewExplainer makes an explainer of a folder. It reads the vocabulary and asks no model: if a model
// proposed the replacements, its replies are read from the cache in the folder replies. For shards that are
// older than the newest files of the folder, it explains what would be made of their captions now. The
// caller must close it.
func NewExplainer(f folder.Folder, replies string) (*Explainer, error) {
	state, err := f.Read()
	if err != nil {
		return nil, err
	}
	return newExplainer(state, f.ReadCounts, replies)
}

// countsReader reads the rows of a file of counts.
type countsReader = func(name string) (iter.Seq2[schemas.Count, error], error)

func newExplainer(state *folder.State, counts countsReader, replies string) (_ *Explainer, err error) {
	f := state.Folder
	settings, err := readTextsRecipe(f)
	if err != nil {
		return nil, err
	}
	for _, pass := range []folder.Pass{folder.PassCount, folder.PassBalance} {
		if err := state.CheckComplete(pass); err != nil {
			return nil, err
		}
	}
	env := pipeline.Env{Mem: memory.DefaultAllocator, Seed: settings.Seed, Counts: counts}
	chooser, err := newChooser(settings.Negatives.Balance, env)
	if err != nil {
		return nil, err
	}
	llm, err := replayLLM(settings.Model, settings.Negatives.Whole, replies)
	if err != nil {
		return nil, err
	}
	from, err := llm.openProposer()
	if err != nil {
		return nil, err
	}
	generators, err := newGenerators(settings.Negatives.Generator(), from, env)
	if err != nil {
		return nil, errors.Join(err, from.Close())
	}
	generator, err := generators.takeGenerator()
	if err != nil {
		return nil, errors.Join(err, from.Close())
	}
	return &Explainer{f, from, generator, negatives.Capper{Max: settings.Negatives.MaxNegatives, Mix: settings.Negatives.Mix, Chooser: chooser()}}, nil
}

// UsesReplies reports whether cached replies of a model are read. Their files stay open until
// Close.
func (x *Explainer) UsesReplies() bool { return x.proposer != nil }

// Close closes the cache.
func (x *Explainer) Close() error { return x.proposer.Close() }

// Explain returns the outcome of each candidate of the caption with that key.
func (x *Explainer) Explain(ctx context.Context, shard, key string) (*Explanation, error) {
	var found *Explanation
	err := x.eachImage(shard, func(image *negatives.Image) (bool, error) {
		if !slices.ContainsFunc(image.Captions, func(c negatives.Caption) bool { return c.Key == key }) {
			return true, nil
		}
		all, err := x.explainImage(ctx, image)
		for i := range all {
			if all[i].Key == key {
				found = &all[i]
			}
		}
		return false, err
	})
	if err == nil && found == nil {
		err = fmt.Errorf("shard %s has no row with key %q", shard, key)
	}
	return found, err
}

// ExplainFirst returns the explanations of the first n captions of a shard, and of the other captions of
// the last image.
func (x *Explainer) ExplainFirst(ctx context.Context, shard string, n int) ([]Explanation, error) {
	var first []Explanation
	err := x.eachImage(shard, func(image *negatives.Image) (bool, error) {
		all, err := x.explainImage(ctx, image)
		first = append(first, all...)
		return len(first) < n, err
	})
	return first, err
}

// eachImage passes the images of a shard to see until it returns false. An image is valid until the
// next.
func (x *Explainer) eachImage(shard string, see func(*negatives.Image) (more bool, err error)) error {
	batches, err := x.folder.ReadShard(memory.DefaultAllocator, folder.PassParse, shard, imageColumns())
	if err != nil {
		return err
	}
	return eachBatch(batches, func(batch arrow.Record) (more bool, err error) {
		all, err := imagesOf(batch, false)
		if err != nil {
			return false, err
		}
		for image := range all {
			if more, err = see(image); !more || err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

// explainImage makes the texts of an image and returns the explanation of each caption.
func (x *Explainer) explainImage(ctx context.Context, image *negatives.Image) ([]Explanation, error) {
	fates := make([]Explanation, len(image.Captions))
	drops := negatives.Drops{
		Each: func(d negatives.Dropped) { fates[d.Caption].Dropped = append(fates[d.Caption].Dropped, d) },
		Judged: func(j negatives.Judged) {
			if j.As.Counts() && j.As.String() == j.Method { // such a text is kept with any score
				return
			}
			if fates[j.Caption].Judged == nil {
				fates[j.Caption].Judged = map[string]negatives.Judged{}
			}
			fates[j.Caption].Judged[j.Text] = j
		},
		Said: func(p negatives.SaidPart) {
			fates[p.Caption].Rated = append(fates[p.Caption].Rated, RatedText{p.Text, p.Quality})
		},
		Unsaid: func(s negatives.UnsaidSentence) {
			s.Text = strings.Clone(s.Text) // the batch owns the caption
			fates[s.Caption].Unsaid = append(fates[s.Caption].Unsaid, s)
		},
	}
	pools := make([]schemas.Pool, len(image.Captions))
	before := x.proposer.countUnknown()
	if err := x.generator.Texts(ctx, image, pools, &drops); err != nil {
		return nil, err
	}
	unknown := x.proposer.countUnknown() - before
	x.capper.Cap(image, pools, &drops)
	for i := range fates {
		c := &image.Captions[i]
		fates[i].Key, fates[i].Text, fates[i].Pool = strings.Clone(c.Key), strings.Clone(c.Text), pools[i]
		fates[i].Unknown = unknown
		for p := range pools[i].Positives { // the batch owns the caption
			pools[i].Positives[p].Text = strings.Clone(pools[i].Positives[p].Text)
		}
	}
	return fates, nil
}

// textsRecipe are the settings that candidates depend on.
type textsRecipe struct {
	Seed      uint64           `yaml:"seed"`
	Texts     config.Texts     `yaml:"texts"`
	Negatives config.Negatives `yaml:"negatives"`
	Model     *llm.Settings    `yaml:"llm"`
}

// readTextsRecipe reads the settings that the texts of a folder were made with.
func readTextsRecipe(f folder.Folder) (settings textsRecipe, err error) {
	plan, err := f.ReadPlan(folder.PassBalance)
	if err != nil {
		return settings, err
	}
	if plan == nil {
		return settings, fmt.Errorf("%s has no texts: make them first, with 'capgraph run'", f.Dir)
	}
	if err := strictyaml.Unmarshal(plan.Settings, &settings); err != nil {
		return settings, fmt.Errorf("the plan of pass %s in %s: %w (remove it and run again)", folder.PassBalance, f.Dir, err)
	}
	settings.Negatives.MinConfidence = settings.Texts.MinConfidence
	kept, err := readKeptRecipe(f)
	settings.Negatives.MaxNegatives, settings.Negatives.Mix = kept.MaxNegatives, kept.Mix
	return settings, err
}

// keptRecipe are the settings on which kept candidates depend.
type keptRecipe struct {
	MaxNegatives int           `yaml:"max_negatives"`
	Mix          negatives.Mix `yaml:"mix"`
}

// readKeptRecipe returns the settings by which the pass texts keeps candidates: those of its plan, or the
// defaults if it has not begun.
func readKeptRecipe(f folder.Folder) (keptRecipe, error) {
	o := negatives.Defaults()
	kept := keptRecipe{o.MaxNegatives, o.Mix}
	plan, err := f.ReadPlan(folder.PassTexts)
	if err != nil || plan == nil {
		return kept, err
	}
	var settings struct {
		Negatives keptRecipe `yaml:"negatives"`
	}
	if err := yaml.Unmarshal([]byte(plan.Settings), &settings); err != nil {
		return kept, fmt.Errorf("the plan of pass %s in %s: %w (remove it and run again)", folder.PassTexts, f.Dir, err)
	}
	return settings.Negatives, nil
}
