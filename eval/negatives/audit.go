package negatives

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/cespare/xxhash/v2"
)

// Audited is a set of negatives with all measures, and examples of its faults.
type Audited struct {
	Name string `json:"name"`
	*Report
	Faults []Fault `json:"faults"`
}

// Fault is a kind of fault with some of the negatives that have it.
type Fault struct {
	Name     string    `json:"name"`
	Examples []Example `json:"examples"`
}

// Example is a negative with its positive.
type Example struct {
	Positive string `json:"positive"`
	Negative string `json:"negative"`
}

// maxExamples is the largest number of examples of a fault.
const maxExamples = 10

// Audit applies all measures to the negatives of a file or folder. Of the negatives with a fault, those
// with the lowest hashes are the examples.
func Audit(path string, opt Options) (*Audited, error) {
	found := map[string]map[uint64]Example{}
	opt.Likelihood = true
	opt.Fault = func(name, positive, negative string) {
		if found[name] == nil {
			found[name] = map[uint64]Example{}
		}
		of := found[name]
		of[xxhash.Sum64String(positive+"\n"+negative)] = Example{strings.Clone(positive), strings.Clone(negative)}
		if len(of) > maxExamples {
			delete(of, slices.Max(sortedHashes(of)))
		}
	}
	r, err := Evaluate(Read(path), opt)
	if err != nil {
		return nil, err
	}
	a := &Audited{Name: path, Report: r, Faults: []Fault{}}
	for _, name := range []string{FaultEqual, FaultRepeated, FaultSaid, FaultTables, FaultGrammar} {
		of := found[name]
		if len(of) == 0 {
			continue
		}
		f := Fault{Name: name}
		for _, h := range sortedHashes(of) {
			f.Examples = append(f.Examples, of[h])
		}
		a.Faults = append(a.Faults, f)
	}
	return a, nil
}

func sortedHashes(of map[uint64]Example) (hashes []uint64) {
	for h := range of {
		hashes = append(hashes, h)
	}
	slices.SortFunc(hashes, func(a, b uint64) int { return cmp.Compare(a, b) })
	return hashes
}

// AuditColumn is a column of the table of an audit.
type AuditColumn struct {
	Name, Meaning string
	value         func(g *Group) (float64, bool)
}

// Text returns the cell of a group, – if it was not measured.
func (c AuditColumn) Text(g *Group) string {
	v, measured := c.value(g)
	if !measured {
		return "–"
	}
	return fmt.Sprintf("%.1f", v)
}

// AuditColumns are the columns after the name and the number of negatives. All are shares in percent.
var AuditColumns = []AuditColumn{
	{"text-only", "told from the positive by a classifier of words that sees no image; 50 is chance, lower is as good", func(g *Group) (float64, bool) { return g.TextOnly, g.TextOnlyPairs > 0 }},
	{"as written", "the same with case, punctuation and spaces", func(g *Group) (float64, bool) { return g.TextOnlyWritten, g.TextOnlyPairs > 0 }},
	{"bag of words", "that a model which does not see the order of words can get right at best: it guesses the pairs of equal words", func(g *Group) (float64, bool) { return g.BagOfWords, true }},
	{"by length", "told by length alone; 50 is chance", func(g *Group) (float64, bool) { return g.LengthAccuracy, true }},
	{"less likely", "less likely than the positive to a language model of the positives of other images; 50 is chance", func(g *Group) (float64, bool) {
		if g.Likelihood == nil {
			return 0, false
		}
		return g.Likelihood.Unlikely, true
	}},
	{"equal", "equal to a true text of the image", func(g *Group) (float64, bool) { return g.Equal, true }},
	{"repeated", "a negative that the image has twice", func(g *Group) (float64, bool) { return g.Repeated, true }},
	{"siblings", "of those that can be judged: may be true, since another caption says it; by chance it is (chance)", func(g *Group) (float64, bool) {
		if g.Truth == nil {
			return 0, false
		}
		return g.Truth.Said, true
	}},
	{"(chance)", "the same of captions of another image", func(g *Group) (float64, bool) {
		if g.Truth == nil {
			return 0, false
		}
		return g.Truth.Chance, true
	}},
	{"tables", "of those whose changed words the tables of exclusions know: both texts may be true", func(g *Group) (float64, bool) {
		if g.Tables == nil {
			return 0, false
		}
		return g.Tables.MayHold, true
	}},
	{"spaces", "with more misplaced spaces than the positive", func(g *Group) (float64, bool) { return g.StraySpaces, true }},
	{"a/an", `with "a" before a vowel sound or the reverse, less the share of positives`, func(g *Group) (float64, bool) { return max(0, g.ArticleErrors-g.PositiveErrors), true }},
	{"doubled", "with a word twice in a row", func(g *Group) (float64, bool) { return g.DoubledWords, true }},
}

// WriteAudits writes a table with a row for each set, or for one set a row for each method too.
func WriteAudits(w io.Writer, sets []*Audited) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\tnegatives\t")
	for _, c := range AuditColumns {
		fmt.Fprintf(t, "%s\t", c.Name)
	}
	fmt.Fprintln(t)
	for _, a := range sets {
		for i := range a.Groups {
			g := &a.Groups[i]
			name := a.Name
			if g.Name != totalName {
				if len(sets) > 1 {
					continue
				}
				name = g.Name
			}
			fmt.Fprintf(t, "%s\t%d\t", name, g.Negatives)
			for _, c := range AuditColumns {
				fmt.Fprintf(t, "%s\t", c.Text(g))
			}
			fmt.Fprintln(t)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nshares in %:")
	legend := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range AuditColumns {
		fmt.Fprintf(legend, "%s\t%s\n", c.Name, c.Meaning)
	}
	return legend.Flush()
}
