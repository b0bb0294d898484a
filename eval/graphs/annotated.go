package graphs

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"capgraph/internal/annotated"
)

// AnnotatedBin has the sums over the captions of one source or of one range of lengths.
type AnnotatedBin struct {
	Name     string
	Words    int // at most
	Captions int
	Whole    int // graphs with exactly the gold's objects, attributes and relations
	Kinds    [annotated.TupleKinds]Count
}

// Total counts objects, attributes and relations, as tuple F1 does.
func (b *AnnotatedBin) Total() Count { return totalOf(&b.Kinds) }

func totalOf(kinds *[annotated.TupleKinds]Count) (t Count) {
	for _, k := range []int{annotated.ObjectTuple, annotated.AttributeTuple, annotated.RelationTuple} {
		t.addCount(kinds[k])
	}
	return t
}

// AnnotatedScore compares graphs with annotated ones: over all captions, by source and by length.
type AnnotatedScore struct {
	All         AnnotatedBin
	Sources     []AnnotatedBin // in the order of their names
	Lengths     []AnnotatedBin
	Calibration Calibration
	captions    []scoredCaption
}

// scoredCaption is the source, the length bin and the counts of a caption.
type scoredCaption struct {
	source string
	length int
	total  Count
}

// NewAnnotatedScore returns an empty score.
func NewAnnotatedScore() *AnnotatedScore {
	const any = 1 << 30
	return &AnnotatedScore{All: AnnotatedBin{Name: "all"}, Lengths: []AnnotatedBin{
		{Name: "1-7 words", Words: 7}, {Name: "8-12 words", Words: 12}, {Name: "13-20 words", Words: 20}, {Name: "21-40 words", Words: 40}, {Name: "above 40", Words: any},
	}}
}

// Add counts the graph got of gold's caption and returns the tuples that are not in both.
//
// An object is identified by the end of its last word, or of any later mention in gold. Attributes
// and quantities are compared by object and words. Relations are compared by their objects and by
// their words without auxiliaries and articles. If got has an object of the gold twice, one is
// right.
func (s *AnnotatedScore) Add(got, gold *annotated.Row) (missing, extra []Triple) {
	counts, missing, extra := compareRows(got, gold)
	total := totalOf(&counts)
	whole := total.Right == total.Found && total.Right == total.Gold
	length := s.lengthBin(len(strings.Fields(gold.Text)))
	s.Calibration.Add(gold.Source, got.Confidence, total)
	s.captions = append(s.captions, scoredCaption{gold.Source, length, total})
	bins := []*AnnotatedBin{&s.All, &s.Lengths[length]}
	if gold.Source != "" {
		bins = append(bins, s.sourceBin(gold.Source))
	}
	for _, b := range bins {
		b.Captions++
		if whole {
			b.Whole++
		}
		for k := range counts {
			b.Kinds[k].addCount(counts[k])
		}
	}
	return missing, extra
}

func compareRows(got, gold *annotated.Row) (counts [annotated.TupleKinds]Count, missing, extra []Triple) {
	g, w := annotated.Tuples(got, annotated.AlignedEnds(got, gold)), annotated.Tuples(gold, annotated.ObjectEnds(gold))
	for t := range w {
		counts[t.Kind].Gold++
		if !g[t] && t.Kind != annotated.UnlabelledTuple {
			missing = append(missing, tripleOf(t, gold.Text))
		}
	}
	for t := range g {
		counts[t.Kind].Found++
		if w[t] {
			counts[t.Kind].Right++
		} else if t.Kind != annotated.UnlabelledTuple {
			extra = append(extra, tripleOf(t, gold.Text))
		}
	}
	slices.SortFunc(missing, compareTriples)
	slices.SortFunc(extra, compareTriples)
	return counts, missing, extra
}

func (s *AnnotatedScore) sourceBin(name string) *AnnotatedBin {
	i, ok := slices.BinarySearchFunc(s.Sources, name, func(b AnnotatedBin, n string) int { return strings.Compare(b.Name, n) })
	if !ok {
		s.Sources = slices.Insert(s.Sources, i, AnnotatedBin{Name: name})
	}
	return &s.Sources[i]
}

// lengthBin returns the index in s.Lengths for a number of words.
func (s *AnnotatedScore) lengthBin(words int) int {
	return min(len(s.Lengths)-1, slices.IndexFunc(s.Lengths, func(b AnnotatedBin) bool { return words <= b.Words }))
}

// WriteTable writes the score for people to read, in per cent: F1 by kind, then precision and
// recall over all captions; – if nothing was counted.
func (s *AnnotatedScore) WriteTable(w io.Writer) error {
	fmt.Fprintf(w, "%-12s %8s %6s %9s", "", "captions", "whole", "tuple F1")
	for _, name := range annotated.TupleNames {
		fmt.Fprintf(w, " %11s", name)
	}
	fmt.Fprintln(w)
	for _, b := range slices.Concat([]AnnotatedBin{s.All}, s.Sources, s.Lengths) {
		t := b.Total()
		fmt.Fprintf(w, "%-12s %8d %6s %9s", b.Name, b.Captions, formatPercent(ratio(b.Whole, b.Captions), b.Captions), formatPercent(t.F1(), t.Found+t.Gold))
		for _, c := range b.Kinds {
			fmt.Fprintf(w, " %11s", formatPercent(c.F1(), c.Found+c.Gold))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\n%-12s %9s %7s %5s\n", "", "precision", "recall", "F1")
	for k, name := range annotated.TupleNames {
		s.All.Kinds[k].writeRow(w, name)
	}
	return s.All.Total().writeRow(w, "all tuples")
}

// tripleOf returns t with words in place of offsets. An object is the last word of its mention in
// text, followed by @2 if that word occurs there for the second time.
func tripleOf(t annotated.Tuple, text string) Triple {
	switch s := wordEndingAt(text, t.Subject); t.Kind {
	case annotated.ObjectTuple:
		return Triple{Subject: s}
	case annotated.AttributeTuple:
		return Triple{Subject: s, Predicate: "is", Object: t.Words}
	case annotated.QuantityTuple:
		return Triple{Subject: s, Predicate: "is", Object: "× " + t.Words}
	default:
		return Triple{Subject: s, Predicate: t.Words, Object: wordEndingAt(text, t.Object)}
	}
}

func wordEndingAt(text string, end int) string {
	if end <= 0 || end > len(text) {
		return "?"
	}
	before := strings.FieldsFunc(text[:end], func(r rune) bool { return strings.ContainsRune(" \t,;:.!?\"()", r) })
	if len(before) == 0 {
		return "?"
	}
	word, n := before[len(before)-1], 0
	for _, w := range before {
		if strings.EqualFold(w, word) {
			n++
		}
	}
	if n > 1 {
		return fmt.Sprintf("%s@%d", word, n)
	}
	return word
}
