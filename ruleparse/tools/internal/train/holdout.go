package train

import (
	"fmt"
	"io"
	"strings"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/model"
	"capgraph/ruleparse/internal/rules"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// reportHoldout prints set match and tuple F1, by caption length, for held-out rows.
func reportHoldout(file string, captions []string, gold [][]scenegraph.Triple, log io.Writer) error {
	m, err := model.Read(file)
	if err != nil {
		return err
	}
	set := rules.Set{Lexicon: m.Reader.Lexicon}
	var text tokens.Text
	var d analysis.Decoder
	var r rules.Reading
	type sums struct{ n, match, right, found, want int }
	var by [5]sums
	var g schemas.SceneGraph
	for i, c := range captions {
		g.Reset()
		m.Reader.Read(&text, c)
		r.Analysis = m.Analyst.Analyse(&d, text.Tokens)
		set.Correct(&r, text.Tokens)
		set.Build(c, text.Low, text.Tokens, &r, &g)
		got, want := scenegraph.Tuples(m.Rewriter.Triples(&g, false)), scenegraph.Tuples(gold[i])
		right := 0
		for t := range got {
			if want[t] {
				right++
			}
		}
		words := len(strings.Fields(c))
		k := 4
		switch {
		case words <= 4:
			k = 1
		case words <= 7:
			k = 2
		case words <= 10:
			k = 3
		}
		for _, k := range [...]int{0, k} {
			s := &by[k]
			s.n++
			if right == len(want) && right == len(got) {
				s.match++
			}
			s.right, s.found, s.want = s.right+right, s.found+len(got), s.want+len(want)
		}
	}
	for k, name := range [...]string{"all", "up to 4 words", "5-7", "8-10", "more"} {
		s := by[k]
		fmt.Fprintf(log, "%-14s %5d captions: set match %.2f, tuple F1 %.2f\n", name, s.n, 100*float64(s.match)/float64(max(1, s.n)), 200*float64(s.right)/float64(max(1, s.found+s.want)))
	}
	return nil
}
