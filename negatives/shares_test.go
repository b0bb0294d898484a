package negatives

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
)

// TestShares makes negatives by a method of about its share of captions, and of the same ones each time.
func TestShares(t *testing.T) {
	of := func(share float64) (n int) {
		opts := with(methods.SwapObjects)
		opts.Shares = map[string]float64{methods.SwapObjects.String(): share}
		for i := range 200 {
			c := rider()
			c.Text = fmt.Sprintf("a man riding horse %d", i)
			once, again := textsOf(t, opts, testCounts(), c), textsOf(t, opts, testCounts(), c)
			if len(once) != len(again) {
				t.Fatalf("%q and %q", once, again)
			}
			n += min(1, len(once))
		}
		return n
	}
	if none, some, all := of(0), of(0.25), of(1); none != 0 || some < 30 || some > 70 || all != 200 {
		t.Errorf("%d, %d and %d of 200 captions", none, some, all)
	}
	for _, c := range []struct {
		shares map[string]float64
		want   string
	}{
		{map[string]float64{"replace_weather": 1}, `shares: unknown method "replace_weather"`},
		{map[string]float64{"add_object": 1.5}, "shares.add_object: 1.5 is not in 0 to 1"},
		{map[string]float64{"add_object": -1}, "shares.add_object: -1 is not in 0 to 1"},
	} {
		opts := Defaults()
		opts.Shares = c.shares
		if err := opts.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.shares, err, c.want)
		}
	}
}

// image comes after it.
func TestSharesAreOfEachCaption(t *testing.T) {
	for _, c := range []struct {
		method         methods.Method
		caption, other string
	}{
		{methods.SwapNouns, "A/DT man/NN rides/VBZ two/CD horses/NNS ./.", "A/DT dog/NN"},
		{methods.SwapVerbPhrases, "a/DT man/NN holding/VBG a/DT cup/NN and/CC sitting/VBG on/IN a/DT bench/NN and/CC wearing/VBG a/DT hat/NN", "A/DT dog/NN"},
	} {
		opts := with(c.method)
		opts.Candidates = 1
		opts.Shares = map[string]float64{c.method.String(): 0.5}
		own, other := tagged(c.caption), tagged(c.other)
		g, err := New(opts, testVocabulary(t, testCounts()...), 7)
		if err != nil {
			t.Fatal(err)
		}
		takes := func(text string) bool {
			return grammar.IsInShare(0.5, grammar.NewRandom(g.seed, c.method.String(), text))
		}
		for !takes(own.Text) {
			own.Text += " " // after all tokens
		}
		for takes(other.Text) {
			other.Text += " "
		}
		alone, _ := generate(t, opts, &Image{Key: "i", Captions: []Caption{own}})
		both, _ := generate(t, opts, &Image{Key: "i", Captions: []Caption{own, other}})
		if got, want := negTexts(both[0]), negTexts(alone[0]); !slices.Equal(got, want) || len(want) != 1 {
			t.Errorf("%s: %q beside a caption that the share does not take, %q alone", c.method, got, want)
		}
	}
}
