package train

import (
	"fmt"
	"io"
	"text/tabwriter"

	"capgraph/internal/plural"
)

// made is memory that a step takes for something: n times so many bytes.
type made struct {
	of, what string
	n        int
	bytes    int64
}

// made is what a step takes, after one was made: what each tower keeps for its
// gradients, block by block, and the rest. Of several chunks it is that of the first.
func (s *stepper) made() []made {
	element := int64(s.model.Device.ElementBytes())
	var all []made
	add := func(of, what string, n, elements int) {
		if n*elements > 0 {
			all = append(all, made{of, what, n, int64(elements) * element})
		}
	}
	for _, e := range []struct {
		*encoder
		of string
	}{{&s.image, "image tower"}, {&s.text, "text tower"}} {
		tape := e.tape
		if len(e.chunks) == 0 {
			continue
		}
		e.begin(e.chunks[0], e.learns, false)
		before, after := tape.Arena.Used(), 0
		if n := len(tape.Parts); n > 0 {
			before, after = tape.Parts[0][0], tape.Arena.Used()-tape.Parts[n-1][1]
		}
		add(e.of, "before its blocks", 1, before)
		for i, n := 0, 1; i < len(tape.Parts); i, n = i+n, 1 {
			kept := func(i int) int { return tape.Parts[i][1] - tape.Parts[i][0] }
			for i+n < len(tape.Parts) && kept(i+n) == kept(i) {
				n++
			}
			add(e.of, plural.Of(n, "block", "blocks"), n, kept(i))
		}
		add(e.of, "after its blocks", 1, after)
		add(e.of, "gradients, a block at a time", 1, tape.Arena.Top()-tape.Arena.Used())
	}
	if scratch := s.image.tape.Scratch; scratch != nil {
		add("both towers", "a block that is made again", 1, scratch.Arena.Top())
	}
	if b := s.binder; b != nil {
		add("binding", "an image with all graphs", 1, b.scores.Arena.Top())
		add("binding", "words, and gradients of patches", 1, b.words.Arena.Top())
	}
	add("losses", "features, similarities, their gradients", 1, s.loss.Arena.Top())
	return append(all, made{"images", "pixels", 1, int64(len(s.pixels))})
}

// write lists what the memory of a step is for.
func (n need) write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nwhat a step makes\t\teach\ttogether")
	last := ""
	for _, p := range n.parts {
		of, what, each := p.of, p.what, ""
		if of == last {
			of = ""
		}
		if p.n > 1 {
			what, each = fmt.Sprintf("%d %s", p.n, what), inBytes(p.bytes)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", of, what, each, inBytes(int64(p.n)*p.bytes))
		last = p.of
	}
	return t.Flush()
}
