package stages

import (
	"context"
	"fmt"
	"strings"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/internal/text"
	"capgraph/schemas"
	"capgraph/store"
)

// Apart are the images whose captions are not all together where a negative is
// checked against them: how many have rows that do not follow each other, how
// many have more than are kept together, and some of each.
type Apart struct {
	Scattered     int64
	SomeScattered []counts.Repeat
	Cut           int64
	SomeCut       []Run
}

// rowsOf is how many rows the source has of shards, rejects among them.
func rowsOf(shards []folder.Shard) int64 {
	rows := int64(0)
	for _, s := range shards {
		rows += s.Rows
	}
	return rows
}

// mostCut is how many images are named that are cut.
const mostCut = 5

// ImagesApart looks for such images in shards of graphs/, so many at a time as
// workers says. scratch is as counts.Keys has it.
func ImagesApart(ctx context.Context, f folder.Folder, shards []folder.Shard, workers int, scratch func() (store.Temp, error)) (Apart, error) {
	all := make([]shardRuns, len(shards))
	keys := counts.Keys{Shards: len(shards), MaxKeys: rowsOf(shards), Workers: workers, Scratch: scratch,
		Each: func(ctx context.Context, i int, see func(string, schemas.RowRef)) error {
			before, err := imageBefore(f, shards, i)
			if err != nil {
				return err
			}
			r := shardRuns{before: before, see: see}
			err = r.read(ctx, f, shards[i].Name)
			r.see = nil // it holds the hashes of the shard
			all[i] = r
			return err
		}}
	var apart Apart
	var err error
	if apart.Scattered, apart.SomeScattered, err = keys.FindRepeats(ctx); err != nil {
		return apart, err
	}
	apart.join(shards, all)
	return apart, nil
}

// join finds the images that are cut: those of each shard, and those that go on from one
// shard to the next of a file.
func (a *Apart) join(shards []folder.Shard, all []shardRuns) {
	var run Run // under way
	end := func() {
		if run.Rows > 0 && run.cut() {
			a.addCut(1, run)
		}
		run = Run{}
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
			a.addCut(r.cut, r.some...)
			run = r.last
		}
	}
	end()
}

func (a *Apart) addCut(n int64, some ...Run) {
	a.Cut += n
	a.SomeCut = append(a.SomeCut, some[:min(len(some), mostCut-len(a.SomeCut))]...)
}

const (
	statScattered = "images_not_adjacent"
	statCut       = "images_cut"
	statFarLeft   = "far_captions_left_out"
)

// warnApart says which images have more captions that lie apart than are compared.
func warnApart(stats map[string]int64) string {
	var said []string
	if n := stats[statCut]; n > 0 {
		said = append(said, fmt.Sprintf("%d %s more than %d adjacent captions, which are cut into groups", n, text.Plural(n, "image has", "images have"), folder.MaxImageRows))
	}
	if n := stats[statFarLeft]; n > 0 {
		said = append(said, fmt.Sprintf("%d %s beyond the %d of an image that are compared with those that lie elsewhere", n, text.Plural(n, "caption is", "captions are"), mostFar))
	}
	if len(said) == 0 {
		return ""
	}
	return strings.Join(said, "; ") + ": a negative of one caption may be said by another; keep fewer captions of an image and index anew with --redo index ('capgraph verify' names some)"
}

// CountedApart is how many images the pass count of a folder found apart; none
// where that cannot be told.
func CountedApart(f folder.Folder) int64 {
	e, err := f.Entry(folder.PassCount, folder.Whole)
	if err != nil {
		return 0
	}
	return e.Stats[statScattered] + e.Stats[statCut]
}
