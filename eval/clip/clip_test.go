package clip

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"capgraph/store"
	"capgraph/synth"
)

// words encodes a text as the counts of its letters, and an image as its name.
type words struct{ sizes []int }

func (w *words) EncodeImages(_ context.Context, images []Image) ([][]float32, map[int]error, error) {
	w.sizes = append(w.sizes, len(images))
	rows, broken := make([][]float32, len(images)), map[int]error{}
	for i, image := range images {
		if strings.HasPrefix(image.Name, "missing") {
			broken[i] = os.ErrNotExist
		} else {
			rows[i] = letters(image.Name)
		}
	}
	return rows, broken, nil
}

func (w *words) EncodeTexts(_ context.Context, texts []string) ([][]float32, error) {
	var rows [][]float32
	for _, text := range texts {
		rows = append(rows, letters(text))
	}
	return rows, nil
}

func letters(text string) []float32 {
	row := make([]float32, 26)
	for _, r := range text {
		if r >= 'a' && r <= 'z' {
			row[r-'a']++
		}
		if r == '!' {
			row[0] = float32(math.NaN())
		}
	}
	return row
}

// pairScores is the result of a benchmark of pairs.
type pairScores struct {
	// margins has for each pair how much nearer the image is to the true caption: the difference of
	// cosines, from -2 to 2; NaN if the image is broken.
	margins []float64
	broken  []Broken
	scored  int
}

// correct returns the number of pairs whose true caption is nearer. A tie is wrong.
func (p *pairScores) correct() int {
	correct := 0
	for _, m := range p.margins {
		if m > 0 {
			correct++
		}
	}
	return correct
}

// accuracy returns the share of scored pairs that are correct, NaN if there are none. Chance is 0.5.
func (p *pairScores) accuracy() float64 { return float64(p.correct()) / float64(p.scored) }

// scorePairs scores pairs, batch pairs at a time.
func scorePairs(ctx context.Context, encoder Encoder, pairs []Pair, batch int) (*pairScores, error) {
	b := pairBenchmark("", pairs)
	b.Metrics = b.Metrics[:1]
	r, err := Score(ctx, encoder, b, Options{Batch: max(batch, 1)})
	if err != nil {
		return nil, err
	}
	accuracy := &r.Measures[0]
	return &pairScores{accuracy.Margins, r.Broken, accuracy.Scored()}, nil
}
func TestTiesAreWrong(t *testing.T) {
	pair := func(image, caption, negative string) Pair {
		return Pair{Image: Image{Name: image}, True: caption, False: negative}
	}
	pairs := []Pair{
		pair("a", "aa", "b"), pair("a", "b", "a"), pair("a", "a", "a"), pair("missing", "a", "b"), pair("ab", "ab", "a"), pair("!", "a", "b"), pair("z", "a", "b"),
	}
	for batch := 1; batch < 9; batch++ {
		w := &words{}
		got, err := scorePairs(t.Context(), w, pairs, batch)
		if err != nil {
			t.Fatal(err)
		}
		margins := fmt.Sprint(got.margins)
		if margins != "[2 -1 0 NaN 1 0 0]" || got.correct() != 2 || got.scored != 6 || got.accuracy() != 1./3 {
			t.Errorf("batch %d: %s, %d of %d", batch, margins, got.correct(), got.scored)
		}
		if len(got.broken) != 1 || got.broken[0].Image != "missing" || !errors.Is(got.broken[0].Err, os.ErrNotExist) {
			t.Errorf("batch %d: %v", batch, got.broken)
		}
		if len(w.sizes) != (len(pairs)+batch-1)/batch || w.sizes[0] > batch {
			t.Errorf("batch %d: batches of %v", batch, w.sizes)
		}
	}
	if got, err := scorePairs(t.Context(), &words{}, nil, 4); err != nil || got.scored != 0 || !math.IsNaN(got.accuracy()) {
		t.Errorf("no pairs: %v, %v", got, err)
	}
}

// failing is an encoder that gives what none may give.
type failing struct {
	images, texts [][]float32
	err           error
}

func (f *failing) EncodeImages(context.Context, []Image) ([][]float32, map[int]error, error) {
	return f.images, nil, f.err
}
func (f *failing) EncodeTexts(context.Context, []string) ([][]float32, error) { return f.texts, nil }

func TestFailuresOfTheEncoder(t *testing.T) {
	row := []float32{1, 2}
	for _, f := range []*failing{
		{images: [][]float32{row}, texts: [][]float32{row}},
		{images: nil, texts: [][]float32{row, row}},
		{images: [][]float32{{1}}, texts: [][]float32{row, row}},
		{images: [][]float32{nil}, texts: [][]float32{row, row}},
		{images: [][]float32{row}, texts: [][]float32{row, {}}},
		{err: errors.New("out of memory")},
	} {
		if _, err := scorePairs(t.Context(), f, []Pair{{True: "a", False: "b"}}, 1); err == nil {
			t.Errorf("%+v: no error", f)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := scorePairs(ctx, &words{}, []Pair{{True: "a", False: "b"}}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

func TestReadSugarCrepe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "swap_att.json")
	for _, c := range []struct{ text, want string }{
		{`{}`, ""},
		{`{"10": {"filename": "a.jpg", "caption": "é", "negative_caption": "y", "source": 3}, "9": {"filename": "b/c.jpg", "caption": "u", "negative_caption": "v"}}`, ""},
		{``, "is not a JSON object"},
		{`[]`, "is not a JSON object"},
		{`{"0": 3}`, `entry "0": json: cannot unmarshal`},
		{`{"0": {"caption": "x", "negative_caption": "y"}}`, `entry "0": has no filename`},
		{`{"0": {"filename": "a", "negative_caption": "y"}}`, `entry "0": has no caption`},
		{`{"0": {"filename": "a", "caption": "x"}}`, `entry "0": has no negative_caption`},
		{`{"0": {"filename": "a", "caption": "x", "negative_caption": "y"}`, "is cut off after entry 1"},
		{`{"0": {"filename": "a", "caption": "x", "negative`, `entry "0": unexpected EOF`},
		{`{} {}`, "continues after the object"},
		{`{"0": {"filename": "a", "caption": "x", "negative_caption": "y"}, "0": {"filename": "a", "caption": "x", "negative_caption": "y"}}`, `entry "0": occurs twice`},
	} {
		if err := os.WriteFile(name, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		pairs, err := parseFile(store.Local{}, name, sugarCrepeForm, parseSugarCrepe)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), name+": "+c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
		want := []Pair{{"10", Image{Name: "a.jpg"}, "é", "y"}, {"9", Image{Name: "b/c.jpg"}, "u", "v"}}
		if len(pairs) > 0 && !reflect.DeepEqual(pairs, want) {
			t.Errorf("got %+v", pairs)
		}
	}
	if _, err := parseFile(store.Local{}, name+".none", sugarCrepeForm, parseSugarCrepe); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestTheWorldsPairsAreRead(t *testing.T) {
	dir := t.TempDir()
	if err := (synth.World{Kind: synth.Free, Seed: 7, Side: 8, Tests: 12}).Write(t.Context(), store.Local{}, dir); err != nil {
		t.Fatal(err)
	}
	pairs, err := parseFile(store.Local{}, synth.TestFile(dir, synth.TestPairs), sugarCrepeForm, parseSugarCrepe)
	if err != nil || len(pairs) != 12 || pairs[11].Image.Name != "pairs/000011.png" || pairs[11].ID != "11" {
		t.Errorf("%d pairs, %v", len(pairs), err)
	}
}

func FuzzSugarCrepe(f *testing.F) {
	f.Add([]byte(`{"0": {"filename": "a", "caption": "x", "negative_caption": "y"}}`))
	f.Add([]byte(`{"0": {}`))
	f.Add([]byte(`{1: 2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		pairs, err := parseSugarCrepe(data)
		if err != nil && pairs != nil {
			t.Error("pairs and an error")
		}
	})
}
