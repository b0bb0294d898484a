package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"capgraph/store/storetest"
	"capgraph/train"
)

// TestStoresKeepATraining trains to a folder and, killed on the way, to a bucket: the
// weights have the same bits, and metrics.jsonl has each step once.
func TestStoresKeepATraining(t *testing.T) {
	url, kept := storetest.S3Folder(t)
	dir := smallWorld(t)
	must(t, trainer(dir, "whole"))
	interrupt(t, trainer(dir, url+"/out"), filepath.Join(kept, "out", "metrics.jsonl"), 7, syscall.SIGKILL)
	must(t, trainer(dir, url+"/out"))
	if !bytes.Equal(read(t, dir, "whole", train.WeightsFile), read(t, kept, "out", train.WeightsFile)) {
		t.Error("other weights")
	}
	steps, want := losses(t, dir, "whole", "metrics.jsonl")
	again, got := losses(t, kept, "out", "metrics.jsonl")
	if len(steps) != 24 || !slices.Equal(steps, again) || !slices.Equal(want, got) {
		t.Errorf("steps %v, losses %v; want %v, %v", again, got, steps, want)
	}
}
