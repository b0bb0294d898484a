package stages

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/internal/text"
	"capgraph/schemas"
	"capgraph/store"
)

// SplitImages counts images whose captions are not all together. NotAdjacent are images whose rows
// are not adjacent, and Cut are images with more rows than are kept together. Some of each are
// named.
type SplitImages struct {
	NotAdjacent     int64
	SomeNotAdjacent []counts.Repeat
	Cut             int64
	SomeCut         []ImageRows
}

// countRows returns the number of source rows of shards, rejects included.
func countRows(shards []folder.Shard) int64 {
	rows := int64(0)
	for _, s := range shards {
		rows += s.Rows
	}
	return rows
}

// maxCutNamed is the largest number of cut images that are named.
const maxCutNamed = 5

// FindSplitImages finds split images in shards of graphs/, workers shards at a time. scratch is as
// in counts.Keys.
func FindSplitImages(ctx context.Context, f folder.Folder, shards []folder.Shard, workers int, scratch func() (store.Temp, error)) (SplitImages, error) {
	all := make([]shardRowGroups, len(shards))
	keys := counts.Keys{Shards: len(shards), MaxKeys: countRows(shards), Workers: workers, Scratch: scratch,
		Each: func(ctx context.Context, i int, see func(string, schemas.RowRef)) error {
			before, err := lastImageBefore(f, shards, i)
			if err != nil {
				return err
			}
			r := shardRowGroups{before: before, onFirst: see}
			err = r.readShard(ctx, f, shards[i].Name)
			r.onFirst = nil // onFirst holds the hashes of the shard in memory
			all[i] = r
			return err
		}}
	var found SplitImages
	var err error
	if found.NotAdjacent, found.SomeNotAdjacent, err = keys.FindRepeats(ctx); err != nil {
		return found, err
	}
	found.countCutImages(shards, all)
	return found, nil
}

// countCutImages counts the images that are cut: within a shard, or from one shard of a file to the
// next.
func (a *SplitImages) countCutImages(shards []folder.Shard, all []shardRowGroups) {
	var run ImageRows // under way
	end := func() {
		if run.Rows > 0 && run.isCut() {
			a.addCutImages(1, run)
		}
		run = ImageRows{}
	}
	for i := range all {
		r := &all[i]
		if i > 0 && shards[i].File != shards[i-1].File {
			end()
		}
		if r.last.Rows == 0 {
			continue
		}
		next := r.last
		if r.many {
			next = r.first
		}
		if run.Rows > 0 && run.Image == next.Image {
			run.Rows, run.Last = run.Rows+next.Rows, next.Last
		} else {
			end()
			run = next
		}
		if r.many {
			end()
			a.addCutImages(r.cutImages, r.someCut...)
			run = r.last
		}
	}
	end()
}

func (a *SplitImages) addCutImages(n int64, some ...ImageRows) {
	a.Cut += n
	a.SomeCut = append(a.SomeCut, some[:min(len(some), maxCutNamed-len(a.SomeCut))]...)
}

// statSplit counts the keys and hashes of images whose rows are not adjacent, or too many to keep
// together.
const statSplit = "images_split"

// splitWarning returns a warning about split images, whose captions are not compared with each
// other.
func splitWarning(stats map[string]int64) string {
	n := stats[statSplit]
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s captions in several places, or more than %d: a negative of one may be said by another; sort the source by image and index anew with --redo index ('capgraph verify' names some)",
		n, text.Plural(n, "image has", "images have"), folder.MaxImageRows)
}

// CountSplitImages returns how many split images the pass count of a folder found; 0 if that is
// unknown.
func CountSplitImages(f folder.Folder) int64 {
	e, err := f.ReadEntry(folder.PassCount, folder.Whole)
	if err != nil {
		return 0
	}
	return e.Stats[statSplit]
}

// ImageRows is a run of adjacent rows of one image: their number, the first row and the last.
type ImageRows struct {
	Image       string
	Rows        int64
	First, Last schemas.RowRef
}

// isCut reports whether there are more rows than are kept together.
func (r *ImageRows) isCut() bool {
	return r.Rows > folder.MaxImageRows || r.First.Shard != r.Last.Shard
}

// lastImageBefore returns the image of the last row before a shard in the same file, or "".
func lastImageBefore(f folder.Folder, shards []folder.Shard, i int) (image string, err error) {
	for before := i - 1; before >= 0 && shards[before].File == shards[i].File && image == "" && err == nil; before-- {
		image, err = f.LastImageKey(shards[before].Name)
	}
	return image, err
}

// shardRowGroups collects runs of adjacent rows of one image in a shard: the first and the last
// run, which may continue in neighbouring shards, and those of the others with too many rows.
type shardRowGroups struct {
	before      string // the image that the first row may continue
	onFirst     func(image string, at schemas.RowRef)
	first, last ImageRows // equal if there is only one run; empty if there is none
	many        bool
	cutImages   int64
	someCut     []ImageRows
}

func (r *shardRowGroups) addRow(image string, at schemas.RowRef) {
	if r.last.Rows > 0 && image == r.last.Image {
		r.last.Rows++
		r.last.Last = at
		return
	}
	if r.last.Rows > 0 || image != r.before {
		r.onFirst(image, at)
	}
	switch {
	case r.last.Rows == 0:
	case !r.many:
		r.first, r.many = r.last, true
		r.first.Image = strings.Clone(r.first.Image)
	case r.last.isCut():
		if r.cutImages++; len(r.someCut) < maxCutNamed {
			run := r.last
			run.Image = strings.Clone(run.Image)
			r.someCut = append(r.someCut, run)
		}
	}
	r.last = ImageRows{image, 1, at, at}
}

// readShard adds the rows of a shard.
func (r *shardRowGroups) readShard(ctx context.Context, f folder.Folder, shard string) error {
	row := int64(0)
	return eachColumns(ctx, f, memory.NewGoAllocator(), shard, []string{schemas.ColImageKey}, func(columns []*array.String) {
		for i := range columns[0].Len() {
			r.addRow(columns[0].Value(i), schemas.RowRef{Shard: shard, Row: row})
			row++
		}
		r.last.Image = strings.Clone(r.last.Image) // the batch owns the text of the image
	})
}
