package truth

import (
	_ "embed"
	"strings"

	"capgraph/internal/lexicon/wordclass"
)

// What is true of an image is told by two files of tables: truth.tsv has what may be true although no
// caption says it, exclusions.tsv what cannot be if something else is said.
var (
	//go:embed truth.tsv
	TruthFile string
	//go:embed exclusions.tsv
	ExclusionsFile string

	Truths     = ReadTables(TruthFile)
	Exclusions = ReadTables(ExclusionsFile)
)

// Table are rows of a file, 64 at most, so that a word has a bit for each.
type Table []Row

// Row are words, what they go with, an example of what a caption says, and what is then true
// as well, or false.
type Row struct{ Words, Others, Example, Other string }

// ReadTables reads lines of a table's name and what a row has, with tabs between.
func ReadTables(tsv string) map[string]Table {
	all := map[string]Table{}
	for line := range strings.Lines(tsv) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 5 && !strings.HasPrefix(line, "#") {
			all[f[0]] = append(all[f[0]], Row{f[1], f[2], f[3], f[4]})
		}
	}
	return all
}

// With has bit i set where row i has a word.
func (t Table) With(word string) (rows uint64) {
	for i := range t {
		if wordclass.Has(t[i].Words, word) {
			rows |= 1 << i
		}
	}
	return rows
}

// WithOther has bit i set where row i has a word among the others.
func (t Table) WithOther(word string) (rows uint64) {
	for i := range t {
		if wordclass.Has(t[i].Others, word) {
			rows |= 1 << i
		}
	}
	return rows
}
