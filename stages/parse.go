package stages

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/clean"
	"capgraph/clean/curate"
	"capgraph/clean/language"
	"capgraph/folder"
	thousands "capgraph/internal/text"
	"capgraph/llmparse"
	"capgraph/pipeline"
	"capgraph/schemas"
	"capgraph/sources"
)

// parsePass builds the pass that reads a corpus and writes graphs/.
func (b *passBuilder) parsePass() *pipeline.Pass {
	c, parsers := b.config, b.parsers
	return &pipeline.Pass{
		Name: folder.PassParse, Summary: "read and clean captions, and parse them into scene graphs",
		Settings:    parseSettings{c.Clean, c.Filter, b.filters.Version(), b.excludedFromGraphs.Lists(), parsers.settings},
		Version:     parsers.version + " " + clean.Version + " " + codeVersion,
		Preflight:   parsers.checkAnswerable,
		WarnOnStats: func(stats map[string]int64) string { return parsers.fallbackWarning(stats, c.Parse.Cache) },
		Check: func(shard string, stats, rejects map[string]int64) error {
			return parsers.checkReplies(shard, stats, rejects, &c.Parse.Options)
		},
		FormatStats: formatParseStats,
		Remedies:    clean.Remedies,
		Reads:       captionColumns(),
		Schema: func(x *folder.Index) *arrow.Schema {
			return schemas.GraphsSchema(c.Source.Fields(x.Keep))
		},
		Open: func(ctx context.Context, env pipeline.Env, x *folder.Index, s folder.Shard) (pipeline.Batches, error) {
			from, err := b.corpus()
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
				New: func(_ context.Context, env pipeline.Env) (pipeline.Stage, error) {
					return newCleanStage(c.Clean, env)
				},
			},
			{
				Name: "filter", Summary: "reject rows that a list names, and captions that are not worth training on",
				Requires: filterColumns(),
				New: func(context.Context, pipeline.Env) (pipeline.Stage, error) {
					return filterStage{b.filters, b.excludedFromGraphs}, nil
				},
			},
			{
				Name: "parse", Summary: "tag the text and parse it into a scene graph",
				Requires: []string{schemas.ColText},
				Assigns:  schemas.ParseFields(),
				New: func(_ context.Context, env pipeline.Env) (pipeline.Stage, error) {
					s, err := newParseStage(parsers, env)
					s.anyLanguage = c.Clean.Language == clean.LanguageAny
					return s, err
				},
				InFlight: parsers.inFlight,
			},
		},
	}
}

// parseSettings are the settings that the bytes of graphs/ depend on.
type parseSettings struct {
	Clean   any           `yaml:"clean"`
	Filter  any           `yaml:"filter"`
	Words   string        `yaml:"offensive_words,omitempty"` // hash of the content of the file
	Exclude *curate.Lists `yaml:"exclude,omitempty"`
	Parse   any           `yaml:"parse"`
}

// captionColumns returns the columns that reading a source assigns.
func captionColumns() []string {
	var names []string
	for _, f := range schemas.CaptionFields() {
		names = append(names, f.Name)
	}
	return names
}

// formatParseStats returns the figures of the pass in a line; empty if there are none.
func formatParseStats(stats map[string]int64, rows int64) string {
	text := formatParserShares(stats, rows)
	if phrases := formatPhrases(stats); phrases != "" {
		text = strings.TrimPrefix(text+"\n"+phrases, "\n")
	}
	var noise []string
	for _, name := range clean.NoiseNames {
		if n := stats[noisePrefix+name]; n > 0 {
			noise = append(noise, fmt.Sprintf("%s in %s", name, thousands.Thousands(n)))
		}
	}
	if len(noise) == 0 {
		return text
	}
	if text != "" {
		text += "\n"
	}
	return text + "removed from captions of models: " + strings.Join(noise, ", ")
}

func newParseStage(p *parsers, env pipeline.Env) (*parseStage, error) {
	parser, err := p.open()
	s := &parseStage{parser: parser, tagger: p.tagger, env: env, stopMetrics: func() {}}
	if asks, ok := parser.(*llmparse.Parser); ok && err == nil {
		asks.SetWarn(env.Warn)
		if env.Measure != nil {
			s.stopMetrics = env.Measure(asks.Metrics())
		}
	}
	return s, err
}

// parseStage assigns tokens, graph, parser and confidence from text.
type parseStage struct {
	parser schemas.Parser
	tagger tagger
	env    pipeline.Env
	// anyLanguage is true if texts may be in other languages than English. These are not parsed.
	anyLanguage bool

	stopMetrics func()
}

// Close closes the parser.
func (s *parseStage) Close() error {
	s.stopMetrics()
	if c, ok := s.parser.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Status returns the progress of a parser that asks a model.
func (s *parseStage) Status() []slog.Attr {
	if p, ok := s.parser.(*llmparse.Parser); ok {
		return p.Stats().Attrs()
	}
	return nil
}

// Process implements pipeline.Stage.
func (s *parseStage) Process(ctx context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	if in.Schema().HasField(pipeline.ColGivenText) {
		return s.parseGiven(ctx, in, report)
	}
	column, err := schemas.Column[*array.String](in, schemas.ColText)
	if err != nil {
		return nil, err
	}
	texts := make([]string, column.Len())
	for i := range texts {
		texts[i] = column.Value(i)
	}
	given, faults, err := readPhrases(in, texts, report)
	if err != nil {
		return nil, err
	}
	parsed, err := s.parseTexts(ctx, texts, given)
	if err != nil {
		return nil, err
	}
	a := s.newParsedBatch(report)
	defer a.builder.Release()
	for i := range parsed {
		if fault := faults[i]; fault != nil {
			parsed[i].Reject, parsed[i].Detail = sources.RejectMalformedPhrases, fault.Error()
		}
		a.addRow(i, &parsed[i])
	}
	return a.assignTo(in), nil
}

// unparsed is the parser of a text in another language than English, which has an empty graph.
const unparsed = "none"

// parseTexts returns the result of the parser for each text. given[i] are the phrases that are its objects; nil if
// the parser finds them. A text that is not English is not parsed.
func (s *parseStage) parseTexts(ctx context.Context, texts []string, given [][]schemas.Phrase) ([]schemas.Parsed, error) {
	parsed := make([]schemas.Parsed, len(texts))
	if !s.anyLanguage {
		if len(texts) == 0 {
			return nil, nil
		}
		return parsed, s.parse(ctx, texts, given, parsed)
	}
	var english []string
	var phrases [][]schemas.Phrase
	for i, text := range texts {
		if language.IsEnglish(text) {
			english = append(english, text)
			if given != nil {
				phrases = append(phrases, given[i])
			}
		} else {
			parsed[i] = schemas.Parsed{Tokens: s.tagger.Tokens(text, nil), Parser: unparsed}
		}
	}
	if len(english) == 0 {
		return parsed, nil
	}
	of := make([]schemas.Parsed, len(english))
	if err := s.parse(ctx, english, phrases, of); err != nil {
		return nil, err
	}
	for i := range parsed {
		if parsed[i].Parser != unparsed {
			parsed[i], of = of[0], of[1:]
		}
	}
	return parsed, nil
}

// parsedBatch builds the columns of a batch that is being parsed, row by row.
type parsedBatch struct {
	builder   *schemas.ParsedBuilder
	report    *pipeline.Report
	origins   parserCounts
	asksModel bool // whether a model is asked
}

func (s *parseStage) newParsedBatch(report *pipeline.Report) *parsedBatch {
	_, asks := s.parser.(*llmparse.Parser)
	return &parsedBatch{builder: schemas.NewParsedBuilder(s.env.Mem), report: report, asksModel: asks}
}

// addRow appends row i with the result p of the parser.
func (a *parsedBatch) addRow(i int, p *schemas.Parsed) {
	a.builder.Append(p)
	a.origins.addGraph(p)
	if p.Reject != "" {
		a.report.Reject(i, p.Reject, p.Detail)
		return
	}
	countGraph(p, a.report)
	countPhrases(p, a.report)
}

// assignTo assigns the columns to the batch.
func (a *parsedBatch) assignTo(in arrow.Record) arrow.Record {
	if a.asksModel {
		a.origins.reportTo(a.report)
	}
	return schemas.Assign(in, schemas.ParseFields(), a.builder.NewColumns())
}

func countGraph(p *schemas.Parsed, report *pipeline.Report) {
	report.AddStat("objects", int64(len(p.Graph.Objects)))
	report.AddStat("relations", int64(len(p.Graph.Relations)))
	switch {
	case len(p.Graph.Objects) == 0:
		report.AddStat("empty_graphs", 1)
	case p.Confidence < schemas.Doubtful:
		report.AddStat("doubtful_graphs", 1)
	}
}

// parseGiven assigns the columns of parsing from the graphs of the source. Tokens come from the tagger. Offsets
// are kept if cleaning did not change the text. Rows without a graph are parsed.
func (s *parseStage) parseGiven(ctx context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	texts, err := schemas.Column[*array.String](in, schemas.ColText)
	if err != nil {
		return nil, err
	}
	indexed, err := schemas.Column[*array.String](in, pipeline.ColGivenText)
	if err != nil {
		return nil, err
	}
	parsers, err := schemas.Column[*array.String](in, schemas.ColParser)
	if err != nil {
		return nil, err
	}
	confidence, err := schemas.Column[*array.Float32](in, schemas.ColConfidence)
	if err != nil {
		return nil, err
	}
	graphs, err := schemas.NewGraphView(in)
	if err != nil {
		return nil, err
	}
	parsed, err := s.parseWithoutGraph(ctx, in, texts, parsers, report)
	if err != nil {
		return nil, err
	}
	a := s.newParsedBatch(report)
	a.asksModel = a.asksModel && len(parsed) > 0
	defer a.builder.Release()
	var p schemas.Parsed
	for i := range texts.Len() {
		if parsers.Value(i) == "" {
			a.addRow(i, &parsed[0])
			parsed = parsed[1:]
			continue
		}
		p.Tokens = s.tagger.Tokens(texts.Value(i), p.Tokens)
		graphs.WholeAt(i, &p.Graph)
		if indexed.Value(i) != texts.Value(i) {
			forgetOffsets(&p.Graph)
		}
		p.Parser, p.Confidence = parsers.Value(i), confidence.Value(i)
		countGraph(&p, report)
		a.builder.Append(&p)
	}
	return a.assignTo(in), nil
}

// parseWithoutGraph parses the rows without a graph, and returns the results in their order.
func (s *parseStage) parseWithoutGraph(ctx context.Context, in arrow.Record, texts, parsers *array.String, report *pipeline.Report) ([]schemas.Parsed, error) {
	all := make([]string, texts.Len())
	for i := range all {
		all[i] = texts.Value(i)
	}
	phrases, faults, err := readPhrases(in, all, report)
	if err != nil {
		return nil, err
	}
	var without []string
	var given [][]schemas.Phrase
	var rows []int
	for i, text := range all {
		if parsers.Value(i) != "" {
			continue
		}
		without, rows = append(without, text), append(rows, i)
		if phrases != nil {
			given = append(given, phrases[i])
		}
	}
	parsed, err := s.parseTexts(ctx, without, given)
	if err != nil {
		return nil, err
	}
	for k, i := range rows {
		if fault := faults[i]; fault != nil {
			parsed[k].Reject, parsed[k].Detail = sources.RejectMalformedPhrases, fault.Error()
		}
	}
	return parsed, nil
}

// forgetOffsets sets all offsets to NoOffset.
func forgetOffsets(g *schemas.SceneGraph) {
	for i := range g.Objects {
		o := &g.Objects[i]
		o.Begin, o.End = schemas.NoOffset, schemas.NoOffset
		for j := range o.Attributes {
			o.Attributes[j].Begin, o.Attributes[j].End = schemas.NoOffset, schemas.NoOffset
		}
	}
	for i := range g.Relations {
		g.Relations[i].Begin, g.Relations[i].End = schemas.NoOffset, schemas.NoOffset
	}
}
