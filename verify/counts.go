package verify

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/schemas"
	"capgraph/stages"
)

// checkCounts checks the counts of shards, and that the vocabulary has their sums. It does not read
// the keys of counts, since that would take a third of the time of all checks.
func (c *check) checkCounts() error {
	counted := folder.PassTally
	shards, whole := map[string]int64{}, true
	for _, pass := range folder.ShardPasses() {
		done := c.finishedShards(pass, anyShard)
		var one sync.Mutex // guards shards and whole
		err := c.runParallel(len(done), func(c *check, i int) error {
			e, file, read := c.entries[pass][done[i].Name], folder.CountsFile(pass, done[i].Name), pass != counted
			of := map[string]int64{}
			if e.HasFile(file) {
				read = c.sumCounts(e, file, of)
			}
			one.Lock()
			defer one.Unlock()
			whole = whole && read
			if pass == counted {
				for kind, n := range of {
					shards[kind] += n
				}
			}
			return c.ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	failures, err := c.state.Failures(folder.PassParse)
	if err != nil {
		return err
	}
	e := c.entries[folder.PassCount][folder.Whole]
	if e == nil || len(c.entries[counted])+len(failures) != len(c.state.Index.Shards) { // the check accounts reports it
		return nil
	}
	for _, kind := range stages.NonVocabularyKinds {
		delete(shards, kind)
	}
	if vocabulary := map[string]int64{}; c.sumCounts(e, folder.ReducedFile(folder.Vocabulary), vocabulary) && whole {
		c.compareSums(e, vocabulary, shards)
	}
	return c.ctx.Err()
}

// compareSums reports each kind whose counts in the vocabulary differ from the shards' sum.
func (c *check) compareSums(e *folder.Entry, vocabulary, shards map[string]int64) {
	kinds := maps.Clone(vocabulary)
	maps.Copy(kinds, shards)
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if is, want := vocabulary[kind], shards[kind]; is != want {
			c.addProblem(c.folder.Path(folder.ReducedFile(folder.Vocabulary)), c.rebuildHint(e.Pass, e.Shard),
				"its counts of kind %s add up to %d, and those of the shards to %d", kind, is, want)
		}
	}
}

// sumCounts sums the counts in a file by kind and reports impossible ones, such as 0. It returns
// false if the file cannot be read, which other checks report.
func (c *check) sumCounts(e *folder.Entry, file string, sums map[string]int64) bool {
	told := 0
	counts := countCheck{sums: sums, report: func(what string, args ...any) {
		if told++; told <= maxRowsNamed {
			c.addProblem(c.folder.Path(file), c.rebuildHint(e.Pass, e.Shard), what, args...)
		}
	}}
	err := c.readColumns(file, []string{schemas.ColKind, schemas.ColCount}, counts.addBatch)
	if told > maxRowsNamed {
		c.addProblem(c.folder.Path(file), c.rebuildHint(e.Pass, e.Shard), "and %d more %s", told-maxRowsNamed, text.Plural(told-maxRowsNamed, "row", "rows"))
	}
	return err == nil
}

// countCheck checks the rows of a file of counts.
type countCheck struct {
	sums   map[string]int64 // by kind
	report func(what string, args ...any)
	row    int
	kind   string // of the row before
}

func (k *countCheck) addBatch(rec arrow.Record) error {
	kinds, err := schemas.Column[*array.String](rec, schemas.ColKind)
	if err != nil {
		return err
	}
	counts, err := schemas.Column[*array.Int64](rec, schemas.ColCount)
	if err != nil {
		return err
	}
	sum := k.sums[k.kind]
	for i := range counts.Len() {
		kind, n := kinds.Value(i), counts.Value(i)
		if kind != k.kind {
			if kind < k.kind {
				k.report("row %d, of kind %s, comes after kind %s", k.row, kind, k.kind)
			}
			k.sums[k.kind] = sum
			k.kind = strings.Clone(kind)
			sum = k.sums[k.kind]
		}
		if n < 1 {
			k.report("the count of row %d, of kind %s, is %d", k.row, kind, n)
		}
		sum += n
		k.row++
	}
	k.sums[k.kind] = sum
	return nil
}
