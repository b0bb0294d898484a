package negatives

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/vocabulary"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// peopleCorpus has two people of four roles and five skins side by side in each caption, but no cook
// with medium-dark skin.
func peopleCorpus(t *testing.T) (*Generator, *ruleparse.Parser) {
	t.Helper()
	parser, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	counter, counts := vocabulary.NewCounter(), map[[2]string]int64{}
	roles, tones := []string{"cook", "pilot", "judge", "scientist"}, []string{"light", "medium-light", "medium", "medium-dark", "dark"}
	for i, a := range roles {
		for j, b := range roles {
			for k, x := range tones {
				for l, y := range tones {
					if i == j || k == l || a == "cook" && x == "medium-dark" || b == "cook" && y == "medium-dark" {
						continue
					}
					captions := []Caption{parseWith(parser, fmt.Sprintf("a %s-skinned %s and a %s-skinned %s", x, a, y, b))}
					counter.CountImage(captions, func(kind, key string, n int64) { counts[[2]string{kind, key}] += n })
				}
			}
		}
	}
	var all []schemas.Count
	for id, n := range counts {
		all = append(all, schemas.Count{Kind: id[0], Key: id[1], N: n})
	}
	slices.SortFunc(all, func(a, b schemas.Count) int { return strings.Compare(a.Kind+"\x00"+a.Key, b.Kind+"\x00"+b.Key) })
	opts := Defaults()
	opts.Candidates, opts.MaxNegatives = 8, 256
	g, err := New(opts, testVocabulary(t, all...), 7)
	if err != nil {
		t.Fatal(err)
	}
	return g, parser
}

func parseWith(parser *ruleparse.Parser, text string) Caption {
	var p schemas.Parsed
	parser.ParseText(text, &p)
	return Caption{Key: text, Text: text, Tokens: slices.Clone(p.Tokens), Graph: p.Graph}
}

// methodsAndTexts gives "method: negative" of a caption's negatives.
func methodsAndTexts(t *testing.T, g *Generator, c Caption) (all []string) {
	t.Helper()
	pools := make([]schemas.Pool, 1)
	for key := range 10 {
		if err := g.Texts(context.Background(), &Image{Key: fmt.Sprint(key), Captions: []Caption{c}}, pools, &Drops{}); err != nil {
			t.Fatal(err)
		}
		for _, n := range pools[0].Negatives {
			all = append(all, n.Method+": "+strings.Clone(n.Text))
		}
	}
	return all
}

func TestWhatIsToBeBoundIsChanged(t *testing.T) {
	g, parser := peopleCorpus(t)
	got := methodsAndTexts(t, g, parseWith(parser, "a dark-skinned cook and a light-skinned pilot"))
	for _, want := range []string{
		"replace_attribute: a medium-light-skinned cook", "replace_attribute: a medium-skinned pilot", // no table has their dimension
		"fill_attribute: a medium-skinned cook and a light-skinned pilot",
		"swap_adjectives: a light-skinned cook and a dark-skinned pilot",
		"replace_object: a dark-skinned judge", "fill_object: a dark-skinned scientist and a light-skinned pilot", // a role for a role
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no negative is %q, but\n%s", want, strings.Join(slices.Compact(slices.Sorted(slices.Values(got))), "\n"))
		}
	}
	for _, text := range got {
		if strings.Contains(text, "medium-dark-skinned cook") {
			t.Errorf("%q: which no caption has, and would be learned to be false", text)
		}
	}
	for _, text := range methodsAndTexts(t, g, parseWith(parser, "a medium-dark-skinned pilot and a light-skinned cook")) {
		if strings.HasPrefix(text, "swap_adjectives: a light-skinned pilot") {
			t.Errorf("%q: no caption has such a cook", text)
		}
	}
}

// Roles and adjectives that no corpus is needed for.
func TestAdjectivesOfTwoPeopleSwap(t *testing.T) {
	corpus := slices.Concat(testCounts(), countsOf(vocabulary.AttributeOf, "man\told", "man\tyoung", "woman\tyoung", "woman\told", "scientist\ttall", "pilot\tshort", "pilot\ttall", "scientist\tshort", "woman\tdark-haired", "man\tdark-haired", "woman\tblond-haired", "man\tblond-haired"))
	g, err := New(Defaults(), testVocabulary(t, corpus...), 7)
	if err != nil {
		t.Fatal(err)
	}
	parser, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"a tall scientist and a short pilot":        "a short scientist and a tall pilot",
		"a young man and an old woman":              "an old man and a young woman",
		"a dark-haired woman and a red-haired man":  "a red-haired woman and a dark-haired man",
		"a tall scientist and short pilot":          "", // one may be both
		"a young man with an old camera on a couch": "", // no camera is young
	} {
		got := ""
		for _, n := range methodsAndTexts(t, g, parseWith(parser, text)) {
			if s, ok := strings.CutPrefix(n, "swap_adjectives: "); ok {
				got = s
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// An attribute is counted as one that nothing changes if nothing is known to exclude it.
func TestAttributesUnchangedAreCounted(t *testing.T) {
	g, parser := peopleCorpus(t)
	for text, want := range map[string][2]int64{"a dark-skinned cook": {1, 0}, "a bespectacled cook": {1, 1}, "a cook": {0, 0}} {
		var drops Drops
		pools := make([]schemas.Pool, 1)
		if err := g.Texts(context.Background(), &Image{Key: "1", Captions: []Caption{parseWith(parser, text)}}, pools, &drops); err != nil {
			t.Fatal(err)
		}
		var all Drops
		all.Add(&drops)
		if got := [2]int64{all.Attributes, all.Unchanged}; got != want {
			t.Errorf("%q: %d attributes, %d unchanged, want %v", text, got[0], got[1], want)
		}
	}
}
