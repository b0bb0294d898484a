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

	"capgraph/config"
	"capgraph/folder"
	"capgraph/internal/strictyaml"
	"capgraph/llmparse"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// Fates are what became of one caption in the pass that makes texts.
type Fates struct {
	Key, Text string
	Pool      schemas.Pool
	Dropped   []negatives.Dropped
	// Judged is what the judge of plausibility said of texts, by themselves.
	Judged map[string]negatives.Judged
	// Unknown is how many replacements that a model was asked for have no reply in
	// the cache: what they became is not told.
	Unknown int64
}

// Why says what became of each candidate of the caption with that key, which is
// in that shard of graphs/. Replies is as in NewExplainer.
func Why(ctx context.Context, f folder.Folder, replies, shard, key string) (_ *Fates, err error) {
	state, err := f.Read()
	if err != nil {
		return nil, err
	}
	counts, err := state.CountsOf(shard)
	if err != nil {
		return nil, err
	}
	x, err := newExplainer(state, counts, replies)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	return x.Why(ctx, shard, key)
}

// Explainer makes the texts of captions once more, with the settings that their
// folder was made with. It is not safe for concurrent use.
type Explainer struct {
	folder    folder.Folder
	far       *farShards
	from      *model
	generator *negatives.Generator
	capper    negatives.Capper
}

// NewExplainer makes an explainer of a folder. It reads the vocabulary, and asks
// no model: where one proposed the replacements, its replies are taken from the
// cache in the folder replies. Of shards that were made before files joined the folder it says what
// would become of their captions now. Close it.
func NewExplainer(f folder.Folder, replies string) (*Explainer, error) {
	state, err := f.Read()
	if err != nil {
		return nil, err
	}
	return newExplainer(state, f.Counts, replies)
}

// counted gives the rows of a file of counts.
type counted = func(name string) (iter.Seq2[schemas.Count, error], error)

func newExplainer(state *folder.State, counts counted, replies string) (_ *Explainer, err error) {
	f := state.Folder
	settings, err := readSettings(f)
	if err != nil {
		return nil, err
	}
	for _, pass := range []folder.Pass{folder.PassCount, folder.PassBalance} {
		if err := state.CheckWhole(pass); err != nil {
			return nil, err
		}
	}
	env := pipeline.Env{Mem: memory.DefaultAllocator, Seed: settings.Seed, Counts: counts}
	chooser, err := newChooser(settings.Negatives.Balance, env)
	if err != nil {
		return nil, err
	}
	asked, err := askedThen(settings.Model, settings.Negatives.Whole, llmparse.Files{Store: f.Store}, replies)
	if err != nil {
		return nil, err
	}
	from, err := asked.model()
	if err != nil {
		return nil, err
	}
	far := newFarShards(nil) // in memory, since the folder may be one that is only read
	generators, err := newGenerators(settings.Negatives.Generator(), from, far, env)
	if err != nil {
		return nil, errors.Join(err, from.Close())
	}
	generator, err := generators.take()
	if err != nil {
		return nil, errors.Join(err, from.Close())
	}
	return &Explainer{f, far, from, generator, negatives.Capper{Max: settings.Negatives.MaxNegatives, Chooser: chooser()}}, nil
}

// Recalls tells whether a model's replies are read: their files are held until
// Close.
func (x *Explainer) Recalls() bool { return x.from != nil }

// Close closes the cache.
func (x *Explainer) Close() error { return x.from.Close() }

// Why says what became of each candidate of the caption with that key.
func (x *Explainer) Why(ctx context.Context, shard, key string) (*Fates, error) {
	var found *Fates
	err := x.images(shard, func(image *negatives.Image) (bool, error) {
		if !slices.ContainsFunc(image.Captions, func(c negatives.Caption) bool { return c.Key == key }) {
			return true, nil
		}
		all, err := x.explain(ctx, image)
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

// First says what became of the first n captions of a shard, and of those of
// the same image as the last of them.
func (x *Explainer) First(ctx context.Context, shard string, n int) ([]Fates, error) {
	var first []Fates
	err := x.images(shard, func(image *negatives.Image) (bool, error) {
		all, err := x.explain(ctx, image)
		first = append(first, all...)
		return len(first) < n, err
	})
	return first, err
}

// images gives the images of a shard to see, until it returns false. An image
// is valid until the next.
func (x *Explainer) images(shard string, see func(*negatives.Image) (more bool, err error)) error {
	batches, err := x.far.openFar(x.folder, memory.DefaultAllocator, shard, imageColumns())
	if err != nil {
		return err
	}
	return eachBatch(batches, func(batch arrow.Record) (more bool, err error) {
		all, err := images(batch, x.far, false)
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

// explain makes the texts of an image and returns what became of each caption.
func (x *Explainer) explain(ctx context.Context, image *negatives.Image) ([]Fates, error) {
	fates := make([]Fates, len(image.Captions))
	drops := negatives.Drops{
		Each: func(d negatives.Dropped) { fates[d.Caption].Dropped = append(fates[d.Caption].Dropped, d) },
		Judged: func(j negatives.Judged) {
			if fates[j.Caption].Judged == nil {
				fates[j.Caption].Judged = map[string]negatives.Judged{}
			}
			fates[j.Caption].Judged[j.Text] = j
		},
	}
	pools := make([]schemas.Pool, len(image.Captions))
	before := x.from.unknown()
	if err := x.generator.Texts(ctx, image, pools, &drops); err != nil {
		return nil, err
	}
	unknown := x.from.unknown() - before
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

// madeWith are the settings that candidates depend on.
type madeWith struct {
	Seed      uint64                 `yaml:"seed"`
	Negatives config.Negatives       `yaml:"negatives"`
	Model     *llmparse.FillSettings `yaml:"llm"`
}

// readSettings reads the settings that the texts of a folder were made with.
func readSettings(f folder.Folder) (settings madeWith, err error) {
	plan, err := f.Plan(folder.PassBalance)
	if err != nil {
		return settings, err
	}
	if plan == nil {
		return settings, fmt.Errorf("%s has no texts: make them first, with 'capgraph run'", f.Dir)
	}
	if err := strictyaml.Unmarshal(plan.Settings, &settings); err != nil {
		return settings, fmt.Errorf("the plan of pass %s in %s: %w (remove it and run again)", folder.PassBalance, f.Dir, err)
	}
	return settings, nil
}
