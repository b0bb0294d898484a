package verify_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/store"
	"capgraph/verify"
)

// manyRows makes a folder whose entries say that it has more rows than the hashes
// of which are held at once.
func manyRows(t *testing.T) string {
	f := damaged{t, good(t)}
	f.edit(".capgraph/entries/parse/"+first+".json", func(e map[string]any) { e["rows_out"] = 20 << 20 })
	f.edit(".capgraph/index.json", func(x map[string]any) { x["shards"].([]any)[0].(map[string]any)["rows"] = 20 << 20 })
	return f.dir
}

// scratchIn makes scratch files in a folder, and counts them.
func scratchIn(dir string, made *int) func() (store.Temp, error) {
	return func() (store.Temp, error) {
		*made++
		return store.Local{}.Create(filepath.Join(dir, "hashes"))
	}
}

func TestManyKeysAndImagesWaitInScratchFiles(t *testing.T) {
	dir, scratch, made := manyRows(t), t.TempDir(), 0
	f := damaged{t, dir}
	for _, name := range []string{graphsFile, "graphs/" + second + ".parquet"} { // both have the rows of the first
		data := f.read(graphsFile)
		f.remove(name)
		f.write(name, data)
	}
	said := map[string]string{}
	_, err := verify.Run(context.Background(), folder.Folder{Store: store.Local{}, Dir: dir}, verify.Options{Workers: 3, Scratch: scratchIn(scratch, &made)}, func(p verify.Problem) { said[p.Check] += p.What + "\n" })
	if err != nil {
		t.Fatal(err)
	}
	if made != 2 {
		t.Errorf("%d scratch files were made, for keys and for images", made)
	}
	if want := "is in shard " + first + " and in shard " + second; !strings.Contains(said["keys"], want) {
		t.Errorf("of keys it says %q", said["keys"])
	}
	if !strings.Contains(said["images"], "are not adjacent") {
		t.Errorf("of images it says %q", said["images"])
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// A scratch file that cannot be made or read back ends the check of keys, and that
// of images too, of which other errors are told by other checks.
func TestScratchThatFails(t *testing.T) {
	dir := manyRows(t)
	for failing := range 2 {
		made, full := 0, errors.New("no space left on device")
		scratch := scratchIn(t.TempDir(), new(int))
		_, err := verify.Run(context.Background(), folder.Folder{Store: store.Local{}, Dir: dir}, verify.Options{Scratch: func() (store.Temp, error) {
			if made++; made > failing {
				return nil, full
			}
			return scratch()
		}}, func(verify.Problem) {})
		of := new(counts.ScratchError)
		if !errors.As(err, &of) || !errors.Is(err, full) {
			t.Errorf("scratch file %d: %v", failing, err)
		}
	}
}
