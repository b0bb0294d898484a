package loader

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/schemas"
)

func TestErrorsNameTheirPlace(t *testing.T) {
	good := writeTexts(t, makeImages("i", 6), 3)
	empty := t.TempDir()
	cut := writeTexts(t, makeImages("i", 6), 3)
	file := filepath.Join(cut, "texts", "00001.parquet")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data[:len(data)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	none := writeTexts(t, nil, 1)
	writeRows(t, filepath.Join(none, "texts", "a.parquet"), nil)
	for name, c := range map[string]struct {
		o    Options
		want []string
	}{
		"no folder":    {testOptions(filepath.Join(empty, "nowhere")), []string{"nowhere"}},
		"empty folder": {testOptions(empty), []string{empty, "texts/*.parquet"}},
		"cut off":      {testOptions(cut), []string{"00001.parquet", "is Parquet, cut off at its end"}},
		"no rows":      {testOptions(none), []string{none, "no rows"}},
		"few images":   {withChange(testOptions(good), func(o *Options) { o.Batch = 7 }), []string{"6 images", "7"}},
		"few samples":  {withChange(testOptions(good), func(o *Options) { o.Samples = 3 }), []string{"3 images", "4"}},
		"one weight":   {withChange(testOptions(good, cut), func(o *Options) { o.Corpora[0].Weight = 1 }), []string{cut, "weight"}},
		"neighbours":   {withChange(testOptions(good), func(o *Options) { o.Neighbours = file }), []string{file}},
		"step":         {withChange(testOptions(good), func(o *Options) { o.From.Step = 2 }), []string{"step 2"}},
		"rank":         {withChange(testOptions(good), func(o *Options) { o.Rank, o.World = 2, 2 }), []string{"2 of 2"}},
		"no corpus":    {testOptions(), []string{"no corpus"}},
	} {
		l, err := Open(t.Context(), c.o)
		if err == nil {
			l.Close()
		}
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", name, err, want)
			}
		}
	}
}

func withChange(o Options, f func(*Options)) Options {
	f(&o)
	return o
}

func TestRowsAreCheckedAsTheyAreRead(t *testing.T) {
	for name, spoil := range map[string]func(*schemas.TextsRow){
		"pos is empty": func(r *schemas.TextsRow) { r.Pool.Reset() },
		"pos[0]":       func(r *schemas.TextsRow) { r.Text = "another" },
		"neg_of 7":     func(r *schemas.TextsRow) { r.Negatives[0].Of = 7 },
	} {
		dir := t.TempDir()
		rows := []*schemas.TextsRow{textsRow("a", 0, "x"), textsRow("b", 0, "y"), textsRow("c", 0, "z")}
		spoil(rows[1])
		writeRows(t, filepath.Join(dir, "00042.parquet"), rows)
		o := testOptions(dir)
		o.Batch = 1
		_, err := openLoader(t, o).Next(t.Context())
		for _, want := range []string{name, "00042.parquet", "row 1", "b#0"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", name, err, want)
			}
		}
	}
}

func TestTextsThatChangeMeanwhile(t *testing.T) {
	dir := writeTexts(t, makeImages("i", 12), 6)
	o := testOptions(dir)
	o.Window, o.Prefetch = 2, 1
	for _, n := range []int{5, 8} {
		l := openLoader(t, o)
		file := filepath.Join(dir, "texts", "00001.parquet")
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		writeRows(t, file, shardOf(makeImages("x", n)))
		var err error
		for i := 0; i < 12 && err == nil; i++ {
			var b *Batch
			if b, err = l.Next(t.Context()); err == nil {
				l.Release(b)
			}
		}
		if err == nil || !strings.Contains(err.Error(), "00001.parquet") {
			t.Errorf("error %v", err)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		writeRows(t, file, shardOf(makeImages("y", 6)))
	}
}

func shardOf(images []captionedImage) (rows []*schemas.TextsRow) {
	for _, image := range images {
		for i, caption := range image.captions {
			rows = append(rows, textsRow(image.key, i, caption))
		}
	}
	return rows
}

func TestCancelledLoading(t *testing.T) {
	dir := writeTexts(t, makeImages("i", 40), 9)
	ctx, cancel := context.WithCancel(t.Context())
	l, err := Open(ctx, testOptions(dir))
	if err != nil {
		t.Fatal(err)
	}
	takeBatches(t, l, 1)
	cancel()
	for err == nil { // what was ready may still come
		_, err = l.Next(t.Context())
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	l.Close()
	l.Close()
	if _, err := l.Next(t.Context()); err == nil {
		t.Error("a closed loader gives batches")
	}

	l = openLoader(t, testOptions(dir))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for err = nil; err == nil; {
		_, err = l.Next(gone)
	}
	at := l.Position()
	b, err := l.Next(t.Context()) // goes on with the batch that was waited for
	if err != nil || b.Position != at {
		t.Errorf("batch %+v, want %v, error %v", b, at, err)
	}
}

// Texts that would not fit into memory together are an error that names the remedy.
func TestTextsThatAreTooLargeTogether(t *testing.T) {
	long := strings.Repeat("a red thing ", 100_000) // of which a row has 11
	many := func(key func(i int) string) string {
		var rows []*schemas.TextsRow
		for i := range 22 {
			rows = append(rows, textsRow(key(i), i, long))
		}
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "texts"), 0o755); err != nil {
			t.Fatal(err)
		}
		writeRows(t, filepath.Join(dir, "texts", "00000.parquet"), rows)
		return dir
	}
	for want, dir := range map[string]string{
		`the captions of image "same" have more than`: many(func(int) string { return "same" }),
		"set a smaller data.shuffle":                  many(func(i int) string { return fmt.Sprint("image", i) }),
	} {
		l, err := Open(t.Context(), withChange(testOptions(dir), func(o *Options) { o.Batch, o.Window = 1, 100 }))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = l.Next(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		l.Close()
	}
}
