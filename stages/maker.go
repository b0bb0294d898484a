package stages

import (
	"context"
	"iter"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/clean"
	"capgraph/clean/curate"
	"capgraph/config"
	"capgraph/folder"
	"capgraph/internal/phrases"
	"capgraph/negatives/publiccounts"
	"capgraph/pipeline"
	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/sources"
)

// Caption is a caption in memory. As in a run, its texts also depend on its keys.
type Caption struct {
	Row                 int64
	Text, Key, ImageKey string
	// Phrases, if HasPhrases is set, are the objects of the caption: see package phrases.
	Phrases    string
	HasPhrases bool
}

// Reject is a caption without a result.
type Reject struct {
	Row            int64
	Reason, Detail string
}

// Maker makes the graphs and texts of captions in memory, with the code that a run uses. It is safe
// for concurrent use.
type Maker struct {
	cleaner *clean.Cleaner
	filter  *curate.Filter
	parse   *parseStage
	negate  *negateStage // nil if it makes graphs only
}

// NewMaker makes a maker. counts reads the vocabulary and the weights of balance, as
// folder.Folder.ReadCounts does. If it is nil, the maker makes graphs only.
func NewMaker(c *config.Config, counts countsReader) (*Maker, error) {
	cleaner, err := clean.New(c.Clean)
	if err != nil {
		return nil, err
	}
	filter, err := curate.New(c.Filter)
	if err != nil {
		return nil, err
	}
	rules, err := ruleparse.NewReader(c.Parse.Reader())
	if err != nil {
		return nil, err
	}
	if err := useDevice(rules, &c.Parse); err != nil {
		return nil, err
	}
	env := pipeline.Env{Mem: memory.DefaultAllocator, Seed: c.Seed}
	m := &Maker{cleaner: cleaner, filter: filter, parse: &parseStage{parser: rules, tagger: rules, env: env, anyLanguage: c.Clean.Language == clean.LanguageAny}}
	if counts == nil {
		return m, nil
	}
	env.Counts = counts
	stage, err := newNegateStage(c.Negatives, new(curate.Excluded), nil, env)
	if err != nil {
		return nil, err
	}
	m.negate = stage.(*negateStage)
	return m, nil
}

// ColRow is the column of a maker's batches with Caption.Row.
const ColRow = "row"

// GraphColumns are the columns of the batches of Graphs.
func GraphColumns() *arrow.Schema {
	return arrow.NewSchema(append([]arrow.Field{schemas.Field(ColRow, arrow.PrimitiveTypes.Int64), schemas.Field(schemas.ColText, arrow.BinaryTypes.String)}, schemas.ParseFields()...), nil)
}

// TextColumns are the columns of the batches of Texts.
func TextColumns() *arrow.Schema {
	fields := append(GraphColumns().Fields()[:2:2], schemas.PositiveFields()...)
	return arrow.NewSchema(append(fields, schemas.NegativeFields()...), nil)
}

// AllColumns are the columns of GraphColumns and TextColumns.
func AllColumns() *arrow.Schema {
	return arrow.NewSchema(append(GraphColumns().Fields(), TextColumns().Fields()[2:]...), nil)
}

// Graphs returns the graphs of captions in a batch of GraphColumns, in their order, without the
// captions that are rejected.
func (m *Maker) Graphs(ctx context.Context, captions []Caption) (arrow.Record, []Reject, error) {
	parsed, rejects, err := m.parseCaptions(ctx, captions)
	if err != nil {
		return nil, nil, err
	}
	defer parsed.Release()
	out, err := schemas.Select(parsed, GraphColumns())
	return out, rejects, err
}

// Texts returns the texts of captions in a batch of TextColumns or AllColumns, without those that are
// rejected. The captions of an image are adjacent.
func (m *Maker) Texts(ctx context.Context, captions []Caption, columns *arrow.Schema) (arrow.Record, []Reject, error) {
	parsed, rejects, err := m.parseCaptions(ctx, captions)
	if err != nil {
		return nil, nil, err
	}
	defer parsed.Release()
	made, err := m.negate.Process(ctx, parsed, pipeline.NewReport())
	if err != nil {
		return nil, nil, err
	}
	defer made.Release()
	out, err := schemas.Select(made, columns)
	return out, rejects, err
}

// parseCaptions cleans, filters and parses captions.
func (m *Maker) parseCaptions(ctx context.Context, captions []Caption) (arrow.Record, []Reject, error) {
	var rejects []Reject
	names := []string{schemas.ColKey, schemas.ColImageKey, schemas.ColText, schemas.ColCaption}
	fields := []arrow.Field{schemas.Field(ColRow, arrow.PrimitiveTypes.Int64)}
	for _, name := range names {
		fields = append(fields, schemas.Field(name, arrow.BinaryTypes.String))
	}
	hasPhrases := slices.ContainsFunc(captions, func(c Caption) bool { return c.HasPhrases })
	if hasPhrases {
		fields = append(fields, arrow.Field{Name: pipeline.ColGivenPhrases, Type: arrow.BinaryTypes.String, Nullable: true})
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	for _, c := range captions {
		r := m.cleaner.Examine(c.Text)
		if r.Reason == "" {
			r.Reason = m.filter.Check(r.Text)
		}
		if r.Reason == "" && c.HasPhrases {
			if _, err := phrases.Parse(c.Phrases, c.Text); err != nil {
				r.Reason, r.Detail = sources.RejectMalformedPhrases, err.Error()
			}
		}
		if r.Reason != "" {
			rejects = append(rejects, Reject{c.Row, r.Reason, r.Detail})
			continue
		}
		b.Field(0).(*array.Int64Builder).Append(c.Row)
		for j, s := range []string{c.Key, c.ImageKey, r.Text, c.Text} {
			b.Field(j + 1).(*array.StringBuilder).Append(s)
		}
		if hasPhrases && c.HasPhrases {
			b.Field(len(names) + 1).(*array.StringBuilder).Append(c.Phrases)
		} else if hasPhrases {
			b.Field(len(names) + 1).AppendNull()
		}
	}
	batch := b.NewRecord()
	defer batch.Release()
	parsed, err := m.parse.Process(ctx, batch, pipeline.NewReport())
	return parsed, rejects, err
}

// PublicCounts reads the counts of public captions, for NewMaker.
func PublicCounts(name string) (iter.Seq2[schemas.Count, error], error) {
	if name == folder.Balance {
		return publiccounts.Balance(), nil
	}
	return publiccounts.Vocabulary(), nil
}

// FolderCounts returns the reader of the counts of a finished run, for NewMaker.
func FolderCounts(f folder.Folder) (countsReader, error) {
	state, err := f.Read()
	if err != nil {
		return nil, err
	}
	for _, pass := range []folder.Pass{folder.PassCount, folder.PassBalance} {
		if err := state.CheckComplete(pass); err != nil {
			return nil, err
		}
	}
	return f.ReadCounts, nil
}
