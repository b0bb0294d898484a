package stages

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/llmparse"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// Figures of whose the graphs are, where a model is asked.
const (
	byModel = "by_model" // the model's; there also where it has none
	byRules = "by_rules" // the rule parser's, which was sure of them
)

// whose counts whose the graphs of a batch are.
type whose struct {
	model, rules int64
	fell         map[string]int64 // the rule parser's for want of a usable reply, by reason
}

func (w *whose) add(p *schemas.Parsed) {
	switch {
	case p.Reject != "":
	case p.FellBack != "":
		if w.fell == nil {
			w.fell = map[string]int64{}
		}
		w.fell[p.FellBack]++
	case strings.HasPrefix(p.Parser, llmparse.Name+" "):
		w.model++
	default:
		w.rules++
	}
}

func (w *whose) tell(report *pipeline.Report) {
	report.Stat(byModel, w.model)
	if w.rules > 0 {
		report.Stat(byRules, w.rules)
	}
	for reason, n := range w.fell {
		report.Stat(fellBack+reason, n)
	}
}

// tellWhose says what share of the graphs is whose; empty where no model was
// asked.
func tellWhose(stats map[string]int64, rows int64) string {
	model, asks := stats[byModel]
	if !asks {
		return ""
	}
	share := func(n int64) float64 { return 100 * float64(n) / float64(rows) }
	text := fmt.Sprintf("graphs: %.1f %% the model's", share(model))
	if sure := stats[byRules]; sure > 0 {
		text += fmt.Sprintf(", %.1f %% the rule parser's, which was sure of them", share(sure))
	}
	fell, why := withPrefix(stats, fellBack)
	if brought := rows - model - stats[byRules] - fell; brought > 0 {
		text += fmt.Sprintf(", %.1f %% the source's", share(brought))
	}
	if fell > 0 {
		text += fmt.Sprintf(", %.1f %% the rule parser's for want of a usable reply (%s)", share(fell), why)
	}
	return text
}

// leastReplies is how many replies a shard has at least that is judged by itself.
const leastReplies = 50

// rejectedReply begins the reasons of rows that were left out for their reply.
const rejectedReply = "llm_"

// check is the error of a shard, or of the whole pass, in which a larger share of
// the replies is of no use than the settings allow. What nobody was asked for does
// not count.
func (p *parsers) check(shard string, stats, rejects map[string]int64, o *llmparse.Options) error {
	model, asks := stats[byModel]
	if !asks {
		return nil
	}
	bad := map[string]int64{}
	for prefix, figures := range map[string]map[string]int64{fellBack: stats, rejectedReply: rejects} {
		for name, n := range figures {
			if reason, ok := strings.CutPrefix(name, prefix); ok && reason != llmparse.NotAsked {
				bad[reason] += n
			}
		}
	}
	useless, reasons := withPrefix(bad, "")
	all := useless + model
	if float64(useless) <= o.UnusableShare*float64(all) || shard != folder.Whole && all < leastReplies {
		return nil
	}
	worst := ""
	if p.asked != nil {
		p.asked.AskAnew()
		if worst = p.asked.Worst(); worst != "" {
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

// fellBack begins the names of the figures that count, by reason, the graphs of
// the rule parser that stand in for the model's.
const fellBack = "fell_back_"

// tellFallen says how many graphs stand in for the model's and what can be done;
// empty where none do. cache is the folder of the replies.
func (p *parsers) tellFallen(stats map[string]int64, cache string) string {
	all, reasons := withPrefix(stats, fellBack)
	if all == 0 {
		return ""
	}
	said := ""
	if p.asked != nil {
		said = lastFailure(p.asked.Stats())
	}
	return fmt.Sprintf("%d %s the rule parser's, for want of a usable reply (%s)%s: %s, and parse again with --redo parse; parse.on_bad_reply=reject leaves such rows out",
		all, text.Plural(all, "graph is", "graphs are"), reasons, said, mendReplies(cache))
}

// lastFailure is what a server said last of a request that it did not answer, to
// be appended; empty where this process had none.
func lastFailure(s llmparse.Stats) string {
	if s.LastFailure == "" {
		return ""
	}
	return "; the last server to fail said " + strconv.Quote(s.LastFailure)
}

// mendReplies is what can be done about replies that are missing or unusable.
func mendReplies(cache string) string {
	return fmt.Sprintf("see that parse.endpoints or parse.cache (%s) has the replies, drop unusable ones with 'capgraph cache prune %s --unusable' "+
		"(what was declined or unanswered is not stored, and is asked again)", cache, text.Quote(cache))
}

// withPrefix adds figures up whose names begin with a prefix, and lists them.
func withPrefix(stats map[string]int64, prefix string) (all int64, list string) {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(stats)) {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			all += stats[name]
			parts = append(parts, fmt.Sprintf("%d %s", stats[name], rest))
		}
	}
	return all, strings.Join(parts, ", ")
}
