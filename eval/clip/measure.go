package clip

import (
	"math"
	"slices"
	"strings"
)

// Measure is a figure of a benchmark with its values.
type Measure struct {
	Name string
	// Values has a value for each unit: 1 if the unit is right and 0 if it is wrong, or the value to
	// average; NaN if an image is broken. A unit is a case, or a group of cases that is right if all of
	// them are.
	Values []float64
	// Margins has the margin of each unit, above 0 if it is right. Nil if there are none.
	Margins []float64
	// Parts are the parts of the benchmark; nil if it has none.
	Parts []Part
	// Macro, if above 0, makes the figure the mean over the parts with at least so many scored units.
	// 0: the mean over all units.
	Macro int
	// Share is true for a share of right units and for nDCG, and false for a mean of cosines.
	Share bool
	// Chance is the share that is right with random similarities.
	Chance float64
}

// Part is a part of the units that the benchmark also counts separately.
type Part struct {
	Name  string
	Units []int // indices into Values
}

// Scored returns the number of units whose images could be encoded.
func (m *Measure) Scored() int {
	n := 0
	for _, v := range m.Values {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// Value returns the figure: the mean of the values, or of the means of the parts. It is NaN if nothing
// was scored.
func (m *Measure) Value() float64 { return stratifiedMean(m.strata(), m.Values) }

// PartValue returns the mean of a part's values, and the number of its scored units.
func (m *Measure) PartValue(p Part) (value float64, scored int) {
	for _, u := range p.Units {
		if !math.IsNaN(m.Values[u]) {
			scored++
		}
	}
	return stratifiedMean([][]int{scoredUnits(p.Units, m.Values)}, m.Values), scored
}

// strata returns the groups of scored units whose means are averaged: one for each part with enough
// units if Macro is set, else one group of all units.
func (m *Measure) strata() (strata [][]int) {
	if m.Macro == 0 {
		all := make([]int, len(m.Values))
		for i := range all {
			all[i] = i
		}
		return [][]int{scoredUnits(all, m.Values)}
	}
	for _, p := range m.Parts {
		if units := scoredUnits(p.Units, m.Values); len(units) >= m.Macro {
			strata = append(strata, units)
		}
	}
	return strata
}

// scoredUnits returns the units whose value is not NaN.
func scoredUnits(units []int, values []float64) (scored []int) {
	for _, u := range units {
		if !math.IsNaN(values[u]) {
			scored = append(scored, u)
		}
	}
	return scored
}

// stratifiedMean returns the mean over strata of their mean values.
func stratifiedMean(strata [][]int, values []float64) float64 {
	var sum float64
	for _, units := range strata {
		var stratum float64
		for _, u := range units {
			stratum += values[u]
		}
		sum += stratum / float64(len(units))
	}
	return sum / float64(len(strata))
}

// newMeasure returns the measure of a metric, given the margins of all cases.
func newMeasure(m *Metric, cases []Case, margins []float64) Measure {
	parts := make([]string, len(cases))
	for i := range cases {
		parts[i] = cases[i].Part
	}
	if m.Together != nil {
		margins, parts = groupMargins(m, cases, margins)
	}
	measure := Measure{Name: m.Name, Values: margins, Parts: groupParts(parts), Macro: m.Macro, Share: !m.Mean, Chance: m.Chance}
	if measure.Share {
		measure.Margins, measure.Values = margins, nil
		for _, margin := range margins {
			measure.Values = append(measure.Values, rightValue(margin))
		}
	}
	return measure
}

// rightValue returns 1 if a margin is above 0, else 0; NaN if it is NaN.
func rightValue(margin float64) float64 {
	switch {
	case math.IsNaN(margin):
		return margin
	case margin > 0:
		return 1
	}
	return 0
}

// groupMargins returns the least margin of each group of Metric.Together, in the order of their first
// cases.
func groupMargins(m *Metric, cases []Case, margins []float64) (least []float64, parts []string) {
	unit := map[string]int{}
	for i := range cases {
		name := m.Together(&cases[i])
		if name == "" {
			continue
		}
		u, known := unit[name]
		if !known {
			unit[name] = len(least)
			least, parts = append(least, margins[i]), append(parts, "")
			continue
		}
		least[u] = min(least[u], margins[i]) // NaN if either is
	}
	return least, parts
}

// groupParts returns the units of each name except "", sorted by name.
func groupParts(names []string) (parts []Part) {
	index := map[string]int{}
	for i, name := range names {
		if name == "" {
			continue
		}
		if _, known := index[name]; !known {
			index[name] = len(parts)
			parts = append(parts, Part{Name: name})
		}
		p := &parts[index[name]]
		p.Units = append(p.Units, i)
	}
	slices.SortFunc(parts, func(a, b Part) int { return strings.Compare(a.Name, b.Name) })
	return parts
}
