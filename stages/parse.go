package stages

import (
	"context"
	"io"
	"log/slog"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/config"
	"capgraph/internal/usage"
	"capgraph/llmparse"
	"capgraph/pipeline"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// tagger makes the tokens of a text, for graphs that bring none.
type tagger interface {
	Tokens(text string, out []schemas.Token) []schemas.Token
}

// parsers are what the recipe asks for: how to open the parser and what keeps it
// from that, its name and version, the settings that graphs depend on, how many
// batches it holds at once, and the tagger for graphs that a source brings.
type parsers struct {
	open     func() (schemas.Parser, error)
	able     func() error
	version  string
	settings any
	inFlight int
	rules    *ruleparse.Parser
	tagger   tagger
	asked    *llmparse.Parser // the one that this process opened; nil for none
}

// rulesSettings are the settings of the rule parser: it has none.
type rulesSettings struct {
	Parser string `yaml:"parser"`
}

// modelSettings are those of a parser that asks a model.
type modelSettings struct {
	Parser string `yaml:"parser"`
	Model  any    `yaml:"llm"`
}

func parsersOf(c *config.Config, replies llmparse.Files) (*parsers, error) {
	rules, err := ruleparse.New()
	if err != nil {
		return nil, err
	}
	p := &parsers{
		open:    func() (schemas.Parser, error) { return rules, nil },
		version: rules.Name(), settings: rulesSettings{c.Parse.Parser}, rules: rules, tagger: rules,
	}
	if c.Parse.Parser == config.ParserRules {
		return p, nil
	}
	p.version += " " + llmparse.Name
	p.settings = modelSettings{c.Parse.Parser, c.Parse.Settings()}
	p.inFlight = batchesInFlight(c)
	p.able = func() error { return answerable(replies, &c.Parse.Options) }
	p.open = func() (schemas.Parser, error) {
		open := llmparse.New
		if c.Parse.Parser == config.ParserHybrid {
			open = llmparse.NewHybrid
		}
		var err error
		if p.asked, err = open(replies, c.Parse.Options, rules); err != nil {
			return nil, err
		}
		return p.asked, nil
	}
	return p, nil
}

// answerable is the error of settings by which no question has an answer: a key
// that is not there, or neither an endpoint nor a reply in the cache.
func answerable(replies llmparse.Files, o *llmparse.Options) error {
	if _, err := o.Key(); err != nil {
		return &usage.Error{Text: "parse." + err.Error()}
	}
	if len(o.Endpoints) > 0 {
		return nil
	}
	has, err := replies.HasReplies(o.Cache)
	if err != nil || has {
		return err
	}
	return usage.Errorf("parse.cache: there are no replies in %s, and parse.endpoints is empty: "+
		"name the folder of the replies, as it is seen from where capgraph is started, or a server", o.Cache)
}

// maxBatches bounds the memory of batches that wait for a model.
const maxBatches = 64

// batchesInFlight keeps several times as many rows in process as requests may be
// in flight: a batch ends with its slowest request. A hybrid asks for few rows
// of a batch, so that it takes more of them.
func batchesInFlight(c *config.Config) int {
	const rows = 1024 // of a batch, about
	n := 4 + 4*c.Parse.MaxInFlight*len(c.Parse.Endpoints)/rows
	if c.Parse.Parser == config.ParserHybrid {
		n *= 4
	}
	return min(n, maxBatches)
}

func newParse(p *parsers, env pipeline.Env) (pipeline.Stage, error) {
	parser, err := p.open()
	s := &parse{parser, p.tagger, env, func() {}}
	if asks, ok := parser.(*llmparse.Parser); ok && err == nil {
		asks.TellTo(env.Warn)
		if env.Measure != nil {
			s.unmeasure = env.Measure(asks.Metrics())
		}
	}
	return s, err
}

// parse assigns tokens, graph, parser and confidence from text.
type parse struct {
	parser schemas.Parser
	tagger tagger
	env    pipeline.Env

	unmeasure func()
}

// Close closes what the parser holds.
func (s *parse) Close() error {
	s.unmeasure()
	if c, ok := s.parser.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Keep keeps what a model answered.
func (s *parse) Keep() error {
	if p, ok := s.parser.(*llmparse.Parser); ok {
		return p.Keep()
	}
	return nil
}

// Tell is what a parser that asks a model has done so far.
func (s *parse) Tell() []slog.Attr {
	if p, ok := s.parser.(*llmparse.Parser); ok {
		return p.Stats().Attrs()
	}
	return nil
}

// Process implements pipeline.Stage.
func (s *parse) Process(ctx context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	if in.Schema().HasField(pipeline.ColGivenText) {
		return s.given(ctx, in, report)
	}
	column, err := schemas.Column[*array.String](in, schemas.ColText)
	if err != nil {
		return nil, err
	}
	texts := make([]string, column.Len())
	for i := range texts {
		texts[i] = column.Value(i)
	}
	parsed := make([]schemas.Parsed, len(texts))
	if err := s.parser.Parse(ctx, texts, parsed); err != nil {
		return nil, err
	}
	a := s.assign(report)
	defer a.b.Release()
	for i := range parsed {
		a.add(i, &parsed[i])
	}
	return a.to(in), nil
}

// assigned are the columns of a batch that is being parsed, row by row.
type assigned struct {
	b      *schemas.ParsedBuilder
	report *pipeline.Report
	whose  whose
	asks   bool // whether a model is asked
}

func (s *parse) assign(report *pipeline.Report) *assigned {
	_, asks := s.parser.(*llmparse.Parser)
	return &assigned{b: schemas.NewParsedBuilder(s.env.Mem), report: report, asks: asks}
}

// add appends row i, of which the parser said p.
func (a *assigned) add(i int, p *schemas.Parsed) {
	a.b.Append(p)
	a.whose.add(p)
	if p.Reject != "" {
		a.report.Reject(i, p.Reject, p.Detail)
		return
	}
	countGraph(p, a.report)
}

// to assigns the columns to the batch.
func (a *assigned) to(in arrow.Record) arrow.Record {
	if a.asks {
		a.whose.tell(a.report)
	}
	return schemas.Assign(in, schemas.ParseFields(), a.b.NewColumns())
}

func countGraph(p *schemas.Parsed, report *pipeline.Report) {
	report.Stat("objects", int64(len(p.Graph.Objects)))
	report.Stat("relations", int64(len(p.Graph.Relations)))
	switch {
	case len(p.Graph.Objects) == 0:
		report.Stat("empty_graphs", 1)
	case p.Confidence < schemas.Doubtful:
		report.Stat("doubtful_graphs", 1)
	}
}
