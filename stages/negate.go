package stages

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/clean/curate"
	"capgraph/config"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// negate assigns the positives and the negatives, and rejects the captions that repeat
// an earlier one or that a list names: they are true of their image all the same.
type negate struct {
	excluded   *curate.Excluded
	generators *generators
	from       *model
	// writers are made by writer.
	writers idle[writer]
	writer  func() *writer
}

// writer builds the columns of a batch.
type writer struct {
	capper    negatives.Capper
	positives schemas.PositivesBuilder
	negatives schemas.NegativesBuilder
}

func newNegate(o config.Negatives, excluded *curate.Excluded, asked *asked, far *farShards, env pipeline.Env) (pipeline.Stage, error) {
	chooser, err := newChooser(o.Balance, env)
	if err != nil {
		return nil, err
	}
	from, err := asked.model()
	if err != nil {
		return nil, err
	}
	from.tellTo(env)
	g, err := newGenerators(o.Generator(), from, far, env)
	if err != nil {
		return nil, errors.Join(err, from.Close())
	}
	return &negate{excluded: excluded, generators: g, from: from, writer: func() *writer {
		return &writer{capper: negatives.Capper{Max: o.MaxNegatives, Chooser: chooser()}}
	}}, nil
}

// tellTexts says how many texts a caption has.
func tellTexts(stats map[string]int64, rows int64) string {
	return fmt.Sprintf("%.1f positives and %.1f negatives a caption", float64(stats["positives"])/float64(rows), float64(stats["negatives"])/float64(rows))
}

// Close closes what the proposer holds.
func (s *negate) Close() error { return s.from.Close() }

// Keep keeps what a model answered.
func (s *negate) Keep() error { return s.from.Keep() }

// Tell is what a model that is asked for replacements has done so far.
func (s *negate) Tell() []slog.Attr {
	if s.from == nil {
		return nil
	}
	return s.from.client.Stats().Attrs()
}

// Process implements pipeline.Stage.
func (s *negate) Process(ctx context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	w := s.writers.take()
	if w == nil {
		w = s.writer()
	}
	repeats, err := repeats(in)
	if err != nil {
		return nil, err
	}
	keys, err := schemas.Strings(in, schemas.ColKey, schemas.ColImageKey)
	if err != nil {
		return nil, err
	}
	var drops negatives.Drops
	var said, kept, without int64
	row := 0
	err = s.generators.texts(ctx, in, s.from.atOnce(), func(m *made) error {
		w.capper.Cap(m.image, m.pools, &m.drops)
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
			said += int64(len(p.Positives))
			kept += int64(len(p.Negatives))
			if len(p.Negatives) == 0 && reason == "" {
				without++
			}
		}
		drops.Add(&m.drops)
		return nil
	})
	if err != nil {
		return nil, err
	}
	defer s.writers.give(w) // one that failed half-way is not used again
	report.Stat("positives", said)
	report.Stat("negatives", kept)
	if without > 0 {
		report.Stat("without_negative", without)
	}
	for reason, n := range drops.N {
		if n > 0 {
			report.Stat("dropped_"+negatives.Reason(reason).String(), n)
		}
	}
	return schemas.Assign(in, append(schemas.PositiveFields(), schemas.NegativeFields()...), append(w.positives.NewColumns(), w.negatives.NewColumns()...)), nil
}
