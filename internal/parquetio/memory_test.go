package parquetio

import (
	"bytes"
	"errors"
	"runtime"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/testing/bombs"
)

// Bounds of FuzzReaderMemory, in bytes. A step may allocate what its batch and its pages
// have, which are decompressed and decoded, several times as buffers grow.
const (
	maxFuzzed     = 64 << 10 // of the file
	maxBatchHeld  = 16 << 20 // that batches and builders hold at one time
	maxStepMemory = 64 << 20 // that one step allocates
)

// FuzzReaderMemory reads small files of any content, and checks how much memory each step
// takes: a file may say the same value in any number of rows.
func FuzzReaderMemory(f *testing.F) {
	for _, file := range damagedSeeds(f) {
		if len(file) <= maxFuzzed {
			f.Add(file)
		}
	}
	for _, b := range bombFiles(f) {
		f.Add(b.file)
	}
	for _, c := range []struct{ rows, size int }{{20_000, 900_000}, {1 << 17, 100}, {3, 1 << 19}} {
		file, err := bombs.Parquet(c.rows, bombs.Column{Name: "caption", Size: c.size}, bombs.Column{Name: "url", Size: 40})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) > maxFuzzed {
			return
		}
		checkMemory(t, file)
	})
}

// checkMemory reads a file batch by batch and checks what each step allocates.
func checkMemory(t *testing.T, file []byte) {
	mem := &peak{Allocator: memory.DefaultAllocator}
	step := func(name string, do func() error) error {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := do()
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > maxStepMemory {
			t.Fatalf("%s: %d MB were allocated for a file of %d bytes", name, n>>20, len(file))
		}
		return err
	}
	var r *Reader
	err := step("opening", func() (err error) {
		limits := smallLimits
		limits.HeldBytes = 4 << 20
		r, err = NewReader(bytes.NewReader(file), int64(len(file)), ReaderOptions{BatchBytes: 1 << 20, RowBytes: 1 << 20, Mem: mem, Limits: limits})
		return err
	})
	if err != nil {
		return
	}
	defer r.Close()
	for range 200 {
		err := step("a batch", func() error {
			rec, err := r.Next()
			if err == nil {
				rec.Release()
			}
			return err
		})
		if mem.most > maxBatchHeld {
			t.Fatalf("batches held %d MB at one time for a file of %d bytes", mem.most>>20, len(file))
		}
		var large *LargeRowError
		if err != nil && !errors.As(err, &large) {
			return
		}
	}
}
