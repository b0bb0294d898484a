package graphs

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"capgraph/internal/annotated"
	"capgraph/internal/portable"
)

// AnnotatedComparison compares two parsers' graphs of the same captions with annotated ones.
type AnnotatedComparison struct {
	A, B  *AnnotatedScore
	most  int
	kinds [3]differenceKind // captions whose graph in B is nearer to the gold, in A is nearer, or both are as near
}

type differenceKind struct {
	n     int
	first []captionDifference
}

// captionDifference is a caption with the differences between each of the two graphs and the gold.
type captionDifference struct {
	caption string
	of      [2]Miss
}

// NewAnnotatedComparison returns a comparison that keeps at most most captions of each kind, or all
// if most is 0.
func NewAnnotatedComparison(most int) *AnnotatedComparison {
	return &AnnotatedComparison{A: NewAnnotatedScore(), B: NewAnnotatedScore(), most: most}
}

// Add counts the graphs a and b of gold's caption.
func (c *AnnotatedComparison) Add(a, b, gold *annotated.Row) {
	d := captionDifference{caption: gold.Text}
	d.of[0].Missing, d.of[0].Extra = c.A.Add(a, gold)
	d.of[1].Missing, d.of[1].Extra = c.B.Add(b, gold)
	if slices.Equal(d.of[0].Missing, d.of[1].Missing) && slices.Equal(d.of[0].Extra, d.of[1].Extra) {
		return
	}
	last := len(c.A.captions) - 1
	before, now := c.A.captions[last].total.F1(), c.B.captions[last].total.F1()
	k := &c.kinds[2]
	switch {
	case now > before:
		k = &c.kinds[0]
	case now < before:
		k = &c.kinds[1]
	}
	k.n++
	if c.most == 0 || len(k.first) < c.most {
		k.first = append(k.first, d)
	}
}

// bootstrapDraws is the number of draws of an interval.
const bootstrapDraws = 1000

// f1Difference returns by how much B's tuple F1 exceeds A's on the captions selected by in. low and
// high bound the middle 95 % of the difference on captions drawn with replacement (the percentile
// bootstrap of Efron 1979). The draws are a hash of name. All are 0 without captions.
func (c *AnnotatedComparison) f1Difference(name string, in func(s *scoredCaption) bool) (difference, low, high float64) {
	var rows [][2]Count
	for i := range c.A.captions {
		if in(&c.A.captions[i]) {
			rows = append(rows, [2]Count{c.A.captions[i].total, c.B.captions[i].total})
		}
	}
	if len(rows) == 0 {
		return 0, 0, 0
	}
	of := func(row func(i int) [2]Count) float64 {
		var sum [2]Count
		for i := range rows {
			r := row(i)
			sum[0].addCount(r[0])
			sum[1].addCount(r[1])
		}
		return sum[1].F1() - sum[0].F1()
	}
	seed := sha256.Sum256([]byte("bootstrap\x00tuple F1\x00" + name))
	numbers := portable.SplitMix64(binary.LittleEndian.Uint64(seed[:]))
	drawn := make([]float64, bootstrapDraws)
	for k := range drawn {
		drawn[k] = of(func(int) [2]Count { return rows[numbers.IntN(len(rows))] })
	}
	slices.Sort(drawn)
	const outside = bootstrapDraws / 40 // of 2.5 % on either side
	return of(func(i int) [2]Count { return rows[i] }), drawn[outside-1], drawn[bootstrapDraws-outside]
}

// Write writes the comparison for people to read, in per cent.
func (c *AnnotatedComparison) Write(w io.Writer) error {
	fmt.Fprintf(w, "%-12s %8s %7s %7s %11s  %s\n", "tuple F1", "captions", "A", "B", "difference", "95 %")
	line := func(a, b *AnnotatedBin, in func(s *scoredCaption) bool) {
		if a.Captions == 0 {
			return
		}
		d, low, high := c.f1Difference(a.Name, in)
		s, t := a.Total(), b.Total()
		fmt.Fprintf(w, "%-12s %8d %7s %7s %+11.1f  %.1f to %.1f\n", a.Name, a.Captions, formatPercent(s.F1(), s.Found+s.Gold), formatPercent(t.F1(), t.Found+t.Gold), 100*d, 100*low, 100*high)
	}
	line(&c.A.All, &c.B.All, func(*scoredCaption) bool { return true })
	for i := range c.A.Sources {
		line(&c.A.Sources[i], &c.B.Sources[i], func(s *scoredCaption) bool { return s.source == c.A.Sources[i].Name })
	}
	for i := range c.A.Lengths {
		line(&c.A.Lengths[i], &c.B.Lengths[i], func(s *scoredCaption) bool { return s.length == i })
	}
	for k, name := range []string{"nearer to the gold in B", "nearer to the gold in A", "as near in both"} {
		kind := &c.kinds[k]
		if kind.n == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s: %d\n", name, kind.n)
		for _, d := range kind.first {
			fmt.Fprintf(w, "  %s\n", d.caption)
			for i, parser := range []string{"A", "B"} {
				writeTuples(w, parser+" lacks", d.of[i].Missing)
				writeTuples(w, parser+" has more", d.of[i].Extra)
			}
		}
		if more := kind.n - len(kind.first); more > 0 {
			fmt.Fprintf(w, "  … and %d more\n", more)
		}
	}
	return nil
}
