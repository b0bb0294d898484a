package checkpoint_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"capgraph/testing/faultstore"
	"capgraph/train/checkpoint"
)

func state(step int) checkpoint.State {
	return checkpoint.State{
		Step:    step,
		Weights: random(tiny(), uint64(step)),
		Tensors: map[string]checkpoint.Tensor{
			"adamw.m.visual.proj": {[]int{10, 12}, make([]float32, 120)},
			"thresholds":          {[]int{4}, []float64{0, 1, 2.5, 1e-300}},
			"cache":               {[]int{3}, []int32{62, 5, 63}},
		},
		Scalars: json.RawMessage(`{"epoch":3,"seed":18446744073709551615,"decoder":"go/1"}`),
	}
}

func TestResume(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "checkpoints")
	c, want := tiny(), state(700)
	var first []byte
	for range 2 { // a step that is done again after a crash is written again
		if err := checkpoint.SaveState(local, dir, c, want); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(checkpoint.StateFile(dir, 700))
		if err != nil || first != nil && !bytes.Equal(data, first) {
			t.Fatalf("other bytes the second time, %v", err)
		}
		first = data
	}
	got, err := checkpoint.LoadState(local, dir, 700, c)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got.Scalars, err)
	}
	// A state is a model's weights too.
	if w, err := checkpoint.Load(local, checkpoint.StateFile(dir, 700), c); err != nil || !reflect.DeepEqual(w, want.Weights) {
		t.Errorf("as weights: %v", err)
	}
	other := c
	other.QuickGELU = true
	if _, err := checkpoint.LoadState(local, dir, 700, other); err == nil || !strings.Contains(err.Error(), "another model than the recipe's (quick_gelu: unset → true)") {
		t.Errorf("with another model: %v", err)
	}
	if _, err := checkpoint.LoadState(local, dir, 701, c); err == nil || !strings.Contains(err.Error(), "step-000000701") {
		t.Errorf("a step that is not there: %v", err)
	}
	if err := os.Rename(checkpoint.StateFile(dir, 700), checkpoint.StateFile(dir, 900)); err != nil {
		t.Fatal(err)
	}
	if _, err := checkpoint.LoadState(local, dir, 900, c); err == nil || !strings.Contains(err.Error(), "renamed") {
		t.Errorf("a file that was renamed: %v", err)
	}
}

func TestRetain(t *testing.T) {
	dir := t.TempDir()
	if steps, err := checkpoint.Steps(local, filepath.Join(dir, "none")); err != nil || len(steps) > 0 {
		t.Error(steps, err)
	}
	for _, step := range []int{30, 5, 10, 20, 1_000_000_000} {
		if err := checkpoint.SaveState(local, dir, tiny(), state(step)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"step-x.safetensors", "step-7.safetensors", "step-000000008.pt", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := checkpoint.Retain(local, dir, 2, 5); err != nil {
		t.Fatal(err)
	}
	if steps, err := checkpoint.Steps(local, dir); err != nil || !slices.Equal(steps, []int{5, 30, 1_000_000_000}) {
		t.Errorf("kept %v, %v", steps, err)
	}
	if err := checkpoint.Retain(local, dir, 9); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "step-7.safetensors")); err != nil {
		t.Error("a file that is no state was removed")
	}
}

func TestADiskThatFillsUpLeavesTheStateBefore(t *testing.T) {
	dir := t.TempDir()
	if err := checkpoint.SaveState(local, dir, tiny(), state(1)); err != nil {
		t.Fatal(err)
	}
	for _, op := range []faultstore.Op{faultstore.Write, faultstore.Publish} {
		full := faultstore.New(local, faultstore.From(op, 0, syscall.ENOSPC))
		if err := checkpoint.SaveState(full, dir, tiny(), state(2)); !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(op, err)
		}
	}
	if steps, err := checkpoint.Steps(local, dir); err != nil || !slices.Equal(steps, []int{1}) {
		t.Error(steps, err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}
