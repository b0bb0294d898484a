package negatives

import (
	_ "embed"
	"strings"
)

// What is true of an image is told by two files of tables: truth.tsv has what may be true although no
// caption says it, exclusions.tsv what cannot be where something else is said.
var (
	//go:embed truth.tsv
	truthFile string
	//go:embed exclusions.tsv
	exclusionsFile string

	truths     = readTables(truthFile)
	exclusions = readTables(exclusionsFile)
)

// table are rows of a file, 64 at most, so that a word has a bit for each.
type table []row

// row are words, what they go with, an example of what a caption says, and what is then true
// as well, or false.
type row struct{ words, others, example, other string }

// readTables reads lines of a table's name and what a row has, with tabs between.
func readTables(tsv string) map[string]table {
	all := map[string]table{}
	for line := range strings.Lines(tsv) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 5 && !strings.HasPrefix(line, "#") {
			all[f[0]] = append(all[f[0]], row{f[1], f[2], f[3], f[4]})
		}
	}
	return all
}

// with has bit i set where row i has a word.
func (t table) with(word string) (rows uint64) {
	for i := range t {
		if contains(t[i].words, word) {
			rows |= 1 << i
		}
	}
	return rows
}

// withOther has bit i set where row i has a word among the others.
func (t table) withOther(word string) (rows uint64) {
	for i := range t {
		if contains(t[i].others, word) {
			rows |= 1 << i
		}
	}
	return rows
}
