package negatives

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"capgraph/internal/ngrams"
	"capgraph/negatives/textonly"
)

func TestStrayRulesByExample(t *testing.T) {
	for i, rule := range strayRules {
		for j, other := range strayRules {
			text := other.example
			hit := false
			for k, tok := range ngrams.AppendTokens(nil, text) {
				hit = hit || rule.stray(text, tok, k == 0)
			}
			if hit != (i == j) {
				t.Errorf("rule %q on %q: %v", rule.example, text, hit)
			}
		}
	}
	for _, text := range []string{"", "A dog.", "a dog's 'red' tail, (wet)", "a dog "} {
		want := 0
		if strings.HasSuffix(text, " ") {
			want = 1
		}
		if got := straySpaces(text, ngrams.AppendTokens(nil, text)); got != want {
			t.Errorf("straySpaces(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestSoundRulesByExample(t *testing.T) {
	for _, r := range soundRules {
		if got := hasVowelSound(r.example); got != r.vowel {
			t.Errorf("vowelSound(%q) = %v", r.example, got)
		}
	}
}

func TestSurface(t *testing.T) {
	for _, c := range []struct {
		text             string
		articles, double int
	}{
		{"", 0, 0},
		{"A umbrella and an dog", 2, 0},
		{"An umbrella, a dog, a unicorn and an hour", 0, 0},
		{"an 8 and a 10", 0, 0},
		{"a MRI of an NBA player", 0, 0},
		{"a dog Dog dog", 0, 2},
		{"a dog, dog", 0, 0},
	} {
		tokens := ngrams.AppendTokens(nil, c.text)
		if got := articleErrors(c.text, tokens); got != c.articles {
			t.Errorf("%q: %d article errors, want %d", c.text, got, c.articles)
		}
		if got := doubledWords(c.text, tokens); got != c.double {
			t.Errorf("%q: %d doubled words, want %d", c.text, got, c.double)
		}
	}
}

func TestImageNumber(t *testing.T) {
	for image, want := range map[string]string{
		"val2014/COCO_val2014_000000184613.jpg": "184613",
		"000000184613.jpg":                      "184613",
		"184613":                                "184613",
		"":                                      "",
		"a/cat.jpg":                             "a/cat.jpg",
	} {
		if got := imageNumber(image); got != want {
			t.Errorf("imageNumber(%q) = %q, want %q", image, got, want)
		}
	}
}

func seq(rows ...Row) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestEvaluateCountsFlaws(t *testing.T) {
	caption := "A dog sits on a couch."
	rows := seq(
		Row{Image: "9", Positives: []string{"A bird on a branch"}, Negatives: []Negative{{Text: "A bird on a car", Changed: "object"}}},
		Row{Image: "1", Positives: []string{caption, "a dog"}, Negatives: []Negative{
			{Text: "A cat sits on a couch.", Changed: "object"},
			{Text: "a puppy", Of: 1, Changed: "object", Method: "m"},
			{Text: "a puppy", Of: 1, Changed: "object", Method: "m"}, // repeated
			{Text: "the Dog sits on couch", Changed: "order"},        // what the second caption says
			{Text: "A couch sits on an dog .", Changed: "order"},
		}},
		Row{Image: "1", Positives: []string{"The dog sits on the couch"}},
	)
	siblings := Siblings{}
	siblings.addCaption("1.jpg", caption)
	siblings.addCaption("1.jpg", "A small puppy on a couch")
	siblings.addCaption("9.jpg", "Two birds")
	r, err := Evaluate(rows, Options{Pairs: 100, Siblings: siblings})
	if err != nil {
		t.Fatal(err)
	}
	if r.Captions != 3 || r.Images != 2 || len(r.Groups) != 4 {
		t.Fatalf("report %+v", r)
	}
	g := r.Groups[0]
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"negatives", float64(g.Negatives), 6},
		{"equal", g.Equal, 100. / 6}, {"repeated", g.Repeated, 100. / 6}, {"stray", g.StraySpaces, 100. / 6},
		{"articles", g.ArticleErrors, 100. / 6}, {"doubled", g.DoubledWords, 0},
		{"length", g.LengthBias, -1. / 6},
		{"same words", g.SameWords, 0}, {"bag of words", g.BagOfWords, 100},
		// The cat, which no sibling says, and twice the puppy, which one does.
		{"judged", float64(g.Truth.Judged), 3}, {"said", g.Truth.Said, 200. / 3}, {"original", g.Truth.Original, 0},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

// A model that does not see the order of words guesses the pairs that differ in nothing else.
func TestBagOfWords(t *testing.T) {
	row := Row{Image: "1", Positives: []string{"A red circle and a blue square"}}
	for _, text := range []string{"a blue circle and a red square.", "a red circle and a blue circle", "a red circle and blue square", "a square"} {
		row.Negatives = append(row.Negatives, Negative{Text: text})
	}
	r, err := Evaluate(seq(row), Options{Pairs: 10})
	if err != nil {
		t.Fatal(err)
	}
	if g := r.Groups[0]; g.SameWords != 25 || g.BagOfWords != 87.5 {
		t.Errorf("same words %v, ceiling %v; want 25, 87.5", g.SameWords, g.BagOfWords)
	}
	// SugarCrepe: 572 of its 7,511 pairs have the same words (github.com/RAIVNLab/sugar-crepe/issues/10).
	rows := func(yield func(Row, error) bool) {
		for i := range 7511 {
			row := Row{Image: fmt.Sprint(i), Positives: []string{"A cat sits on its hind legs, and swats at the plant."}, Negatives: []Negative{{Text: "A cat sits on the plant, and swats at its hind legs."}}}
			switch {
			case i >= 572:
				row.Negatives[0].Text = "A cat sits on its hind legs, and swats at the bird."
			case i%2 == 0:
				row = Row{Image: row.Image, Positives: []string{"A face-forward dog and a small bird"}, Negatives: []Negative{{Text: "A small dog and a face - forward bird"}}}
			}
			if !yield(row, nil) {
				return
			}
		}
	}
	r, err = Evaluate(rows, Options{Pairs: 10})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%.1f", r.Groups[0].BagOfWords); got != "96.2" {
		t.Errorf("SugarCrepe's ceiling is %s, want 96.2", got)
	}
}

func TestEvaluateEmpty(t *testing.T) {
	if _, err := Evaluate(seq(), Options{Pairs: 10}); err == nil || !strings.Contains(err.Error(), "no negatives") {
		t.Errorf("error %v", err)
	}
	one := Row{Image: "1", Positives: []string{""}, Negatives: []Negative{{Text: ""}}}
	r, err := Evaluate(seq(one), Options{Pairs: 10})
	if err != nil || r.Groups[0].TextOnly != 50 {
		t.Errorf("two empty texts: %+v, error %v", r, err)
	}
}

// textOnlyGroup measures negatives made by negate.
func textOnlyGroup(t *testing.T, negate func(colour string) string) Group {
	var rows []Row
	colours := []string{"red", "blue", "green", "black"}
	things := []string{"bus", "dog", "cup", "car", "hat"}
	for i := range 2000 {
		colour := colours[i%4]
		caption := fmt.Sprintf("a %s %s by the %s", colour, things[i%5], things[i/5%5])
		negative := strings.Replace(caption, colour, negate(colour), 1)
		rows = append(rows, Row{Image: fmt.Sprint(i), Positives: []string{caption}, Negatives: []Negative{{Text: negative, Changed: "attribute"}}})
	}
	r, err := Evaluate(seq(rows...), Options{Pairs: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return r.Groups[0]
}

func TestTextOnlyAccuracy(t *testing.T) {
	next := map[string]string{"red": "blue", "blue": "green", "green": "black", "black": "red"}
	fair := textOnlyGroup(t, func(c string) string { return next[c] })
	if fair.TextOnly < 40 || fair.TextOnly > 60 {
		t.Errorf("a colour comes in as often as it goes: text-only accuracy %.1f, want about 50", fair.TextOnly)
	}
	if g := textOnlyGroup(t, func(string) string { return "purple" }); g.TextOnly != 100 || g.TextOnlyPerText != 100 {
		t.Errorf("a word that only negatives have: accuracy %.1f, per text %.1f, want 100", g.TextOnly, g.TextOnlyPerText)
	}
	cased := textOnlyGroup(t, func(c string) string { return strings.ToUpper(next[c]) })
	if cased.TextOnlyWritten != 100 || cased.TextOnly > 60 {
		t.Errorf("only casing differs: as written %.1f, in words %.1f, want 100 and about 50", cased.TextOnlyWritten, cased.TextOnly)
	}
}

// TestTextOnlyAfterTraining asks a classifier about pairs that it has not seen. Words that were
// false in training count as false, even if they are true now.
func TestTextOnlyAfterTraining(t *testing.T) {
	red, blue := "a red circle and a blue square", "a blue circle and a red square"
	seen := []textonly.Pair{{Positive: red, Negative: blue}}
	for _, c := range []struct {
		seen, asked []textonly.Pair
		want        float64
	}{
		{seen, seen, 100}, {seen, []textonly.Pair{{Positive: blue, Negative: red}}, 0}, {nil, seen, 50}, {seen, nil, 50},
		{seen, []textonly.Pair{{Positive: "two dogs", Negative: "two dogs"}}, 50},
	} {
		if got := textonly.AccuracyAfter(c.seen, c.asked); got != c.want {
			t.Errorf("%v after %v: %v, want %v", c.asked, c.seen, got, c.want)
		}
	}
}

func TestEvaluateDoesNotDependOnOrder(t *testing.T) {
	var rows []Row
	for i := range 300 {
		rows = append(rows, Row{Image: fmt.Sprint(i), Positives: []string{fmt.Sprintf("a dog %d", i%7)}, Negatives: []Negative{{Text: fmt.Sprintf("a cat %d", i%5)}}})
	}
	forward, err := Evaluate(seq(rows...), Options{Pairs: 100})
	if err != nil {
		t.Fatal(err)
	}
	for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
		rows[i], rows[j] = rows[j], rows[i]
	}
	backward, err := Evaluate(seq(rows...), Options{Pairs: 100})
	if err != nil || !reflect.DeepEqual(forward, backward) {
		t.Errorf("forward %+v, backward %+v, error %v", forward, backward, err)
	}
}

func TestNegCLIPIsRecognised(t *testing.T) {
	path := filepath.Join("..", "..", "shared", "data", "negclip", "valid_neg_clip.tsv")
	if _, err := os.Stat(path); err != nil {
		t.Skip("NegCLIP's published negatives are absent: ", path)
	}
	r, err := Evaluate(Read(path), Options{Pairs: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	g := r.Groups[0]
	if g.Negatives != 7370 || g.TextOnly < 81 || g.TextOnly > 87 || g.Equal < 0.1 || g.Equal > 0.2 || g.StraySpaces < 60 {
		t.Errorf("NegCLIP: %+v", g)
	}
	var table bytes.Buffer
	if err := r.WriteTable(&table); err != nil || !strings.Contains(table.String(), "7370") {
		t.Errorf("table %q, error %v", table.String(), err)
	}
}

func BenchmarkCrossValidate(b *testing.B) {
	s := textonly.NewSample(1 << 20)
	for i := range 10_000 {
		s.Add(textonly.Pair{Image: fmt.Sprint(i), Positive: fmt.Sprintf("a young boy %d holds an umbrella", i%97), Negative: fmt.Sprintf("a young boy %d holds a cow", i%89)})
	}
	pairs := s.Pairs()
	for b.Loop() {
		textonly.CrossValidate(pairs, ngrams.Words)
	}
	b.ReportMetric(float64(b.N)*10_000/b.Elapsed().Seconds(), "pairs/s")
}
