package stages

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"capgraph/clean"
	"capgraph/config"
	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/internal/usage"
	"capgraph/llmparse"
	"capgraph/llmparse/client"
	"capgraph/llmparse/replies"
	"capgraph/pipeline"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// tagger makes the tokens of a text that has a graph already.
type tagger interface {
	Tokens(text string, out []schemas.Token) []schemas.Token
}

// parsers is the parser that the recipe selects, with what the pass needs to know about it.
type parsers struct {
	// opens the parser
	open func() (schemas.Parser, error)
	// returns an error if the parser cannot start; may be nil
	checkAnswerable func() error
	// name and version of the parser
	version string
	// the settings that graphs depend on
	settings any
	// largest number of batches that it works on at once
	inFlight int
	rules    *ruleparse.Parser
	// tags the texts of graphs that come from the source
	tagger tagger
	llm    *llmparse.Parser // the parser that this process opened; may be nil
}

// rulesSettings are the settings of the rule parser, which has none.
type rulesSettings struct {
	Parser string `yaml:"parser"`
}

// modelSettings are the settings of a parser that asks a model.
type modelSettings struct {
	Parser string `yaml:"parser"`
	Model  any    `yaml:"llm"`
}

func newParsers(c *config.Config) (*parsers, error) {
	rules, err := ruleparse.NewReader(c.Parse.Reader())
	if err != nil {
		return nil, err
	}
	ready := sync.OnceValue(func() error { return useDevice(rules, &c.Parse) })
	p := &parsers{
		open:            func() (schemas.Parser, error) { return rules, ready() },
		checkAnswerable: ready,
		version:         rules.Name(), settings: rulesSettings{c.Parse.Parser}, rules: rules, tagger: rules,
	}
	if !c.Parse.AsksModel() {
		return p, nil
	}
	p.version += " " + llmparse.Name
	p.settings = modelSettings{c.Parse.Parser, llmparse.Settings(&c.Parse.Options)}
	p.inFlight = batchesInFlight(c)
	p.checkAnswerable = func() error { return checkHasReplies(&c.Parse.Options) }
	p.open = func() (schemas.Parser, error) {
		open := llmparse.New
		if c.Parse.Parser == config.ParserHybrid {
			open = llmparse.NewHybrid
		}
		var err error
		if p.llm, err = open(c.Parse.Options, rules); err != nil {
			return nil, err
		}
		return p.llm, nil
	}
	return p, nil
}

// useDevice makes the encoder of a parser compute on the device that the recipe names.
func useDevice(p *ruleparse.Parser, c *config.Parse) error {
	if err := p.UseDevice(c.Device); err != nil {
		return &usage.Error{Text: "parse." + err.Error()}
	}
	return nil
}

// checkHasReplies returns an error if no question can be answered: the API key is missing, or there
// is neither an endpoint nor a reply in the cache.
func checkHasReplies(o *client.Options) error {
	if _, err := o.Key(); err != nil {
		return &usage.Error{Text: "parse." + err.Error()}
	}
	if len(o.Endpoints) > 0 {
		return nil
	}
	has, err := replies.HasAny(o.Cache)
	if err != nil || has {
		return err
	}
	return usage.Errorf("parse.cache: there are no replies in %s, and parse.endpoints is empty: "+
		"name the folder of the replies, as it is seen from where capgraph is started, or a server", o.Cache)
}

// maxBatches bounds the memory of batches that wait for a model.
const maxBatches = 64

// batchesInFlight returns how many batches to hold at once. They have several times as many rows as
// there may be requests in flight, since a batch ends with its slowest request. A hybrid asks for
// few rows of a batch, so it holds more batches.
func batchesInFlight(c *config.Config) int {
	const rows = 1024 // of a batch, approximately
	n := 4 + 4*c.Parse.MaxInFlight*len(c.Parse.Endpoints)/rows
	if c.Parse.Parser == config.ParserHybrid {
		n *= 4
	}
	return min(n, maxBatches)
}

// CountUnsure returns how many of about n captions of the corpus a hybrid parser would ask the
// model for: those for which the rule parser's confidence is below parse.threshold. Captions that
// cleaning rejects are left out.
func CountUnsure(ctx context.Context, c *config.Config, corpus *pipeline.Corpus, n int) (unsure, sampled int, err error) {
	cleaner, err := clean.New(c.Clean)
	if err != nil {
		return 0, 0, err
	}
	rules, err := ruleparse.NewReader(c.Parse.Reader())
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

// Statistics of the parsers that made the graphs, recorded if a model is asked.
const (
	byModel = "by_model" // graphs of the model, including rejected ones
	byRules = "by_rules" // graphs of the rule parser that were sure enough
)

// parserCounts counts the graphs of a batch by the parser that made them.
type parserCounts struct {
	model, rules int64
	fallbacks    map[string]int64 // graphs of the rule parser because the model's reply was missing or unusable, by reason
}

func (w *parserCounts) addGraph(p *schemas.Parsed) {
	switch {
	case p.Reject != "":
	case p.FellBack != "":
		if w.fallbacks == nil {
			w.fallbacks = map[string]int64{}
		}
		w.fallbacks[p.FellBack]++
	case strings.HasPrefix(p.Parser, llmparse.Name+" "):
		w.model++
	default:
		w.rules++
	}
}

func (w *parserCounts) reportTo(report *pipeline.Report) {
	report.AddStat(byModel, w.model)
	if w.rules > 0 {
		report.AddStat(byRules, w.rules)
	}
	for reason, n := range w.fallbacks {
		report.AddStat(fallbackPrefix+reason, n)
	}
}

// formatParserShares returns the share of graphs that each parser made; empty if no model was
// asked.
func formatParserShares(stats map[string]int64, rows int64) string {
	model, asks := stats[byModel]
	if !asks {
		return ""
	}
	share := func(n int64) float64 { return 100 * float64(n) / float64(rows) }
	text := fmt.Sprintf("graphs: %.1f %% the model's", share(model))
	if sure := stats[byRules]; sure > 0 {
		text += fmt.Sprintf(", %.1f %% the rule parser's, which was sure of them", share(sure))
	}
	fell, why := sumByPrefix(stats, fallbackPrefix)
	if brought := rows - model - stats[byRules] - fell; brought > 0 {
		text += fmt.Sprintf(", %.1f %% the source's", share(brought))
	}
	if fell > 0 {
		text += fmt.Sprintf(", %.1f %% the rule parser's for want of a usable reply (%s)", share(fell), why)
	}
	return text
}

// minReplies is the smallest number of replies in a shard for which checkReplies checks the shard
// by itself.
const minReplies = 50

// rejectPrefix begins the reasons of rows that were rejected because of their reply.
const rejectPrefix = "llm_"

// checkReplies returns an error if the share of unusable replies in a shard, or in the whole pass,
// exceeds the limit in the settings. Questions that were not asked do not count.
func (p *parsers) checkReplies(shard string, stats, rejects map[string]int64, o *client.Options) error {
	model, asks := stats[byModel]
	if !asks {
		return nil
	}
	bad := map[string]int64{}
	for prefix, figures := range map[string]map[string]int64{fallbackPrefix: stats, rejectPrefix: rejects} {
		for name, n := range figures {
			if reason, ok := strings.CutPrefix(name, prefix); ok && reason != replies.NotAsked {
				bad[reason] += n
			}
		}
	}
	useless, reasons := sumByPrefix(bad, "")
	all := useless + model
	if float64(useless) <= o.UnusableShare*float64(all) || shard != folder.Whole && all < minReplies {
		return nil
	}
	worst := ""
	if p.llm != nil {
		p.llm.RetryUnusable()
		if worst = p.llm.DescribeUnusable(); worst != "" {
			worst = ", such as" + worst + "\n"
		}
	}
	remedy := "nothing of the shard is kept, and the next run asks for these replies again"
	if shard == folder.Whole {
		remedy = "start it again with --redo parse, which asks for these replies again"
	}
	if worst == "" {
		worst = fmt.Sprintf(" ('capgraph cache export %s' shows them); ", text.Quote(o.Cache))
	}
	return fmt.Errorf("%d of %d replies are of no use (%s), more than parse.unusable_share=%g allows%s"+
		"see that parse.endpoints serve parse.model, with its chat template, and that it follows instructions: %s; or raise parse.unusable_share",
		useless, all, reasons, o.UnusableShare, worst, remedy)
}

// fallbackPrefix begins the names of the statistics that count the rule parser's graphs in place of
// the model's, by reason.
const fallbackPrefix = "fell_back_"

// fallbackWarning returns a message about how many graphs are the rule parser's in place of the
// model's, and the remedy; "" if there are none. cache is the folder of the replies.
func (p *parsers) fallbackWarning(stats map[string]int64, cache string) string {
	all, reasons := sumByPrefix(stats, fallbackPrefix)
	if all == 0 {
		return ""
	}
	said := ""
	if p.llm != nil {
		said = formatLastFailure(p.llm.Stats())
	}
	return fmt.Sprintf("%d %s the rule parser's, for want of a usable reply (%s)%s: %s, and parse again with --redo parse; parse.on_bad_reply=reject leaves such rows out",
		all, text.Plural(all, "graph is", "graphs are"), reasons, said, repliesHint(cache))
}

// formatLastFailure returns a server's last error message, for the end of a message; "" if this
// process had no failure.
func formatLastFailure(s client.Stats) string {
	if s.LastFailure == "" {
		return ""
	}
	return "; the last server to fail said " + strconv.Quote(s.LastFailure)
}

// repliesHint returns the remedy for missing or unusable replies.
func repliesHint(cache string) string {
	return fmt.Sprintf("see that parse.endpoints or parse.cache (%s) has the replies, drop unusable ones with 'capgraph cache prune %s --unusable' "+
		"(what was declined or unanswered is not stored, and is asked again)", cache, text.Quote(cache))
}

// sumByPrefix adds up the statistics whose names begin with a prefix, and lists them.
func sumByPrefix(stats map[string]int64, prefix string) (all int64, list string) {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(stats)) {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			all += stats[name]
			parts = append(parts, fmt.Sprintf("%d %s", stats[name], rest))
		}
	}
	return all, strings.Join(parts, ", ")
}
