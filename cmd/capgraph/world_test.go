package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"capgraph/store"
	"capgraph/synth"
	"capgraph/train"
)

// TestTheWorldHasSwappedColours makes a world's texts and finds, among the
// negatives of each caption, one with another colour, and of most of two
// objects (balance drops some) one with their colours swapped.
func TestTheWorldHasSwappedColours(t *testing.T) {
	w := train.Defaults().World
	w.Train, w.Heldout, w.Side, w.Dir = 600, 5, 8, filepath.ToSlash(t.TempDir())
	for range 2 { // the second time, all is there
		if err := makeWorld(t.Context(), store.Local{}, w, 2, nil); err != nil {
			t.Fatal(err)
		}
	}
	names, err := filepath.Glob(filepath.Join(w.TextsDir(), "texts", "*.parquet"))
	if err != nil || len(names) != 1 || filepath.Base(names[0]) != "00000.parquet" {
		t.Fatalf("texts %v, %v", names, err)
	}
	var out strings.Builder
	if code := run(t.Context(), []string{"cat", names[0]}, streams{in: strings.NewReader(""), out: &out, err: os.Stderr}); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	scenes, err := synth.New(w.SynthWorld())
	if err != nil {
		t.Fatal(err)
	}
	rows, pairs, swapped := 0, 0, 0
	for line := range strings.Lines(out.String()) {
		var row struct {
			Key  string   `json:"key"`
			Text string   `json:"text"`
			Neg  []string `json:"neg"`
			How  []string `json:"neg_method"`
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		scene := scenes.TrainScene(rows)
		rows++
		if row.Text != scene.Caption() {
			t.Errorf("%s: %q, not %q", row.Key, row.Text, scene.Caption())
		}
		if !slices.Contains(row.How, "replace_attribute") {
			t.Errorf("%s: %q has no negative of another colour: %q", row.Key, row.Text, row.Neg)
		}
		if len(scene.Objects) == 2 {
			pairs++
			if slices.Contains(row.How, "swap_attributes") || slices.Contains(row.How, "swap_adjectives") {
				swapped++
			}
		}
	}
	if rows != 600 || pairs < 400 || swapped < pairs*3/4 {
		t.Errorf("%d rows, %d of two objects, %d with their colours swapped", rows, pairs, swapped)
	}
	w.Seed++
	if err := makeWorld(t.Context(), store.Local{}, w, 2, nil); err == nil || !strings.Contains(err.Error(), "holds another world") {
		t.Errorf("another world in the folder: %v", err)
	}
	if _, err := store.ReadFile(store.Local{}, w.Dir+"/tests/words/000004.png", 1<<20); err != nil {
		t.Error(err)
	}
}
