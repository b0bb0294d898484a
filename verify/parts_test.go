package verify_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"capgraph/folder"
	"capgraph/store"
	"capgraph/verify"
)

// told is what verify prints about a folder.
func told(t *testing.T, dir string, o verify.Options) (verify.Result, []string) {
	t.Helper()
	var said []string
	result, err := verify.Run(context.Background(), folder.Folder{Store: store.Local{}, Dir: dir}, o, func(p verify.Problem) { said = append(said, p.String()) })
	if err != nil {
		t.Fatal(err)
	}
	return result, said
}

// hurt is a folder in which something is wrong for each kind of check.
func hurt(t *testing.T) string {
	f := damaged{t, good(t)}
	f.column(folder.PassParse, "parser", "")
	f.column(folder.PassTexts, "image", "x.jpg")
	f.write("texts/"+second+".parquet", f.read("texts/" + second + ".parquet")[:1000])
	f.write("graphs/train-00003-of-00005.parquet", f.read(graphsFile)) // the keys and images of the first once more
	f.write(".capgraph/vocabulary.parquet", nil)
	f.remove(folder.EntryFile(folder.PassTexts, "train-00004-of-00005"))
	f.write(folder.EntryFile(folder.PassTally, second), []byte("{"))
	return f.dir
}

func TestWorkersReportTheSame(t *testing.T) {
	dir := hurt(t)
	result, want := told(t, dir, verify.Options{})
	for _, workers := range []int{1, 2, 16} {
		again, said := told(t, dir, verify.Options{Workers: workers})
		if again != result || !slices.Equal(said, want) {
			t.Errorf("%d workers: %+v\n%q\nand one: %+v\n%q", workers, again, said, result, want)
		}
	}
}

// All parts, with what is looked at as a whole, tell all that one process tells, and nothing else.
func TestPartsReportTheSame(t *testing.T) {
	dir := hurt(t)
	one, want := told(t, dir, verify.Options{})
	for _, parts := range []int{1, 2, 5, 9} {
		whole, said := told(t, dir, verify.Options{Whole: true, Workers: 2})
		if whole.Shards != one.Shards || whole.Graphs != one.Graphs || whole.Texts != one.Texts {
			t.Errorf("as a whole %+v, and %+v", whole, one)
		}
		var sum verify.Result
		for part := range parts {
			of, more := told(t, dir, verify.Options{Part: part, Parts: parts})
			sum.Shards, sum.Graphs, sum.Texts = sum.Shards+of.Shards, sum.Graphs+of.Graphs, sum.Texts+of.Texts
			said = append(said, more...)
		}
		if sum.Shards != one.Shards || sum.Graphs != one.Graphs || sum.Texts != one.Texts {
			t.Errorf("%d parts: %+v, and %+v", parts, sum, one)
		}
		slices.Sort(said)
		slices.Sort(want)
		if said = slices.Compact(said); !slices.Equal(said, want) { // an entry that cannot be read is told by both
			t.Errorf("%d parts:\n%q\nand one:\n%q", parts, said, want)
		}
	}
}

// An image that goes on from shard to shard, and one that comes again in another, are told
// with any number of workers as with one.
func TestImagesOverShards(t *testing.T) {
	f := damaged{t, good(t)}
	f.column(folder.PassParse, "image_key", "the same")
	for _, shard := range []string{second, "train-00003-of-00005"} {
		f.write("graphs/"+shard+".parquet", f.read(graphsFile))
	}
	want := []string{
		"the rows of image \"the same\" are not adjacent: they begin at row 0 of shard " + first + " and again at row 0 of shard train-00003-of-00005 ",
		"image \"the same\" is cut, since it had more than 1024 adjacent captions and some were rejected, or its source changed after it was indexed: ",
	}
	for _, workers := range []int{1, 2, 8} {
		var images []string
		_, said := told(t, f.dir, verify.Options{Whole: true, Workers: workers})
		for _, s := range said {
			if note, ok := strings.CutPrefix(s, "note, images: "+f.dir+"/graphs: "); ok {
				images = append(images, note)
			}
		}
		if len(images) != 2 || !strings.HasPrefix(images[0], want[0]) || !strings.HasPrefix(images[1], want[1]) ||
			!strings.Contains(images[1], "from row 0 of shard "+first+" to row ") || !strings.Contains(images[1], " of shard "+second+" (") {
			t.Errorf("%d workers: %q", workers, images)
		}
	}
}
