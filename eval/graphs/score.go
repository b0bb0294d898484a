// Package graphs measures scene graphs: against FACTUAL's gold, against annotated graphs, and one
// parser's against another's.
package graphs

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"capgraph/scenegraph"
)

// Triple is one element of FACTUAL's form.
type Triple = scenegraph.Triple

// The kinds of tuples of a graph, as SPICE counts them (Anderson et al. 2016, section 3.2).
const (
	Object = iota
	Attribute
	Relation
	kindCount
)

var kindNames = [kindCount]string{"objects", "attributes", "relations"}

// kindOf returns the kind of a tuple.
func kindOf(t Triple) int {
	switch t.Predicate {
	case "":
		return Object
	case "is":
		return Attribute
	}
	return Relation
}

// Count is how many tuples are in both graphs, in the parser's, and in the gold.
type Count struct{ Right, Found, Gold int }

// Precision is the share of the found tuples that are right. Like Recall and F1, it is in [0, 1],
// and 0 if nothing was counted.
func (c Count) Precision() float64 { return ratio(c.Right, c.Found) }

// Recall is the share of the gold that was found.
func (c Count) Recall() float64 { return ratio(c.Right, c.Gold) }

// F1 is the harmonic mean of Precision and Recall.
func (c Count) F1() float64 { return ratio(2*c.Right, c.Found+c.Gold) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func (c *Count) addCount(o Count) {
	c.Right, c.Found, c.Gold = c.Right+o.Right, c.Found+o.Found, c.Gold+o.Gold
}

// Bin sums up captions of one range of lengths in words.
type Bin struct {
	Name     string
	Words    int // at most
	Captions int
	Matches  int // graphs equal to the gold's
	Kinds    [kindCount]Count
	sumF1    float64
	sumSpice float64
}

// SetMatch is the share of the captions whose graph equals the gold's.
func (b *Bin) SetMatch() float64 { return ratio(b.Matches, b.Captions) }

// MeanF1 is the mean of the captions' F1, as SPICE is averaged over a corpus (Anderson et al. 2016,
// section 3.2): a caption of two tuples counts as much as one of ten. Two empty graphs have 1.
func (b *Bin) MeanF1() float64 {
	if b.Captions == 0 {
		return 0
	}
	return b.sumF1 / float64(b.Captions)
}

// Spice is the mean of the captions' SPICE (Anderson et al. 2016, section 3.2): their F1, where a tuple also
// matches one whose words share a synset of WordNet with its own.
func (b *Bin) Spice() float64 {
	if b.Captions == 0 {
		return 0
	}
	return b.sumSpice / float64(b.Captions)
}

// Total counts the tuples of all kinds.
func (b *Bin) Total() Count {
	var t Count
	for _, c := range b.Kinds {
		t.addCount(c)
	}
	return t
}

// Score sums up how graphs compare with the gold: over all captions, and by their length.
type Score struct {
	All      Bin
	Bins     []Bin
	synonyms synonyms
}

// NewScore returns an empty score with FACTUAL's ranges of lengths. It fails if the embedded lexicon
// cannot be read.
func NewScore() (*Score, error) {
	const any = 1 << 30
	synonyms, err := newSynonyms()
	if err != nil {
		return nil, err
	}
	return &Score{synonyms: synonyms, All: Bin{Name: "all", Words: any}, Bins: []Bin{
		{Name: "1-4 words", Words: 4}, {Name: "5-7 words", Words: 7}, {Name: "8-10 words", Words: 10}, {Name: "above 10", Words: any},
	}}, nil
}

// Add counts one caption with its number of words and returns the tuples that are not in both
// graphs.
func (s *Score) Add(words int, got, gold []Triple) (missing, extra []Triple) {
	a := s.synonyms.compareGraphs(got, gold)
	match := len(a.missing) == 0 && len(a.extra) == 0
	for _, b := range []*Bin{&s.All, s.binFor(words)} {
		b.Captions++
		b.sumF1 += a.f1
		b.sumSpice += a.spice
		if match {
			b.Matches++
		}
		for k := range a.kinds {
			b.Kinds[k].addCount(a.kinds[k])
		}
	}
	return a.missing, a.extra
}

func (s *Score) binFor(words int) *Bin {
	for i := range s.Bins {
		if words <= s.Bins[i].Words {
			return &s.Bins[i]
		}
	}
	return &s.Bins[len(s.Bins)-1]
}

// WriteTable writes the score for people to read, in per cent; – if nothing was counted.
func (s *Score) WriteTable(w io.Writer) error {
	fmt.Fprintf(w, "%-12s %8s %10s %9s %8s %6s\n", "", "captions", "set match", "tuple F1", "mean F1", "SPICE")
	for _, b := range append([]Bin{s.All}, s.Bins...) {
		t := b.Total()
		fmt.Fprintf(w, "%-12s %8d %10s %9s %8s %6s\n", b.Name, b.Captions,
			formatPercent(b.SetMatch(), b.Captions), formatPercent(t.F1(), t.Found+t.Gold), formatPercent(b.MeanF1(), b.Captions), formatPercent(b.Spice(), b.Captions))
	}
	fmt.Fprintf(w, "\n%-12s %9s %7s %5s\n", "", "precision", "recall", "F1")
	for k, name := range kindNames {
		s.All.Kinds[k].writeRow(w, name)
	}
	return s.All.Total().writeRow(w, "all tuples")
}

func (c Count) writeRow(w io.Writer, name string) error {
	_, err := fmt.Fprintf(w, "%-12s %9s %7s %5s\n", name, formatPercent(c.Precision(), c.Found), formatPercent(c.Recall(), c.Gold), formatPercent(c.F1(), c.Found+c.Gold))
	return err
}

// formatPercent returns a share of a count in per cent, or – if the count is 0.
func formatPercent(share float64, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", 100*share)
}

// sortedTriples returns a set of tuples in the order of their strings.
func sortedTriples(set map[Triple]bool) []Triple {
	return slices.SortedFunc(maps.Keys(set), compareTriples)
}

func compareTriples(a, b Triple) int {
	return cmp.Or(cmp.Compare(kindOf(a), kindOf(b)), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Predicate, b.Predicate), cmp.Compare(a.Object, b.Object))
}
