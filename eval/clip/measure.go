package clip

import (
	"math"
	"slices"
)

// Measure is a figure of a benchmark, with what it is the mean of.
type Measure struct {
	Name string
	// Values are, unit by unit, 1 where it is right and 0 where it is wrong, or
	// what the mean is of; NaN where an image is broken. A unit is a case, or the
	// cases that are right only together.
	Values []float64
	// Margins are how right: above 0 where the value is 1. Nil where that is not
	// known.
	Margins []float64
	// Parts are the units of each part, where the benchmark has parts.
	Parts []Part
	// Macro says that the figure is the mean of the parts of at least so many units;
	// 0 where it is that of all units.
	Macro int
	// Share says that the figure is a share of what is right; else it is of cosines.
	Share bool
	// Chance is the share where similarities are random.
	Chance float64
}

// Part are the units of a measure that a benchmark counts on their own.
type Part struct {
	Name  string
	Units []int // indices into Values
}

// Scored counts the units whose images could be encoded.
func (m *Measure) Scored() int {
	n := 0
	for _, v := range m.Values {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// Value is the figure: the mean of the values, or of the means of the parts; NaN
// where nothing was scored.
func (m *Measure) Value() float64 { return stratifiedMean(m.strata(), m.Values) }

// PartValue is the mean of a part's values, and of how many.
func (m *Measure) PartValue(p Part) (value float64, scored int) {
	for _, u := range p.Units {
		if !math.IsNaN(m.Values[u]) {
			scored++
		}
	}
	return stratifiedMean([][]int{scoredUnits(p.Units, m.Values)}, m.Values), scored
}

// strata are the units of each of the parts that count alike.
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

func scoredUnits(units []int, values []float64) (scored []int) {
	for _, u := range units {
		if !math.IsNaN(values[u]) {
			scored = append(scored, u)
		}
	}
	return scored
}

// stratifiedMean is the mean over the strata of the means of their values.
func stratifiedMean(strata [][]int, values []float64) float64 {
	var sum float64
	for _, units := range strata {
		var of float64
		for _, u := range units {
			of += values[u]
		}
		sum += of / float64(len(units))
	}
	return sum / float64(len(strata))
}

// newMeasure makes a measure of the margins of all cases.
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
			measure.Values = append(measure.Values, isRight(margin))
		}
	}
	return measure
}

// isRight is 1 where a margin is above 0, and NaN where there is none.
func isRight(margin float64) float64 {
	switch {
	case math.IsNaN(margin):
		return margin
	case margin > 0:
		return 1
	}
	return 0
}

// groupMargins are the least margins of the cases that are right only together, in the
// order of the first of each.
func groupMargins(m *Metric, cases []Case, margins []float64) (least []float64, parts []string) {
	unit := map[string]int{}
	for i := range cases {
		name := m.Together(&cases[i])
		if name == "" {
			continue
		}
		u, is := unit[name]
		if !is {
			unit[name] = len(least)
			least, parts = append(least, margins[i]), append(parts, "")
			continue
		}
		least[u] = min(least[u], margins[i]) // NaN where either is
	}
	return least, parts
}

// groupParts are the units of each name, sorted by it; none where all names are "".
func groupParts(names []string) (parts []Part) {
	index := map[string]int{}
	for i, name := range names {
		if name == "" {
			continue
		}
		if _, is := index[name]; !is {
			index[name] = len(parts)
			parts = append(parts, Part{Name: name})
		}
		p := &parts[index[name]]
		p.Units = append(p.Units, i)
	}
	slices.SortFunc(parts, func(a, b Part) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return parts
}
