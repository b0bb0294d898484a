// Command served measures the graphs of a served model against annotated ones, beside the rule
// parser's for the same captions:
//
//	go run ./tools/bench/served -gold ../shared/data/written/graphs.jsonl -captions 200 -model NAME -endpoint http://127.0.0.1:8000/v1
//
// It takes captions of the development part, the same number of each source. It prints tuple F1 by source of
// both parsers and of hybrid at several thresholds, the share of replies with repairs, tokens and
// requests an hour. A second run with the same -cache needs no server.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	evalgraphs "capgraph/eval/graphs"
	"capgraph/internal/annotated"
	"capgraph/llmparse"
	"capgraph/llmparse/client"
	"capgraph/ruleparse"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

func main() {
	gold := flag.String("gold", "", "annotated graphs, as JSON lines")
	captions := flag.Int("captions", 200, "captions to ask about")
	opts := client.Defaults()
	endpoint := flag.String("endpoint", "", "base URL of the server; none: only the cache answers")
	flag.StringVar(&opts.Model, "model", "", "the model's name at the server")
	flag.StringVar(&opts.Cache, "cache", "replies", "folder of the replies")
	flag.StringVar(&opts.Reply, "reply", opts.Reply, "form of the replies: auto, schema or plain")
	flag.IntVar(&opts.MaxInFlight, "max-in-flight", opts.MaxInFlight, "requests in flight")
	flag.Parse()
	if *endpoint != "" {
		opts.Endpoints = []string{*endpoint}
	}
	if err := measure(os.Stdout, *gold, *captions, opts); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// graph is the graph of a caption by one parser.
type graph struct {
	row        annotated.Row
	confidence float64
	bad        string // why the model gave no graph, which is then empty
}

func measure(w io.Writer, gold string, captions int, opts client.Options) error {
	rows, err := sampleRows(gold, captions)
	if err != nil {
		return err
	}
	rules, err := ruleparse.New()
	if err != nil {
		return err
	}
	// Without log-probabilities, confidence is the share of a reply that needed no repair.
	opts.LogProbs, opts.OnBad, opts.UnusableShare = false, client.OnBadReject, 1
	p, err := llmparse.New(opts, rules)
	if err != nil {
		return err
	}
	defer p.Close()
	p.SetWarn(func(text string) { fmt.Fprintln(os.Stderr, text) })
	texts := make([]string, len(rows))
	for i := range rows {
		texts[i] = rows[i].Text
	}
	began := time.Now()
	answers := make([]schemas.Parsed, len(rows))
	if err := p.Parse(context.Background(), texts, answers); err != nil {
		return err
	}
	took := time.Since(began)
	byRules, byModel := make([]graph, len(rows)), make([]graph, len(rows))
	for i, text := range texts {
		var parsed schemas.Parsed
		rules.ParseText(text, &parsed)
		parsed.Graph.RemoveDenied() // annotated graphs have no denied objects
		byRules[i] = graph{annotated.FromParsed(text, &parsed), float64(parsed.Confidence), ""}
		byModel[i] = graph{annotated.FromParsed(text, &answers[i]), float64(answers[i].Confidence), answers[i].Reject}
	}
	fmt.Fprintf(w, "%d captions of the development part of %s; %s, prompt %s\n\n", len(rows), gold, opts.Model, llmparse.PromptVersion)
	writeScores(w, rows, byRules, byModel)
	writeReplies(w, byModel, p.Stats(), took)
	return p.Close()
}

// sampleRows returns rows of the development part of a file, the same number of each source, chosen by a
// hash.
func sampleRows(file string, captions int) ([]annotated.Row, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	bySource := map[string][]annotated.Row{}
	for row, err := range annotated.Read(f, file) {
		if err != nil {
			return nil, err
		}
		if annotated.IsDevelopment(row.Text) {
			bySource[row.Source] = append(bySource[row.Source], row)
		}
	}
	var rows []annotated.Row
	sources := slices.Sorted(maps.Keys(bySource))
	for i, source := range sources {
		all := bySource[source]
		slices.SortFunc(all, func(a, b annotated.Row) int { return cmp.Compare(scenegraph.TextID(a.Text), scenegraph.TextID(b.Text)) })
		rows = append(rows, all[:min(len(all), captions*(i+1)/len(sources)-captions*i/len(sources))]...)
	}
	return rows, nil
}

// thresholds are the thresholds at which hybrid is measured.
var thresholds = []float64{0.3, 0.5, 0.7}

// writeScores prints tuple F1 by source, and F1 by kind over all. Captions without a usable reply
// get the rule parser's graph, as in a run.
func writeScores(w io.Writer, rows []annotated.Row, byRules, byModel []graph) {
	orRules := func(i int) graph {
		if byModel[i].bad != "" {
			return byRules[i]
		}
		return byModel[i]
	}
	writeHeader(w)
	writeScore(w, "rules", rows, func(i int) (graph, bool) { return byRules[i], false })
	writeScore(w, "model", rows, func(i int) (graph, bool) { return orRules(i), true })
	for _, t := range thresholds {
		writeScore(w, fmt.Sprintf("hybrid %.1f", t), rows, func(i int) (graph, bool) {
			if byRules[i].confidence >= t {
				return byRules[i], false
			}
			return orRules(i), true
		})
	}
}

func writeHeader(w io.Writer) {
	fmt.Fprintf(w, "%-12s %6s %6s %6s %6s %6s %8s %10s %9s %10s\n", "", "asked", "coco", "cc3m", "web", "all", "objects", "attributes", "relations", "unlabelled")
}

// writeScore prints a line for a parser. of returns the graph of a caption, and whether it needed a request.
func writeScore(w io.Writer, name string, rows []annotated.Row, of func(i int) (graph, bool)) {
	score := evalgraphs.NewAnnotatedScore()
	asked := 0
	for i := range rows {
		g, request := of(i)
		if request {
			asked++
		}
		score.Add(&g.row, &rows[i])
	}
	fmt.Fprintf(w, "%-12s %5.1f%%", name, 100*float64(asked)/float64(len(rows)))
	for _, source := range []string{"coco", "cc3m", "web"} {
		f1 := 0.0
		for _, b := range score.Sources {
			if b.Name == source {
				total := b.Total()
				f1 = total.F1()
			}
		}
		fmt.Fprintf(w, " %6.1f", 100*f1)
	}
	all := score.All.Total()
	fmt.Fprintf(w, " %6.1f", 100*all.F1())
	for i, kind := range []int{annotated.ObjectTuple, annotated.AttributeTuple, annotated.RelationTuple, annotated.UnlabelledTuple} {
		fmt.Fprintf(w, " %*.1f", []int{8, 10, 9, 10}[i], 100*score.All.Kinds[kind].F1())
	}
	fmt.Fprintln(w)
}

// writeReplies prints how many replies were usable and how many repaired, and the time for those that were
// not cached.
func writeReplies(w io.Writer, byModel []graph, s client.Stats, took time.Duration) {
	usable, repaired := 0, 0
	for _, g := range byModel {
		if g.bad == "" {
			usable++
			if g.confidence < 1 {
				repaired++
			}
		}
	}
	fmt.Fprintf(w, "\nusable replies %d of %d%s; repaired %d (%.1f %%)%s\n", usable, len(byModel), formatCounts(s.Bad), repaired, 100*float64(repaired)/float64(max(usable, 1)), formatCounts(s.Repairs))
	if s.Requests == 0 {
		return
	}
	requests := float64(s.Requests)
	fmt.Fprintf(w, "%d requests%s; %.0f tokens of prompt and %.0f of reply each; %.0f an hour\n",
		s.Requests, formatCounts(s.Failures), float64(s.TokensIn)/requests, float64(s.TokensOut)/requests, requests/took.Hours())
}

// formatCounts returns counts by name in brackets; "" if there are none.
func formatCounts(counts map[string]int64) string {
	if len(counts) == 0 {
		return ""
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
