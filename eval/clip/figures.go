package clip

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
)

// Figure is a measure of one or several models.
type Figure struct {
	Benchmark string `json:"benchmark"`
	Measure   string `json:"metric"`
	// Share is true if the values are shares of right cases, and false if they are cosines.
	Share  bool    `json:"fraction"`
	Chance float64 `json:"chance,omitempty"`
	Scored int     `json:"evaluated"` // of the last model
	Broken int     `json:"skipped"`
	Note   string  `json:"note,omitempty"` // of the last model
	// Values are the values of the models, in order.
	Values []Estimate `json:"values"`
	// Difference is the second model minus the first, if there are two.
	Difference *Estimate `json:"difference,omitempty"`
	// Parts are the values of each part of the benchmark.
	Parts []PartFigure `json:"subsets,omitempty"`
}

// Estimate is a value with its bootstrap interval.
type Estimate struct {
	Value Number `json:"value"`
	Low   Number `json:"low"`
	High  Number `json:"high"`
}

// Number is a number that is null in JSON if it is NaN: if nothing was scored.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return fmt.Appendf(nil, "%.10g", float64(n)), nil
}

// PartFigure is a measure of one part of the cases.
type PartFigure struct {
	Part   string   `json:"subset"`
	Scored int      `json:"evaluated"`
	Values []Number `json:"values"`
}

// Figures returns the figures of several models on the same benchmarks. results[m] are the results of
// model m.
func Figures(results [][]*Result) (figures []Figure) {
	last := len(results) - 1
	for b, result := range results[last] {
		for i := range result.Measures {
			m := &result.Measures[i]
			f := Figure{
				Benchmark: result.Name, Measure: m.Name, Share: m.Share, Chance: m.Chance,
				Scored: m.Scored(), Broken: len(result.Broken), Note: result.Note,
			}
			for _, model := range results {
				value := &model[b].Measures[i]
				low, high := value.Interval()
				f.Values = append(f.Values, Estimate{Number(value.Value()), Number(low), Number(high)})
			}
			if len(results) == 2 {
				d, low, high := Difference(&results[0][b].Measures[i], m)
				f.Difference = &Estimate{Number(d), Number(low), Number(high)}
			}
			for k, p := range m.Parts {
				part := PartFigure{Part: p.Name}
				for _, model := range results {
					measure := &model[b].Measures[i]
					var value float64
					value, part.Scored = measure.PartValue(measure.Parts[k])
					part.Values = append(part.Values, Number(value))
				}
				f.Parts = append(f.Parts, part)
			}
			figures = append(figures, f)
		}
	}
	return figures
}

// Text formats a value: a share in percent with one decimal, a cosine with three, "–" if it is NaN.
func (f *Figure) Text(n Number) string {
	switch v := float64(n); {
	case math.IsNaN(v):
		return "–"
	case f.Share:
		return unsignedZero(fmt.Sprintf("%.1f", 100*v))
	default:
		return unsignedZero(fmt.Sprintf("%.3f", v))
	}
}

// unsignedZero removes the sign of a number that is rounded to 0.
func unsignedZero(text string) string {
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// Interval formats an interval: "0.1 to 0.3".
func (f *Figure) Interval(e Estimate) string {
	if math.IsNaN(float64(e.Low)) {
		return "–"
	}
	return f.Text(e.Low) + " to " + f.Text(e.High)
}

// WriteTable writes one line per figure. One model has its interval; two have their difference with its
// interval; more have only values. names are the names of the models.
func WriteTable(w io.Writer, names []string, figures []Figure) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	benchmark := ""
	for i := range figures {
		f := &figures[i]
		if f.Benchmark != benchmark {
			if benchmark != "" {
				fmt.Fprintln(table)
			}
			benchmark = f.Benchmark
			fmt.Fprintf(table, "%s\t%s\t%s\n", benchmark, strings.Join(columnHeads(names), "\t"), "scored")
		}
		var cells []string
		for _, v := range f.Values {
			cells = append(cells, f.Text(v.Value))
		}
		switch {
		case f.Difference != nil:
			cells = append(cells, withSign(f.Text(f.Difference.Value)), f.Interval(*f.Difference))
		case len(f.Values) == 1:
			cells = append(cells, f.Interval(f.Values[0]), "")
			if f.Chance > 0 {
				cells[2] = f.Text(Number(f.Chance))
			}
		}
		scored := fmt.Sprint(f.Scored)
		if f.Broken > 0 {
			scored += fmt.Sprintf(" (%d images broken)", f.Broken)
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\n", f.Measure, strings.Join(cells, "\t"), scored)
		if f.Note != "" && (i+1 == len(figures) || figures[i+1].Benchmark != f.Benchmark) {
			fmt.Fprintf(table, "  %s\n", f.Note)
		}
	}
	return table.Flush()
}

// columnHeads returns the heads of the columns between the measure and the number scored.
func columnHeads(names []string) []string {
	switch len(names) {
	case 1:
		return []string{names[0], "95 %", "chance"}
	case 2:
		return []string{names[0], names[1], "difference", "95 %"}
	}
	return names
}

// withSign adds a plus sign to a positive number.
func withSign(text string) string {
	if strings.Trim(text, "0.–") != "" && text[0] != '-' {
		return "+" + text
	}
	return text
}
