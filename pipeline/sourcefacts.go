package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"capgraph/internal/text"
	"capgraph/sources"
)

// maxSplits is the largest number of splits that are remembered.
const maxSplits = 8

// sourceFacts counts what is unusual in a source when it is indexed. Safe for concurrent use by add.
type sourceFacts struct {
	mu sync.Mutex
	// rows counts the rows that are not rejected. images counts those that name an image or share one, and tests
	// those of a test split.
	rows, images, tests int64
	// otherSplits are the names of some splits that are not for testing.
	otherSplits map[string]bool
	// cached is set if an earlier run scanned a file, whose rows are then not counted.
	cached bool
}

// addRow adds a row.
func (f *sourceFacts) addRow(row *sources.Row) {
	if row.Reject != "" {
		return
	}
	f.rows++
	if row.Image != "" || row.Graph != nil || row.ImageKey != row.Key {
		f.images++
	}
	switch {
	case row.Split == "test":
		f.tests++
	case row.Split != "" && len(f.otherSplits) < maxSplits:
		if f.otherSplits == nil {
			f.otherSplits = map[string]bool{}
		}
		f.otherSplits[strings.Clone(row.Split)] = true
	}
}

// addFile adds the facts of one file.
func (f *sourceFacts) addFile(file *sourceFacts) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rows += file.rows
	f.images += file.images
	f.tests += file.tests
	for name := range file.otherSplits {
		if f.otherSplits == nil {
			f.otherSplits = map[string]bool{}
		}
		f.otherSplits[name] = true
	}
	f.cached = f.cached || file.cached
}

// warnOfFacts warns of what is unusual in the source.
func (ix *indexer) warnOfFacts(c *Corpus, f *sourceFacts) {
	if f.rows == 0 {
		return // the run reports that all rows were rejected
	}
	if f.images == 0 && !f.cached {
		ix.warn("no row names an image, so captions of one image are not compared: set source.columns.image, if a column names it")
	}
	if f.tests == 0 && len(f.otherSplits) == 0 {
		ix.warnOfFileSplits(c)
	}
	if f.tests > 0 && len(f.otherSplits) == 0 {
		ix.warn("all rows are of the split test and will be trained on: choose the files of another split")
	} else if f.tests > 0 {
		ix.warn(fmt.Sprintf("%s of the split test will be trained on: leave it out with --set 'source.where.split=in (%s)'", text.Counted(f.tests, "row", "rows"), strings.Join(slices.Sorted(maps.Keys(f.otherSplits)), ", ")))
	}
}

// warnOfFileSplits warns if the names of some files, but not all, show that they are of the split test.
func (ix *indexer) warnOfFileSplits(c *Corpus) {
	splits := sources.SplitsByName(c.Files)
	for _, s := range splits {
		if s.Name != "test" {
			continue
		}
		remedy := "name the files of other splits in source.paths"
		if paths := sources.TrainingPaths(splits); paths != "" {
			remedy = fmt.Sprintf("leave them out with --set 'source.paths=%s'", paths)
		}
		ix.warn(fmt.Sprintf("%s of the split test, by their names, will be trained on: %s", text.Counted(len(s.Files), "file", "files"), remedy))
	}
}
