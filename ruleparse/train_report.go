package ruleparse

import (
	"fmt"
	"io"
	"strings"

	"capgraph/scenegraph"
	"capgraph/schemas"
)

// reportHoldout prints set match and tuple F1 by length on rows that were not
// trained on.
func reportHoldout(model string, captions []string, gold [][]Triple, log io.Writer) error {
	p, err := read(model)
	if err != nil {
		return err
	}
	type sums struct{ n, match, right, found, want int }
	var by [5]sums
	var out schemas.Parsed
	for i, c := range captions {
		p.ParseText(c, &out)
		got, want := scenegraph.Tuples(p.Triples(&out.Graph)), scenegraph.Tuples(gold[i])
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
