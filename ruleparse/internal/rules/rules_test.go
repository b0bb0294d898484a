package rules

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/model"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// A parser makes graphs by all rules or without some.
type parser struct {
	model   *model.Model
	rules   Set
	text    tokens.Text
	decoder analysis.Decoder
}

func newParser(t *testing.T) *parser {
	t.Helper()
	m, err := model.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if m.Analyst.Encoder, err = model.Encoder(); err != nil {
		t.Fatal(err)
	}
	return &parser{model: m, rules: Set{Lexicon: m.Reader.Lexicon}}
}

// analyse returns the model's analysis of text, before the rules.
func (p *parser) analyse(text string) *Reading {
	p.model.Reader.Read(&p.text, text)
	return &Reading{Analysis: p.model.Analyst.Analyse(&p.decoder, p.text.Tokens)}
}

// graph returns the graph of text as a string.
func (p *parser) graph(text string) string {
	x := p.analyse(text)
	p.rules.Correct(x, p.text.Tokens)
	var g schemas.SceneGraph
	p.rules.Build(text, p.text.Low, p.text.Tokens, x, &g)
	return fmt.Sprintf("%+v", g)
}

func TestEveryRuleChangesItsExample(t *testing.T) {
	with, without := newParser(t), newParser(t)
	for _, r := range allRules {
		if err := without.rules.LeaveOut(r.name); err != nil {
			t.Fatal(err)
		}
		if got := without.graph(r.example); got == with.graph(r.example) {
			t.Errorf("%s: %q: the same graph without the rule: %s", r.name, r.example, got)
		}
	}
}

func TestRulesKeepAnAnalysisValid(t *testing.T) {
	p := newParser(t)
	for _, text := range sampleCaptions(t) {
		x := p.analyse(text)
		if err := x.check(p.text.Tokens); err != nil {
			t.Fatalf("%q: before the rules: %v", text, err)
		}
		for _, r := range allRules {
			if r.correct == nil {
				continue
			}
			r.correct(x, p.text.Tokens)
			if err := x.check(p.text.Tokens); err != nil {
				t.Errorf("%q: after %s: %v", text, r.name, err)
				break
			}
		}
	}
}

// check returns an error if the analysis is not as the rules need it.
func (x *Reading) check(ts []tokens.Token) error {
	in := make([]bool, len(ts))
	for i, n := range x.Nodes {
		if n.From >= n.To || i > 0 && x.Nodes[i-1].To > n.From {
			return fmt.Errorf("node %d is from token %d to %d, after one to %d", i, n.From, n.To, x.Nodes[max(i-1, 0)].To)
		}
		for k := n.From; k < n.To; k++ {
			in[k] = true
		}
	}
	if !slices.Equal(in, x.InNode) {
		return fmt.Errorf("tokens in nodes are %v, and the analysis has %v", in, x.InNode)
	}
	for i, l := range x.Links {
		if i > 0 && l.Attribute < x.Links[i-1].Attribute {
			return fmt.Errorf("link %d is of attribute %d, after one of %d", i, l.Attribute, x.Links[i-1].Attribute)
		}
		if a, o := &x.Nodes[l.Attribute], &x.Nodes[l.Object]; !a.IsAttribute || o.IsAttribute {
			return fmt.Errorf("link %d gives node %d (attribute: %v) to node %d (attribute: %v)", i, l.Attribute, a.IsAttribute, l.Object, o.IsAttribute)
		}
	}
	for i, e := range x.Edges {
		if i > 0 && e.B < x.Edges[i-1].B {
			return fmt.Errorf("relation %d is of object %d, after one of %d", i, e.B, x.Edges[i-1].B)
		}
		if e.A >= e.B || x.Nodes[e.A].IsAttribute || x.Nodes[e.B].IsAttribute {
			return fmt.Errorf("relation %d is of nodes %d (attribute: %v) and %d (attribute: %v)", i, e.A, x.Nodes[e.A].IsAttribute, e.B, x.Nodes[e.B].IsAttribute)
		}
		if c := &e.Candidate; c.Implied == 0 && c.N == 0 {
			return fmt.Errorf("relation %d has no words", i)
		}
	}
	return nil
}

// sampleCaptions returns captions of the corpora in the repository and, if they are there, in
// ../shared.
func sampleCaptions(t testing.TB) (texts []string) {
	if corpus, err := os.ReadFile("../../../testdata/cc12m.tsv"); err == nil {
		for line := range strings.Lines(string(corpus)) {
			_, caption, _ := strings.Cut(strings.TrimSpace(line), "\t")
			texts = append(texts, caption)
		}
	}
	for _, name := range []string{"graphs", "long"} {
		f, err := os.Open("../../../../shared/data/written/" + name + ".jsonl")
		if err != nil {
			t.Logf("without ../shared/data: %v", err)
			continue
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var row struct{ Text string }
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, row.Text)
		}
	}
	return texts
}

// sourceCaptions returns 7,000 captions each of COCO's validation part, CC3M and the web.
func sourceCaptions(t testing.TB) map[string][]string {
	const folder, count = "../../../../shared/data/", 7000
	raw, err := os.ReadFile(folder + "coco/captions_val2017.json")
	if err != nil {
		t.Skipf("some rules are for captions that are not in the repository: %v", err)
	}
	var file struct{ Annotations []struct{ Caption string } }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	texts := map[string][]string{}
	for _, a := range file.Annotations[:count] {
		texts["COCO"] = append(texts["COCO"], a.Caption)
	}
	if raw, err = os.ReadFile(folder + "cc3m/cc3m_val_first8000.tsv"); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.SplitN(string(raw), "\n", count+1)[:count] {
		caption, _, _ := strings.Cut(line, "\t")
		texts["CC3M"] = append(texts["CC3M"], caption)
	}
	for _, name := range []string{"train_5000", "train_more"} {
		rows, err := parquet.ReadFile[struct {
			Text string `parquet:"TEXT,optional"`
		}](folder + "webalt/" + name + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows[:min(len(rows), count-len(texts["web"]))] {
			texts["web"] = append(texts["web"], r.Text)
		}
	}
	return texts
}

// variant returns the graph of an analysed text by a set of rules, which change neither.
func (p *parser) variant(text string, s *Set, analysed *analysis.Analysis) string {
	x, ts := *analysed, slices.Clone(p.text.Tokens)
	x.Nodes, x.InNode, x.TokenScores = slices.Clone(x.Nodes), slices.Clone(x.InNode), slices.Clone(x.TokenScores)
	x.Links, x.Edges = slices.Clone(x.Links), slices.Clone(x.Edges)
	reading := Reading{Analysis: &x}
	s.Correct(&reading, ts)
	var g schemas.SceneGraph
	s.Build(text, p.text.Low, ts, &reading, &g)
	return fmt.Sprintf("%+v", g)
}

// With -v it counts the graphs of each source that each rule changes, and takes minutes.
func TestEveryRuleIsNeeded(t *testing.T) {
	sources := sourceCaptions(t)
	p := newParser(t)
	if !testing.Verbose() {
		p.model.Analyst.Encoder = nil
	}
	without := map[string]*Set{}
	for _, r := range allRules {
		s := p.rules
		if err := s.LeaveOut(r.name); err != nil {
			t.Fatal(err)
		}
		without[r.name] = &s
	}
	counts := map[string]map[string]int{}
	for i := range sources["COCO"] {
		for source, texts := range sources {
			if len(without) == 0 {
				return
			}
			text := texts[i]
			x := p.analyse(text)
			with := p.variant(text, &p.rules, x.Analysis)
			for name, s := range without {
				if p.variant(text, s, x.Analysis) == with {
					continue
				}
				if counts[name] == nil {
					counts[name] = map[string]int{}
				}
				if counts[name][source]++; !testing.Verbose() {
					delete(without, name)
				}
			}
		}
	}
	for _, r := range allRules {
		if without[r.name] == nil {
			continue
		}
		t.Logf("%-23s changes %v of 7,000 each", r.name, counts[r.name])
		if counts[r.name] == nil {
			t.Errorf("%s changes no graph", r.name)
		}
	}
}
