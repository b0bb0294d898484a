package stages_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/store"
)

// sharedImages writes captions of few images: those of an image together, or one of each image in
// turn.
func sharedImages(t testing.TB, rows, images int, together bool) string {
	t.Helper()
	nouns := strings.Fields("man woman dog cat bus street table horse child bike train sign tree boat car bench beach ball plate shirt")
	adjectives := strings.Fields("red blue small large old young wooden green white black tall brown")
	verbs := strings.Fields("holding riding watching pulling painting carrying")
	places := []string{"on", "next to", "in front of", "under", "behind"}
	r := rand.New(rand.NewPCG(1, 2))
	any := func(of []string) string { return of[r.IntN(len(of))] }
	byImage := make([]strings.Builder, images)
	var inTurn strings.Builder
	for i := range rows {
		row := fmt.Sprintf("http://x.org/%d.jpg\ta %s %s %s a %s %s %s the %s %s\n", i%images,
			any(adjectives), any(nouns), any(verbs), any(adjectives), any(nouns), any(places), any(adjectives), any(nouns))
		byImage[i%images].WriteString(row)
		inTurn.WriteString(row)
	}
	text := inTurn.String()
	if together {
		text = ""
		for i := range byImage {
			text += byImage[i].String()
		}
	}
	name := filepath.Join(t.TempDir(), "captions.tsv")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// textsAnew makes all passes over captions of few images, and the last anew in each call of again.
func textsAnew(t testing.TB, rows, images int, together bool) (again func()) {
	t.Helper()
	source, dir := sharedImages(t, rows, images, together), t.TempDir()
	do := func(pass, redo folder.Pass) {
		r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1, "output.shard_rows=122880", "negatives.balance.enabled=false")
		r.Redo = redo
		if err := r.Do(context.Background(), pass); err != nil {
			t.Fatal(err)
		}
	}
	do("", "")
	return func() { do(folder.PassTexts, folder.PassTexts) }
}

// BenchmarkSplitImages makes the texts of captions of which some 100 are of an image: together, and
// one of each image in turn.
func BenchmarkSplitImages(b *testing.B) {
	for _, together := range []bool{true, false} {
		name := "scattered"
		if together {
			name = "together"
		}
		b.Run(name, func(b *testing.B) {
			const rows, images = 4000, 40
			again := textsAnew(b, rows, images, together)
			b.ReportAllocs()
			for b.Loop() {
				again()
			}
			b.ReportMetric(float64(b.N)*rows/b.Elapsed().Seconds(), "captions/s")
		})
	}
}

// TestSplitImagesTakeNoMoreMemory counts what is allocated for the texts of captions whose
// images are split: what is known of an image is made once, not for each of its rows.
func TestSplitImagesTakeNoMoreMemory(t *testing.T) {
	allocated := func(together bool) uint64 {
		again := textsAnew(t, 400, 4, together)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		again()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	together, scattered := allocated(true), allocated(false)
	t.Logf("together %d MB, scattered %d MB", together>>20, scattered>>20)
	if scattered > 2*together {
		t.Errorf("scattered captions take %d MB, and %d MB together", scattered>>20, together>>20)
	}
}
