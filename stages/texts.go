package stages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"golang.org/x/sync/errgroup"

	"capgraph/clean/curate"
	"capgraph/config"
	"capgraph/folder"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// textsPass builds the pass that writes texts/.
func (b *passBuilder) textsPass() *pipeline.Pass {
	c := b.config
	kinds := c.Source.HasCaptionKinds()
	duplicates := newDuplicateList(b.out)
	return &pipeline.Pass{
		Name: folder.PassTexts, Summary: "decompose graphs into positives and perturb them into hard negatives",
		Settings:       textsSettings{c.Seed, c.Texts, c.Negatives.Planned().Generator(), b.lists, b.llm.planSettings(), b.excludedFromTexts.Lists()},
		Version:        textsVersion + publicVersion(&c.Negatives.Options) + b.llm.readerVersion(),
		UsesVocabulary: true,
		Preflight:      b.llm.checkAnswerable,
		OnRemove:       func() error { return removeCard(b.out) },
		WarnOnStats: func(stats map[string]int64) string {
			return cmp.Or(b.llm.unansweredWarning(), warnOfIdleMethods(&c.Negatives.Options, stats))
		},
		Reads: textsColumns(kinds),
		Schema: func(*folder.Index) *arrow.Schema {
			if !kinds {
				return schemas.TextsSchema()
			}
			return arrow.NewSchema(append(schemas.TextsSchema().Fields(), schemas.CaptionKindField()), nil)
		},
		Open: func(_ context.Context, env pipeline.Env, x *folder.Index, s folder.Shard) (pipeline.Batches, error) {
			batches, err := b.out.ReadShard(env.Mem, folder.PassParse, s.Name, textsColumns(kinds))
			if err != nil {
				return nil, err
			}
			marked, err := duplicates.markBatches(batches, env.Mem, x, s)
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
					if _, err := duplicates.isEmpty(); err != nil {
						return nil, err
					}
					return newNegateStage(c.Negatives, b.excludedFromTexts, b.llm, env)
				},
				InFlight: b.llm.maxBatches(),
			},
		},
		FormatStats: FormatMix,
	}
}

// textsSettings are the settings that the bytes of texts/ depend on.
type textsSettings struct {
	Seed      uint64        `yaml:"seed"`
	Texts     config.Texts  `yaml:"texts"`
	Negatives any           `yaml:"negatives"`
	Lists     string        `yaml:"lists,omitempty"` // version of the files that the settings name
	Model     any           `yaml:"llm,omitempty"`
	Exclude   *curate.Lists `yaml:"exclude,omitempty"`
}

// textsColumns returns the columns of graphs/ that the pass texts reads. kinds is true if captions have
// kinds.
func textsColumns(kinds bool) []string {
	columns := append(imageColumns(), schemas.ColImage, schemas.ColSource, schemas.ColSourceRow)
	if kinds {
		columns = append(columns, schemas.ColCapKind)
	}
	return columns
}

// negateStage assigns positives and negatives. Captions that repeat an earlier one, or that are on a
// list of rows to exclude, are rejected, but negatives of their image's other captions are still
// checked against them.
type negateStage struct {
	excluded   *curate.Excluded
	generators *generators
	proposer   *llmProposer
	// made by newWriter
	idleWriters freeList[textsWriter]
	newWriter   func() *textsWriter
}

// textsWriter builds the columns of a batch.
type textsWriter struct {
	capper    negatives.Capper
	positives schemas.PositivesBuilder
	negatives schemas.NegativesBuilder
}

func newNegateStage(o config.Negatives, excluded *curate.Excluded, llm *llmSettings, env pipeline.Env) (pipeline.Stage, error) {
	from, err := llm.openProposer()
	if err != nil {
		return nil, err
	}
	from.reportTo(env)
	var chooser func() negatives.Chooser
	var reading errgroup.Group // reads the weights while the vocabulary is read
	reading.Go(func() (err error) {
		chooser, err = newChooser(o.Balance, env)
		return err
	})
	g, err := newGenerators(o.Generator(), from, env)
	if err := errors.Join(err, reading.Wait()); err != nil {
		return nil, errors.Join(err, from.Close())
	}
	return &negateStage{excluded: excluded, generators: g, proposer: from, newWriter: func() *textsWriter {
		return &textsWriter{capper: negatives.Capper{Max: o.MaxNegatives, Mix: o.Mix, Chooser: chooser()}}
	}}, nil
}

// Close closes the proposer.
func (s *negateStage) Close() error { return s.proposer.Close() }

// Status returns the progress of a model that is asked for replacements.
func (s *negateStage) Status() []slog.Attr {
	if s.proposer == nil {
		return nil
	}
	return s.proposer.client.Stats().Attrs()
}

// hasPartNegative reports whether a negative belongs to a text of a part of the graph, so that a
// trainer of parts can draw it.
func hasPartNegative(p schemas.Pool) bool {
	return slices.ContainsFunc(p.Negatives, func(n schemas.HardNegative) bool { return n.Category != schemas.CategoryNone })
}

// textsCounts has the statistics of a batch of texts.
type textsCounts struct {
	positives, negatives int64
	stats                map[string]int64 // the others, by name
	drops                negatives.Drops
}

// addImage counts an image and its dropped negatives.
func (c *textsCounts) addImage(m *imageTexts) {
	c.stats["images"]++
	if !slices.ContainsFunc(m.pools, hasPartNegative) {
		c.stats["images_without_part"]++
	}
	c.drops.Add(&m.drops)
}

// addPool counts the texts of a caption.
func (c *textsCounts) addPool(p *schemas.Pool) {
	c.positives += int64(len(p.Positives))
	c.negatives += int64(len(p.Negatives))
	if len(p.Negatives) == 0 {
		c.stats["without_negative"]++
	}
	if len(p.Positives) > 1 {
		c.stats[statOfParts]++
		if slices.ContainsFunc(p.Negatives, func(n schemas.HardNegative) bool { return n.Of == 0 }) {
			c.stats[statOfOwn]++
		}
	}
	for j := range p.Negatives {
		n := &p.Negatives[j]
		c.stats[statOfKind+negatives.KindOfMethod(n.Method, n.Changed)]++
		c.stats[statOfMethod+n.Method]++
	}
}

// reportTo adds the statistics to a report: the number of texts, and all others that are not 0.
func (c *textsCounts) reportTo(report *pipeline.Report) {
	report.AddStat("positives", c.positives)
	report.AddStat("negatives", c.negatives)
	for name, n := range c.stats {
		report.AddStat(name, n)
	}
	for name, n := range map[string]int64{"attributes": c.drops.Attributes, "attributes_unchanged": c.drops.Unchanged} {
		if n > 0 {
			report.AddStat(name, n)
		}
	}
	for reason, n := range c.drops.N {
		if n > 0 {
			report.AddStat("dropped_"+negatives.Reason(reason).String(), n)
		}
	}
}

// Process implements pipeline.Stage.
func (s *negateStage) Process(ctx context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	w := s.idleWriters.takeItem()
	if w == nil {
		w = s.newWriter()
	}
	repeats, err := repeatsOf(in)
	if err != nil {
		return nil, err
	}
	keys, err := schemas.Strings(in, schemas.ColKey, schemas.ColImageKey)
	if err != nil {
		return nil, err
	}
	counts := textsCounts{stats: map[string]int64{}}
	row := 0
	err = s.generators.eachImageTexts(ctx, in, s.proposer.maxImages(), func(m *imageTexts) error {
		w.capper.Cap(m.image, m.pools, &m.drops)
		counts.addImage(m)
		for i := range m.pools {
			p := &m.pools[i]
			reason := ""
			switch {
			case s.excluded.Has(keys[0].Value(row), keys[1].Value(row)):
				reason = curate.ReasonExcluded
			case repeats(row):
				reason = "duplicate"
			}
			if reason != "" {
				report.Reject(row, reason, "")
				p = new(schemas.Pool)
			}
			row++
			if err := errors.Join(w.positives.Append(p.Positives), w.negatives.Append(p.Negatives)); err != nil {
				return fmt.Errorf("%w (set a smaller negatives.max_negatives or clean.max_chars)", err)
			}
			if reason == "" {
				counts.addPool(p)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	defer s.idleWriters.giveBack(w) // after an error, w is not reused
	if s.generators.public {
		report.AddStat(statOfPublic, 1)
	}
	counts.reportTo(report)
	return schemas.Assign(in, append(schemas.PositiveFields(), schemas.NegativeFields()...), append(w.positives.NewColumns(), w.negatives.NewColumns()...)), nil
}
