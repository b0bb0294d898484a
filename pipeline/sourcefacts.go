package pipeline

import (
	"fmt"
	"sync"

	"capgraph/internal/text"
	"capgraph/sources"
)

// sourceFacts is what is unusual in a source when it is indexed. Safe for concurrent use by add.
type sourceFacts struct {
	mu sync.Mutex
	// rows are those that are not rejected; images is how many of them name an image or share one, and tests how
	// many are of a split to test on.
	rows, images, tests int64
	// cached is set if an earlier run scanned a file, of which no more is known.
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
	if row.Split == "test" {
		f.tests++
	}
}

// addFile adds the facts of one file.
func (f *sourceFacts) addFile(file *sourceFacts) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rows += file.rows
	f.images += file.images
	f.tests += file.tests
	f.cached = f.cached || file.cached
}

// warnOfFacts warns of what is unusual in the source.
func (ix *indexer) warnOfFacts(c *Corpus, f *sourceFacts) {
	if f.rows == 0 {
		return // the run says what is wrong with all of them
	}
	if f.images == 0 && !f.cached {
		ix.warn("no row names an image, so captions of one image are not compared: set source.columns.image, if a column names it")
	}
	if f.tests > 0 {
		ix.warn(fmt.Sprintf("%s of the split test will be trained on: leave it out with --set 'source.where.split=in (train, restval)'", text.Counted(f.tests, "row", "rows")))
	}
}
