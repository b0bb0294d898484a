package negatives

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/say"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
	"capgraph/ruleparse"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// parsed is a caption with the graph that the rules make of it.
func parsed(t *testing.T, text string) Caption {
	t.Helper()
	parser, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	var p schemas.Parsed
	parser.ParseText(text, &p)
	return Caption{Key: text, Text: text, Tokens: slices.Clone(p.Tokens), Graph: p.Graph}
}

// saidOtherwise are the paraphrases of a caption's sub-graphs, of all ways.
func saidOtherwise(t *testing.T, vocab *Vocabulary, c Caption) (all []string) {
	t.Helper()
	for _, pool := range paraphrased(t, vocab, c) {
		for _, p := range pool.Positives {
			if p.Kind == schemas.KindParaphrase {
				all = append(all, p.Text)
			}
		}
	}
	return all
}

// paraphrased are the pools of one image after another with that caption, in which all that can be
// said otherwise is.
func paraphrased(t *testing.T, vocab *Vocabulary, c Caption) (all []schemas.Pool) {
	t.Helper()
	opts := Defaults()
	opts.Paraphrases = 1
	g, err := New(opts, vocab, 7)
	if err != nil {
		t.Fatal(err)
	}
	for key := range 60 {
		pools := make([]schemas.Pool, 1)
		if err := g.Texts(context.Background(), &Image{Key: fmt.Sprint(key), Captions: []Caption{c}}, pools, &Drops{}); err != nil {
			t.Fatal(err)
		}
		all = append(all, pools[0])
	}
	return all
}

// TestEachRowOfParaphrases says the example of each row in other words, both ways where the table
// holds so, and takes the row away: then it is not said so.
func TestEachRowOfParaphrases(t *testing.T) {
	vocab := testVocabulary(t, testCounts()...)
	says := func(text, other string) bool {
		return slices.ContainsFunc(saidOtherwise(t, vocab, parsed(t, text)), func(s string) bool {
			return s == other
		})
	}
	for name, rows := range say.Paraphrases {
		both := slices.Contains([]string{"turned", "ends", "garments", "nouns", "attributes"}, name)
		for i, r := range rows {
			if !says(r.Example, r.Other) {
				t.Errorf("%s: %q is not said as %q", name, r.Example, r.Other)
			}
			if both && !says(r.Other, r.Example) {
				t.Errorf("%s: %q is not said as %q", name, r.Other, r.Example)
			}
			rows[i] = truth.Row{}
			if says(r.Example, r.Other) {
				t.Errorf("%s: %q is said as %q without the row too", name, r.Example, r.Other)
			}
			rows[i] = r
		}
	}
}

// TestWhatIsNotSaidOtherwise makes no paraphrase that would state something else, or that nobody would write.
func TestWhatIsNotSaidOtherwise(t *testing.T) {
	vocab := testVocabulary(t, testCounts()...)
	for text, never := range map[string]string{
		"a man on a phone":                 "a phone with",
		"a man on a man":                   "with a man on it",
		"a woman in a hat":                 "a hat with",
		"a kite in the air":                "air with",
		"a black and white photo of a dog": "white and black",
		"a dog near the ocean":             "ocean near",
		"a bicycle":                        "bike",
		"a man riding a bike":              "bicycle",
		"a man in a car":                   "wearing",
		"a dog standing near a man":        "man near",
	} {
		for _, got := range saidOtherwise(t, vocab, parsed(t, text)) {
			if strings.Contains(got, never) {
				t.Errorf("%q is said as %q", text, got)
			}
		}
	}
}

// TestParaphrasesAgree says is and are, it and them.
func TestParaphrasesAgree(t *testing.T) {
	vocab := testVocabulary(t, testCounts()...)
	for text, want := range map[string]string{
		"a cat on two tables":              "two tables with a cat on them",
		"a dog riding on a red bus":        "a dog riding on a bus that is red",
		"a red bus":                        "a bus that is red",
		"two cats chasing a dog":           "a dog chased by two cats",
		"a black and white cat on a bench": "a white and black cat on a bench",
		"a man wearing a red hat":          "a red hat worn by a man",
	} {
		if got := saidOtherwise(t, vocab, parsed(t, text)); !slices.Contains(got, want) {
			t.Errorf("%q is not said as %q but as %q", text, want, slices.Compact(slices.Sorted(slices.Values(got))))
		}
	}
}

// TestParaphrasesHaveNegativesInTheirWords makes what is false in the words of the paraphrase,
// and says nothing twice.
func TestParaphrasesHaveNegativesInTheirWords(t *testing.T) {
	held := 0
	for _, pool := range paraphrased(t, testVocabulary(t, testCounts()...), parsed(t, "a man riding a large red bus next to a horse on a couch")) {
		ids := map[int64]bool{}
		for i, p := range pool.Positives {
			if ids[p.ID] {
				t.Errorf("%q is there twice", p.Text)
			}
			ids[p.ID] = true
			if p.Kind == schemas.KindParaphrase && (i == 0 || pool.Positives[i-1].Kind == schemas.KindParaphrase) {
				t.Errorf("%q follows %q", p.Text, pool.Positives[max(i, 1)-1].Text)
			}
		}
		for _, n := range pool.Negatives {
			of := pool.Positives[n.Of]
			if ids[scenegraph.TextID(n.Text)] {
				t.Errorf("the negative %q is a positive", n.Text)
			}
			if strings.Contains(of.Text, "being ridden by") {
				if held++; !strings.Contains(n.Text, "by") {
					t.Errorf("%q is of %q", n.Text, of.Text)
				}
			}
		}
	}
	if held == 0 {
		t.Error("no negative of what is turned round")
	}
}

// TestShareOfParaphrases makes none of a share of 0, fewer of a smaller share, those of a larger
// one among them, and none of an image whose captions say so already.
func TestShareOfParaphrases(t *testing.T) {
	texts := func(share float64, captions ...string) (said []string, positives int) {
		opts := Defaults()
		opts.Paraphrases, opts.MaxPositives = share, 5
		img := &Image{}
		for _, c := range captions {
			img.Captions = append(img.Captions, parsed(t, c))
		}
		for key := range 50 {
			img.Key = fmt.Sprint(key)
			pools, _ := generate(t, opts, img)
			for _, p := range pools[0].Positives {
				if p.Kind == schemas.KindParaphrase {
					said = append(said, img.Key+" "+p.Text)
				}
			}
			positives = max(positives, len(pools[0].Positives))
		}
		return said, positives
	}
	const caption = "a red bus"
	none, _ := texts(0, caption)
	some, _ := texts(0.3, caption)
	all, most := texts(1, caption)
	if len(none) > 0 || len(some) == 0 || len(some) >= len(all) || most != 4 {
		t.Errorf("%d, %d, %d paraphrases, %d positives at most", len(none), len(some), len(all), most)
	}
	for _, s := range some {
		if !slices.Contains(all, s) {
			t.Errorf("%q is only of the smaller share", s)
		}
	}
	if said, _ := texts(1, caption, "a bus that is red"); len(said) != 0 {
		t.Errorf("%q, which another caption says", said)
	}
	if said, most := texts(1, "a man riding a red bus next to a blue car near a white dog"); len(said) == 0 || most != 5 {
		t.Errorf("%d of %d positives, want 5", len(said), most)
	}
	if said, most := texts(1, ""); len(said) != 0 || most != 1 {
		t.Errorf("%q of no caption", said)
	}
}

// TestSynonymsAreNoNegatives has no synonym that the filters would let stand for its word.
func TestSynonymsAreNoNegatives(t *testing.T) {
	w := newTestWords(t)
	for name, rows := range say.Paraphrases {
		for _, r := range rows {
			switch name {
			case "nouns", "wider nouns":
				if !words.SameThing(w.Noun(r.Words), w.Noun(r.Others)) {
					t.Errorf("%q may replace %q", r.Others, r.Words)
				}
			case "attributes":
				if w.AttributesExclude(w.Property(r.Words), w.Property(r.Others)) || w.AttributesExclude(w.Property(r.Others), w.Property(r.Words)) {
					t.Errorf("%q may replace %q", r.Others, r.Words)
				}
			case "ends", "less":
				if a, b := w.RelationOf(r.Words, ""), w.RelationOf(r.Others, ""); a.Replaces && b.Replaces && w.RelationsExclude(a, b) {
					t.Errorf("%q may replace %q", r.Others, r.Words)
				}
			}
		}
	}
}
