package negatives

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/schemas"
)

// long is a caption of n sentences; the first has as many objects as are asked for, each
// other one has one.
func long(n, first int) Caption {
	names := []string{"bus", "man", "dog", "horse", "car", "couch"}
	var words []string
	for i := range first {
		words = append(words, fmt.Sprintf("a/DT %s%d/NN and/CC", names[0], i))
	}
	words = append(words, "a/DT tree/NN ./.")
	for i := 1; i < n; i++ {
		words = append(words, fmt.Sprintf("The/DT %s/NN is/VBZ here/RB ./.", names[i]))
	}
	c := tagged(strings.Join(words, " "))
	for i := range c.Tokens {
		if c.Tokens[i].Tag == "NN" {
			c.Graph.Objects = append(c.Graph.Objects, spanned(&c, i))
		}
	}
	return c
}

// TestEachSentenceHasItsShare keeps something of each of six sentences in a pool of six
// beside the caption, though the first sentence alone would fill it.
func TestEachSentenceHasItsShare(t *testing.T) {
	c := long(6, 9)
	opts := Defaults()
	opts.MaxPositives = 7
	pools, _ := generate(t, opts, &Image{Key: "i", Captions: []Caption{c}})
	got := texts(pools[0].Positives)
	if len(got) != 7 || got[0] != c.Text {
		t.Fatalf("%q", got)
	}
	for i, name := range []string{"bus0", "man", "dog", "horse", "car", "couch"} {
		if !strings.Contains(got[i+1], name) {
			t.Errorf("positive %d is %q, want one of %s", i+1, got[i+1], name)
		}
	}
	opts.MaxPositives = 9 // two more turns of the sentence that has more
	pools, _ = generate(t, opts, &Image{Key: "i", Captions: []Caption{c}})
	if got := texts(pools[0].Positives); len(got) != 9 || !strings.Contains(got[2], "bus1") || !strings.Contains(got[3], "bus2") {
		t.Errorf("%q", got)
	}
}

// TestOneSentenceKeepsItsFirst has the first sub-graphs of a caption of one sentence, and of
// one whose graph says nowhere if it is from, as model's graphs may.
func TestOneSentenceKeepsItsFirst(t *testing.T) {
	opts := Defaults()
	opts.MaxPositives = 4
	one, nowhere := long(1, 9), long(6, 9)
	for i := range nowhere.Graph.Objects {
		nowhere.Graph.Objects[i].Begin, nowhere.Graph.Objects[i].End = schemas.NoOffset, schemas.NoOffset
	}
	untagged := long(6, 9)
	untagged.Tokens = nil
	for _, c := range []Caption{one, nowhere, untagged} {
		pools, _ := generate(t, opts, &Image{Key: "i", Captions: []Caption{c}})
		got := texts(pools[0].Positives)
		if len(got) != 4 || !strings.Contains(got[1], "bus0") || !strings.Contains(got[2], "bus1") || !strings.Contains(got[3], "bus2") {
			t.Errorf("%q", got)
		}
	}
}

// TestNegativesOfAKeptPositive holds what is made of a positive to it, once others before it
// were left out.
func TestNegativesOfAKeptPositive(t *testing.T) {
	c := tagged(strings.Repeat("a/DT tree/NN and/CC ", 9) + "a/DT dog/NN ./. Here/RB is/VBZ a/DT red/JJ bus/NN ./.")
	for i, token := range c.Tokens {
		if token.Tag == "NN" {
			c.Graph.Objects = append(c.Graph.Objects, spanned(&c, i))
		}
	}
	red, bus := c.Tokens[len(c.Tokens)-3], &c.Graph.Objects[len(c.Graph.Objects)-1]
	bus.Attributes = []schemas.Attribute{{Text: "red", Form: schemas.Pre, Begin: red.Begin, End: red.End}}
	opts := with(methods.ReplaceAttribute)
	opts.MaxPositives = 5
	pools, _ := generate(t, opts, &Image{Key: "i", Captions: []Caption{c}})
	if len(pools[0].Negatives) == 0 {
		t.Fatalf("no negative of %q", texts(pools[0].Positives))
	}
	for _, n := range pools[0].Negatives {
		if of := pools[0].Positives[n.Of].Text; !strings.Contains(of, "red") || n.Sentence != 1 {
			t.Errorf("%q is of %q, sentence %d", n.Text, of, n.Sentence)
		}
	}
}

// TestCapIsFairToSentences takes of each sentence in turn, and of a sentence of each method.
func TestCapIsFairToSentences(t *testing.T) {
	var negs []schemas.HardNegative
	for sentence, methods := range []string{"aaabb", "a", "ab"} {
		for i, m := range strings.Split(methods, "") {
			negs = append(negs, schemas.HardNegative{Text: fmt.Sprintf("%d%s%d", sentence, m, i), Method: m, Sentence: int16(sentence)})
		}
	}
	for limit, want := range map[int]string{
		0: "", 1: "0a0", 3: "0a0 1a0 2a0", 5: "0a0 0b3 1a0 2a0 2b1", 6: "0a0 0a1 0b3 1a0 2a0 2b1",
	} {
		pools := []schemas.Pool{{Negatives: slices.Clone(negs)}}
		(&Capper{Max: limit}).Cap(&Image{Captions: make([]Caption, 1)}, pools, &Drops{})
		if got := strings.Join(negTexts(pools[0]), " "); got != want {
			t.Errorf("of %d: %q, want %q", limit, got, want)
		}
	}
}

func texts(positives []schemas.Positive) (out []string) {
	for _, p := range positives {
		out = append(out, p.Text)
	}
	return out
}

// TestParaphrasesShareTheirSentence keeps a paraphrase behind what it says again, and something of each sentence.
func TestParaphrasesShareTheirSentence(t *testing.T) {
	opts := Defaults()
	opts.Paraphrases, opts.MaxPositives = 1, 10
	c := parsed(t, "A tall man in a red hat is holding a white cup on a wooden table. A black dog is chasing a cat. A woman is riding a horse.")
	pools, _ := generate(t, opts, &Image{Key: "i", Captions: []Caption{c}})
	got := texts(pools[0].Positives)
	if len(got) != 10 {
		t.Errorf("%d positives, want 10", len(got))
	}
	for _, word := range []string{"man", "dog", "horse"} {
		if !slices.ContainsFunc(got[1:], func(s string) bool { return strings.Contains(s, word) }) {
			t.Errorf("%q say nothing of the %s", got[1:], word)
		}
	}
	otherwise := 0
	for i, p := range pools[0].Positives {
		if p.Kind != schemas.KindParaphrase {
			continue
		}
		otherwise++
		for _, word := range []string{"man", "dog", "horse"} {
			if strings.Contains(p.Text, word) != strings.Contains(got[i-1], word) {
				t.Errorf("%q follows %q", p.Text, got[i-1])
			}
		}
	}
	if otherwise == 0 {
		t.Error("no paraphrase")
	}
}
