package pipeline

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"capgraph/internal/text"
	"capgraph/sources"
)

// sourceFacts is what is unusual in a source when it is indexed. Safe for concurrent use by add.
type sourceFacts struct {
	mu sync.Mutex
	// rows are those that are not rejected; images is how many of them name an image, and tests how
	// many are of a split to test on.
	rows, images, tests int64
	// rejected are files of which all rows are rejected, and lost is the number of their rows.
	rejected []string
	lost     int64
	// cached is set if an earlier run scanned a file, of which no more is known.
	cached bool
}

// addRow adds a row of a file.
func (f *sourceFacts) addRow(file string, row *sources.Row) {
	if row.Reject != "" {
		f.rejected, f.lost = []string{file}, f.lost+1
		return
	}
	f.rows++
	if row.Image != "" || row.Graph != nil {
		f.images++
	}
	if row.Split == "test" {
		f.tests++
	}
}

// add adds the facts of one file.
func (f *sourceFacts) add(file *sourceFacts) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rows += file.rows
	f.images += file.images
	f.tests += file.tests
	f.cached = f.cached || file.cached
	if file.rows == 0 && file.lost > 0 {
		f.rejected, f.lost = append(f.rejected, file.rejected...), f.lost+file.lost
	}
}

// maxNamed is how many files a warning names.
const maxNamed = 5

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
	if n := len(f.rejected); n > 0 {
		slices.Sort(f.rejected)
		names := strings.Join(f.rejected[:min(n, maxNamed)], ", ")
		if n > maxNamed {
			names += ", …"
		}
		ix.warn(fmt.Sprintf("all rows of %s are rejected, %s (%s): see 'capgraph rejects'; a file of another format needs a recipe of its own",
			text.Counted(int64(n), "file", "files"), text.Counted(f.lost, "row", "rows"), names))
	}
}
