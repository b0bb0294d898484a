package synth

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"capgraph/schemas"
	"capgraph/sources"
	"capgraph/store"
	"capgraph/testing/longtest"
)

// plain is the world of train.yaml, without scenes.
var plain = World{Kind: Free, Plain: true, Seed: 7, Side: 8}

// written is the files of a folder by name.
func written(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		name, _ := filepath.Rel(dir, p)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func write(t *testing.T, w World) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if err := w.Write(t.Context(), store.Local{}, dir); err != nil {
		t.Fatal(err)
	}
	return written(t, dir)
}

// TestTheSameBytesEachTime makes worlds with one processor and with several.
func TestTheSameBytesEachTime(t *testing.T) {
	for _, w := range []World{
		{Kind: Free, Plain: true, Seed: 7, Side: 32, Train: 1100, Tests: 20},
		{Kind: Free, Seed: 7, Side: 17, Train: 100, Tests: 5},
		{Kind: Fixed, Seed: 7, Side: 17, Train: 100, Tests: 5, Pairs: 0.5, Hard: 0.2},
	} {
		before := runtime.GOMAXPROCS(1)
		one := write(t, w)
		runtime.GOMAXPROCS(4)
		four := write(t, w)
		runtime.GOMAXPROCS(before)
		if want := 7 + 7*(w.Tests+1); len(one) != want || len(four) != want {
			t.Fatalf("%d and %d files, not %d", len(one), len(four), want)
		}
		for name, data := range one {
			if four[name] != data {
				t.Errorf("%s differs", name)
			}
		}
		w.Seed = 8
		if other := write(t, w); other["train/00000.tar"] == one["train/00000.tar"] || other["tests/words.json"] == one["tests/words.json"] {
			t.Error("another seed makes the same world")
		}
	}
}

func TestEdges(t *testing.T) {
	if files := write(t, plain); len(files) != 2 {
		t.Errorf("an empty world: %v", files)
	}
	w := plain
	w.Side, w.Train, w.Tests = 1, 1, 1
	if files := write(t, w); len(files) != 21 {
		t.Errorf("a world of one: %d files", len(files))
	}
	all := World{Kind: Fixed, Side: 8, Train: 9, Tests: 2, Pairs: 1, Hard: 1}
	if files := write(t, all); files["tests/trained.json"] == "" || files["tests/pairs.json"] != "" || files["tests/attributes.json"] != "" {
		t.Errorf("a world in which all is trained on: %d files", len(files))
	}
	none := World{Kind: Fixed, Side: 8, Train: 30, Tests: 2}
	files := write(t, none)
	if strings.Contains(files["train/00000.tar"], " and ") || files["tests/trained.json"] != "" || files["tests/pairs.json"] == "" {
		t.Errorf("a world without pairs: %d files", len(files))
	}
	for _, w := range []World{
		{}, {Kind: "flat", Side: 8}, {Kind: Free, Side: 0}, {Kind: Free, Side: MaxSide + 1}, {Kind: Free, Side: 8, Train: -1}, {Kind: Free, Side: 8, Tests: -1},
		{Kind: Fixed, Side: 8, Pairs: 1.1}, {Kind: Fixed, Side: 8, Hard: -0.1}, {Kind: Fixed, Side: 8, Pairs: math.NaN()},
	} {
		if err := w.Write(t.Context(), store.Local{}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("%+v: %v", w, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	w.Train = 2000
	if err := w.Write(ctx, store.Local{}, dir); !errors.Is(err, context.Canceled) || len(written(t, dir)) != 1 {
		t.Errorf("stopped: %v, %d files", err, len(written(t, dir)))
	}
}

// TestAFolderIsOfOneWorld uses a finished folder again, finishes one that was
// not, and refuses that of another world.
func TestAFolderIsOfOneWorld(t *testing.T) {
	w, dir := plain, t.TempDir()
	w.Train, w.Tests = 30, 3
	again := func(w World) error { return w.Write(t.Context(), store.Local{}, dir) }
	if err := again(w); err != nil {
		t.Fatal(err)
	}
	whole := written(t, dir)
	other := w
	other.Seed++
	if err := again(other); err == nil || !strings.Contains(err.Error(), "holds another world") {
		t.Errorf("another world: %v", err)
	}
	manifest := filepath.Join(dir, "world.json")
	cut := strings.Replace(whole["world.json"], `"whole": true`, `"whole": false`, 1)
	for name, text := range map[string]string{manifest: cut, filepath.Join(dir, "train", "00000.tar"): "cut"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := again(w); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(written(t, dir)) != fmt.Sprint(whole) {
			t.Error("the folder is another")
		}
	}
	if err := os.WriteFile(manifest, []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := again(w); err == nil || !strings.Contains(err.Error(), "world.json: unexpected end") {
		t.Errorf("a broken manifest: %v", err)
	}
	if err := os.Remove(manifest); err != nil {
		t.Fatal(err)
	}
	if err := again(w); err == nil || !strings.Contains(err.Error(), "train: exists, and does not belong to a rendered world") || len(written(t, dir)) != len(whole)-1 {
		t.Errorf("somebody's files: %v", err)
	}
}

// TestTarsAreReadAsImg2datasets reads the sidecars as 'capgraph run' does, and
// the tars beside them.
func TestTarsAreReadAsImg2datasets(t *testing.T) {
	longtest.Only(t, "a second tar begins after 10,000 images")
	dir := t.TempDir()
	w := plain
	w.Side, w.Train = 32, 10003
	if err := w.Write(t.Context(), store.Local{}, dir); err != nil {
		t.Fatal(err)
	}
	captions := map[string]string{}
	for shard, n := range []int{10000, 3} {
		f, err := os.Open(filepath.Join(TrainDir(dir), fmt.Sprintf("%05d.tar", shard)))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in := tar.NewReader(f)
		for i := range n {
			key := fmt.Sprintf("%05d%04d", shard, i)
			data := map[string][]byte{}
			for _, extension := range []string{"png", "json", "txt"} {
				h, err := in.Next()
				if err != nil || h.Name != key+"."+extension || h.Format != tar.FormatUSTAR || h.ModTime.Unix() != 0 {
					t.Fatalf("%+v, %v", h, err)
				}
				data[extension], _ = io.ReadAll(in)
			}
			var r row
			if err := json.Unmarshal(data["json"], &r); err != nil || r.Key != key || r.Caption != string(data["txt"]) {
				t.Fatalf("%s: %v", data["json"], err)
			}
			if sum := sha256.Sum256(data["png"]); r.SHA256 != hex.EncodeToString(sum[:]) {
				t.Fatalf("%s: the hash is another's", key)
			}
			if i%1000 == 0 {
				img, err := png.Decode(bytes.NewReader(data["png"]))
				if err != nil || img.Bounds() != image.Rect(0, 0, 32, 32) {
					t.Fatalf("%s: %v", key, err)
				}
			}
			captions[key] = r.Caption
		}
		if _, err := in.Next(); err != io.EOF {
			t.Errorf("more than %d: %v", n, err)
		}
	}
	opts := sources.Options{Format: "img2dataset", Paths: []string{TrainDir(dir)}}
	sidecars, err := sources.Expand(store.Local{}, opts)
	if err != nil || len(sidecars) != 2 {
		t.Fatalf("%d sidecars, %v", len(sidecars), err)
	}
	for _, sidecar := range sidecars {
		rows, err := sources.Open(t.Context(), store.Local{}, sidecar, opts, schemas.Position{})
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for row := new(sources.Row); ; {
			if err := rows.Next(row); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if row.Reject != "" || captions[row.Key] != row.Caption {
				t.Fatalf("got %+v", row)
			}
			delete(captions, row.Key)
		}
	}
	if len(captions) > 0 {
		t.Errorf("%d captions are in no sidecar", len(captions))
	}
}

// TestTestsSayWhatIsFalse reads the files of tests.
func TestTestsSayWhatIsFalse(t *testing.T) {
	w := plain
	w.Tests = 12
	files := write(t, w)
	for _, test := range Tests {
		var pairs map[string]CaptionPair
		if err := json.Unmarshal([]byte(files["tests/"+test+".json"]), &pairs); err != nil || len(pairs) != 12 {
			t.Fatalf("%s: %d pairs, %v", test, len(pairs), err)
		}
		for _, p := range pairs {
			if files["tests/"+p.Filename] == "" || p.Caption == p.Negative || len(p.Caption) < 20 {
				t.Errorf("%s: got %+v", test, p)
			}
		}
	}
	for _, test := range PartTests {
		var pairs map[string]CaptionPair
		if err := json.Unmarshal([]byte(files["tests/"+test+".json"]), &pairs); err != nil || len(pairs) != 12 {
			t.Fatalf("%s: %d pairs, %v", test, len(pairs), err)
		}
	}
	var all []Captioned
	if err := json.Unmarshal([]byte(files["tests/retrieval.json"]), &all); err != nil || len(all) != 12 || files["tests/"+all[11].Image] == "" {
		t.Errorf("retrieval: %+v, %v", all, err)
	}
}
