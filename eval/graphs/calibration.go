package graphs

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// Parts is how many parts of as many captions each a calibration has.
const Parts = 4

// Calibration sets the confidence that a parser has in graphs beside how right they
// are: over all captions and by source.
type Calibration struct{ rows []confident }

// confident is a caption of a calibration. Its counts are of objects, attributes and
// relations.
type confident struct {
	source     string
	confidence float64
	counts     Count
}

// Part is one of Parts parts of the captions of a source, in the order of their
// confidence.
type Part struct {
	Captions   int
	Confidence float64 // the mean
	Highest    float64
	Whole      int   // graphs in which all is right
	Counts     Count // of objects, attributes and relations
}

// F1 is that of objects, attributes and relations.
func (p *Part) F1() float64 { return p.Counts.F1() }

// Wrong counts what is in one of the graph and the gold alone.
func (p *Part) Wrong() int { return p.Counts.Found + p.Counts.Gold - 2*p.Counts.Right }

// Add counts a caption of which a graph has so many tuples right.
func (c *Calibration) Add(source string, confidence float64, counts Count) {
	c.rows = append(c.rows, confident{source, confidence, counts})
}

// Of are the parts of the captions of a source, of all where it is "": the least
// confident first, none of no captions.
func (c *Calibration) Of(source string) []Part {
	var rows []confident
	for _, r := range c.rows {
		if source == "" || r.source == source {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b confident) int { return cmp.Compare(a.confidence, b.confidence) })
	var parts []Part
	for k := range Parts {
		from, to := k*len(rows)/Parts, (k+1)*len(rows)/Parts
		if from == to {
			continue
		}
		p := Part{Captions: to - from, Highest: rows[to-1].confidence}
		var sum float64
		for _, r := range rows[from:to] {
			sum += r.confidence
			p.Counts.add(r.counts)
			if r.counts.Right == r.counts.Found && r.counts.Right == r.counts.Gold {
				p.Whole++
			}
		}
		p.Confidence = sum / float64(p.Captions)
		parts = append(parts, p)
	}
	return parts
}

// WriteTable writes the parts of all captions and of those of each source for people
// to read. wrong is the part of all that is wrong that a part of the captions has.
func (c *Calibration) WriteTable(w io.Writer) error {
	sources := []string{""}
	for _, r := range c.rows {
		if !slices.Contains(sources, r.source) {
			sources = append(sources, r.source)
		}
	}
	slices.Sort(sources)
	fmt.Fprintf(w, "%-12s %8s %10s %8s %6s %9s %6s\n", "", "captions", "confidence", "up to", "whole", "tuple F1", "wrong")
	for _, source := range sources {
		parts, wrong := c.Of(source), 0
		for i := range parts {
			wrong += parts[i].Wrong()
		}
		for i := range parts {
			p := &parts[i]
			if _, err := fmt.Fprintf(w, "%-12s %8d %10.3f %8.3f %6s %9s %6s\n", cmp.Or(source, "all"), p.Captions, p.Confidence, p.Highest,
				percent(ratio(p.Whole, p.Captions), p.Captions), percent(p.F1(), p.Counts.Found+p.Counts.Gold), percent(ratio(p.Wrong(), wrong), wrong)); err != nil {
				return err
			}
		}
	}
	return nil
}
