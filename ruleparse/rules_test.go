package ruleparse

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

func TestEveryRuleChangesItsExample(t *testing.T) {
	with, without := newParser(t), newParser(t)
	var a, b schemas.Parsed
	for _, r := range rules {
		without.without = map[string]bool{r.name: true}
		with.ParseText(r.example, &a)
		without.ParseText(r.example, &b)
		if got := brief(&b.Graph); got == brief(&a.Graph) {
			t.Errorf("%s: %q: the same graph without the rule: %s", r.name, r.example, got)
		}
	}
}

func TestRulesKeepAnAnalysisWhole(t *testing.T) {
	p := newParser(t)
	for _, text := range sampleCaptions(t) {
		var w work
		p.read(&w, text)
		x := p.analyse(&w.decoder, w.spans)
		if err := x.check(w.spans); err != nil {
			t.Fatalf("%q: before the rules: %v", text, err)
		}
		for _, r := range rules {
			if r.mend == nil {
				continue
			}
			r.mend(x, w.spans)
			if err := x.check(w.spans); err != nil {
				t.Errorf("%q: after %s: %v", text, r.name, err)
				break
			}
		}
	}
}

// check says what of an analysis is not as the rules rely on.
func (x *analysis) check(ts []span) error {
	in := make([]bool, len(ts))
	for i, n := range x.nodes {
		if n.from >= n.to || i > 0 && x.nodes[i-1].to > n.from {
			return fmt.Errorf("node %d is from token %d to %d, after one to %d", i, n.from, n.to, x.nodes[max(i-1, 0)].to)
		}
		for k := n.from; k < n.to; k++ {
			in[k] = true
		}
	}
	if !slices.Equal(in, x.inNode) {
		return fmt.Errorf("tokens in nodes are %v, and the analysis has %v", in, x.inNode)
	}
	for i, l := range x.links {
		if i > 0 && l.attribute < x.links[i-1].attribute {
			return fmt.Errorf("link %d is of attribute %d, after one of %d", i, l.attribute, x.links[i-1].attribute)
		}
		if a, o := &x.nodes[l.attribute], &x.nodes[l.object]; !a.attribute || o.attribute {
			return fmt.Errorf("link %d gives node %d (attribute: %v) to node %d (attribute: %v)", i, l.attribute, a.attribute, l.object, o.attribute)
		}
	}
	for i, e := range x.edges {
		if i > 0 && e.b < x.edges[i-1].b {
			return fmt.Errorf("relation %d is of object %d, after one of %d", i, e.b, x.edges[i-1].b)
		}
		if e.a >= e.b || x.nodes[e.a].attribute || x.nodes[e.b].attribute {
			return fmt.Errorf("relation %d is of nodes %d (attribute: %v) and %d (attribute: %v)", i, e.a, x.nodes[e.a].attribute, e.b, x.nodes[e.b].attribute)
		}
		if c := &e.candidate; c.implied == 0 && c.n == 0 {
			return fmt.Errorf("relation %d has no words", i)
		}
	}
	return nil
}

func TestTokensHaveTheTagsOfTheGraph(t *testing.T) {
	p := newParser(t)
	var out schemas.Parsed
	p.ParseText("another man watches", &out)
	if last := out.Tokens[len(out.Tokens)-1]; last.Tag != "VBZ" || brief(&out.Graph) != "man[;watches]" {
		t.Errorf("%v, %s", last, brief(&out.Graph))
	}
}

// sampleCaptions are captions of the corpora in the repository and, where they are, in
// ../shared.
func sampleCaptions(t testing.TB) (texts []string) {
	for _, c := range slices.Concat(constructions, nounPhrases, relations) {
		texts = append(texts, c.text)
	}
	if corpus, err := os.ReadFile("../testdata/cc12m.tsv"); err == nil {
		for line := range strings.Lines(string(corpus)) {
			_, caption, _ := strings.Cut(strings.TrimSpace(line), "\t")
			texts = append(texts, caption)
		}
	}
	for _, name := range []string{"graphs", "long"} {
		f, err := os.Open("../../shared/data/written/" + name + ".jsonl")
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

// With -v it counts the graphs of the sample that each rule changes.
func TestEveryRuleIsNeeded(t *testing.T) {
	if _, err := os.Stat("../../shared/data/written"); err != nil {
		t.Skipf("some rules are for captions that are not in the repository: %v", err)
	}
	texts := sampleCaptions(t)
	with, without := newParser(t), newParser(t)
	var a, b schemas.Parsed
	for _, r := range rules {
		without.without = map[string]bool{r.name: true}
		n := 0
		for _, text := range texts {
			if n > 0 && !testing.Verbose() {
				break
			}
			with.ParseText(text, &a)
			without.ParseText(text, &b)
			if brief(&a.Graph) != brief(&b.Graph) {
				n++
			}
		}
		t.Logf("%-16s changes %5d of %d graphs", r.name, n, len(texts))
		if n == 0 {
			t.Errorf("%s changes no graph", r.name)
		}
	}
}

func TestLeaveOut(t *testing.T) {
	p := newParser(t)
	if err := p.LeaveOut("settle", "setle"); err == nil || !strings.Contains(err.Error(), `"setle"`) || !strings.Contains(err.Error(), "settle, ") {
		t.Errorf("a rule that is not there: %v", err)
	}
	var with, without schemas.Parsed
	const text = "a black dog near sheets"
	p.ParseText(text, &with)
	if err := p.LeaveOut("beside"); err != nil {
		t.Fatal(err)
	}
	p.ParseText(text, &without)
	if brief(&with.Graph) == brief(&without.Graph) {
		t.Errorf("the same graph without the rule: %s", brief(&with.Graph))
	}
	if err := p.LeaveOut(); err != nil {
		t.Fatal(err)
	}
	if p.ParseText(text, &without); brief(&with.Graph) != brief(&without.Graph) {
		t.Errorf("with all rules again: %s", brief(&without.Graph))
	}
}
