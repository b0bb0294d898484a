package truth

import (
	_ "embed"
	"strings"

	"capgraph/internal/lexicon/wordclass"
)

// Two files of tables state general facts about images: truth.tsv has what may be true even if no
// caption mentions it, exclusions.tsv has what excludes what.
var (
	//go:embed truth.tsv
	TruthFile string
	//go:embed exclusions.tsv
	ExclusionsFile string

	Truths     = ReadTables(TruthFile)
	Exclusions = ReadTables(ExclusionsFile)
)

// Table has the rows of one table, at most 64, so that a set of rows is a uint64.
type Table []Row

// Row has words, others that belong to them, a caption as an example, and a statement that is then
// true too, or false.
type Row struct{ Words, Others, Example, Other string }

// ReadTables returns the tables of a file, by their names. A line has the name and the columns of a
// row, with tabs between.
func ReadTables(tsv string) map[string]Table {
	all := map[string]Table{}
	for line := range strings.Lines(tsv) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 5 && !strings.HasPrefix(line, "#") {
			all[f[0]] = append(all[f[0]], Row{f[1], f[2], f[3], f[4]})
		}
	}
	return all
}

// RowsWith returns the rows that have a word: bit i is row i.
func (t Table) RowsWith(word string) (rows uint64) {
	for i := range t {
		if wordclass.Has(t[i].Words, word) {
			rows |= 1 << i
		}
	}
	return rows
}

// RowsWithOther returns the rows that have a word among their Others: bit i is row i.
func (t Table) RowsWithOther(word string) (rows uint64) {
	for i := range t {
		if wordclass.Has(t[i].Others, word) {
			rows |= 1 << i
		}
	}
	return rows
}
