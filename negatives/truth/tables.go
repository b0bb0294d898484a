package truth

import (
	_ "embed"
	"strings"

	"capgraph/internal/lexicon/wordclass"
)

// Two files of tables state facts about images: truth.tsv has what may be true although no caption
// mentions it, exclusions.tsv what excludes what.
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

// Row has words, their partners, an example of a caption, and what is then true as well, or false.
type Row struct{ Words, Others, Example, Other string }

// ReadTables reads lines with a table's name and the columns of a row, with tabs between.
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
