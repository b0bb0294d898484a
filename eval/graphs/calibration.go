package graphs

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// PartCount is the number of parts, of equal size, into which a calibration divides its captions.
const PartCount = 4

// Calibration compares the confidence of a parser with how right its graphs are: over all captions
// and by source.
type Calibration struct{ rows []calibrationRow }

// calibrationRow is a caption of a calibration. Its counts are of objects, attributes and
// relations.
type calibrationRow struct {
	source     string
	confidence float64
	counts     Count
}

// Part is one of PartCount parts of the captions of a source, in the order of their confidence.
type Part struct {
	Captions   int
	Confidence float64 // the mean
	Highest    float64
	Whole      int   // graphs in which all is right
	Counts     Count // of objects, attributes and relations
}

// F1 returns the F1 of objects, attributes and relations.
func (p *Part) F1() float64 { return p.Counts.F1() }

// Wrong counts the tuples that are only in the graph or only in the gold.
func (p *Part) Wrong() int { return p.Counts.Found + p.Counts.Gold - 2*p.Counts.Right }

// Add counts a caption with the counts of its graph.
func (c *Calibration) Add(source string, confidence float64, counts Count) {
	c.rows = append(c.rows, calibrationRow{source, confidence, counts})
}

// PartsOf returns the parts of the captions of a source, or of all if it is "". The least confident
// come first. There are none without captions.
func (c *Calibration) PartsOf(source string) []Part {
	var rows []calibrationRow
	for _, r := range c.rows {
		if source == "" || r.source == source {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b calibrationRow) int { return cmp.Compare(a.confidence, b.confidence) })
	var parts []Part
	for k := range PartCount {
		from, to := k*len(rows)/PartCount, (k+1)*len(rows)/PartCount
		if from == to {
			continue
		}
		p := Part{Captions: to - from, Highest: rows[to-1].confidence}
		var sum float64
		for _, r := range rows[from:to] {
			sum += r.confidence
			p.Counts.addCount(r.counts)
			if r.counts.Right == r.counts.Found && r.counts.Right == r.counts.Gold {
				p.Whole++
			}
		}
		p.Confidence = sum / float64(p.Captions)
		parts = append(parts, p)
	}
	return parts
}

// WriteTable writes the parts of all captions and of each source for people to read. wrong is a
// part's share of all wrong tuples.
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
		parts, wrong := c.PartsOf(source), 0
		for i := range parts {
			wrong += parts[i].Wrong()
		}
		for i := range parts {
			p := &parts[i]
			if _, err := fmt.Fprintf(w, "%-12s %8d %10.3f %8.3f %6s %9s %6s\n", cmp.Or(source, "all"), p.Captions, p.Confidence, p.Highest,
				formatPercent(ratio(p.Whole, p.Captions), p.Captions), formatPercent(p.F1(), p.Counts.Found+p.Counts.Gold), formatPercent(ratio(p.Wrong(), wrong), wrong)); err != nil {
				return err
			}
		}
	}
	return nil
}
