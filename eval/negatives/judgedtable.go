package negatives

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"capgraph/negatives"
	"capgraph/negatives/methods"
)

// JudgedRow counts the outcomes of a group of judged pairs.
type JudgedRow struct {
	// Name is a method, or OnByDefault.
	Name string `json:"name"`
	// The good and the bad pairs that can be made here, and how many of them are kept.
	Good     int `json:"good"`
	GoodKept int `json:"good_kept"`
	Bad      int `json:"bad"`
	BadKept  int `json:"bad_kept"`
	// Unmade are pairs that cannot be made here.
	Unmade int `json:"unmade"`
}

// OnByDefault is the row of all methods that are on by default.
const OnByDefault = "on by default"

// TabulateJudged counts pairs by method, and those of the methods that are on by default.
func TabulateJudged(all []Rejudged) []JudgedRow {
	on := negatives.Defaults().Methods
	rows := []JudgedRow{{Name: OnByDefault}}
	for _, m := range methods.List() {
		rows = append(rows, JudgedRow{Name: m})
	}
	for i := range all {
		r := &all[i]
		for j := range rows {
			if row := &rows[j]; row.Name == r.Method || row.Name == OnByDefault && slices.Contains(on, r.Method) {
				row.addPair(r)
			}
		}
	}
	return slices.DeleteFunc(rows, func(r JudgedRow) bool { return r.Name != OnByDefault && r.Good+r.Bad+r.Unmade == 0 })
}

func (row *JudgedRow) addPair(r *Rejudged) {
	switch kept := r.Outcome == Kept; {
	case r.Outcome == Unmade:
		row.Unmade++
	case r.Verdict == Good:
		row.Good++
		if kept {
			row.GoodKept++
		}
	default:
		row.Bad++
		if kept {
			row.BadKept++
		}
	}
}

// WriteJudged writes rows as a table: shares in percent with intervals of 95 % (Wilson 1927).
func WriteJudged(w io.Writer, rows []JudgedRow) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "method\tgood\tkept, %\tbad\tdropped, %\tnot made")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%d\t%s\t%d\t%s\t%d\n", r.Name, r.Good, shareWithInterval(r.GoodKept, r.Good), r.Bad, shareWithInterval(r.Bad-r.BadKept, r.Bad), r.Unmade)
	}
	return t.Flush()
}

func shareWithInterval(k, n int) string {
	if n == 0 {
		return "–"
	}
	low, high := wilsonInterval(k, n)
	return fmt.Sprintf("%.0f (%.0f to %.0f)", 100*float64(k)/float64(n), 100*low, 100*high)
}

// wilsonInterval returns the interval of 95 % of a share of k in n, which is not 0.
func wilsonInterval(k, n int) (low, high float64) {
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, middle-half), min(1, middle+half)
}
