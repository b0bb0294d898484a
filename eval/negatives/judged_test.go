package negatives

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"capgraph/negatives"
	"capgraph/negatives/vocabulary"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

func TestReadJudged(t *testing.T) {
	const pair = `{"source":"coco","replacements":"corpus","method":"fill_object","positive":"a dog","negative":"a cat","verdict":"good"}`
	pairs, err := ReadJudged(strings.NewReader(pair+"\n"+pair), "pairs.jsonl")
	if want := (JudgedPair{"coco", "", "corpus", "fill_object", "a dog", "a cat", Good}); err != nil || !slices.Equal(pairs, []JudgedPair{want, want}) {
		t.Errorf("%+v, %v", pairs, err)
	}
	for _, c := range []struct{ file, want string }{
		{pair + "\n" + pair[:20], "pairs.jsonl, line 2: "},
		{"{}", "pairs.jsonl, line 1: want method, positive, negative and verdict"},
		{strings.Repeat("x", maxJudgedLine+1), "pairs.jsonl, line 1: "},
	} {
		if _, err := ReadJudged(strings.NewReader(c.file), "pairs.jsonl"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: %v, want %q", c.file, err, c.want)
		}
	}
}

// TestPart checks that pairs of one positive, in any spelling, have one part.
func TestPart(t *testing.T) {
	parts := map[string]int{}
	for i := range 500 {
		p := JudgedPair{Positive: "dog " + strings.Repeat("x", i)}
		other := JudgedPair{Positive: "Dog  " + strings.Repeat("X", i) + "."}
		if p.Part() != other.Part() {
			t.Errorf("%q is in %s, %q in %s", p.Positive, p.Part(), other.Positive, other.Part())
		}
		parts[p.Part()]++
	}
	if parts[PartFit] < 250 || parts[PartCut] < 60 || parts[PartTest] < 60 || len(parts) != 3 {
		t.Error(parts)
	}
}

func TestRejudge(t *testing.T) {
	var counts []schemas.Count
	for _, c := range []struct {
		kind string
		keys []string
	}{
		{vocabulary.Attribute, []string{"blue", "red"}},
		{vocabulary.AttributeOf, []string{"bus\tblue", "bus\tred"}},
		{vocabulary.Object, []string{"bus", "car", "man"}},
		{vocabulary.Quantity, []string{"two", "three"}},
		{vocabulary.Usage, []string{"bus\ta", "car\ta", "man\ta"}},
	} {
		for _, k := range c.keys {
			counts = append(counts, schemas.Count{Kind: c.kind, Key: k, N: 9})
		}
	}
	vocabulary, err := negatives.NewVocabulary(slices.Values(counts), negatives.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	parser, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	pairs := []JudgedPair{
		{"s", "", "corpus", "replace_attribute", "there is a red bus", "there is a blue bus", Good},
		{"s", "", "corpus", "replace_attribute", "A red bus.", "A blue bus.", Good},
		{"s", "", "corpus", "fill_attribute", "A red bus.", "A blue bus.", Good}, // which the other method makes too
		{"s", "", "corpus", "fill_attribute", "A red bus.", "A large bus.", "may_be_true"},
		{"s", "", "corpus", "fill_attribute", "A red bus.", "A dog by the sea at night.", "implausible"},
		{"s", "", "corpus", "swap_adverbs", "", "", "implausible"},
		{"s", "", "corpus", "replace_quantity", "there are two buses", "there are three buses", Good},
	}
	all, err := Rejudge(context.Background(), pairs, vocabulary, parser.ParseText)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Outcome{Kept, Kept, Kept, Unmade, Unmade, Unmade, Kept} {
		if all[i].Outcome != want {
			t.Errorf("%q of %q: %d, want %d (%s)", pairs[i].Negative, pairs[i].Positive, all[i].Outcome, want, all[i].Reason)
		}
		if want == Kept && all[i].Judged == nil { // numbers too, of which the judge of whole negatives learns
			t.Errorf("%q of %q is not judged", pairs[i].Negative, pairs[i].Positive)
		}
	}
}

func TestTabulateJudged(t *testing.T) {
	pair := func(method, verdict string, fate Outcome) Rejudged {
		return Rejudged{JudgedPair: JudgedPair{Method: method, Verdict: verdict}, Outcome: fate}
	}
	rows := TabulateJudged([]Rejudged{
		pair("fill_object", Good, Kept), pair("fill_object", Good, Dropped), pair("fill_object", "implausible", Dropped),
		pair("fill_object", "bad_positive", Kept), pair("fill_object", Good, Unmade), pair("combine", Good, Kept),
	})
	want := []JudgedRow{{OnByDefault, 2, 1, 2, 1, 1}, {"combine", 1, 1, 0, 0, 0}, {"fill_object", 2, 1, 2, 1, 1}}
	if !slices.Equal(rows, want) {
		t.Errorf("%+v, want %+v", rows, want)
	}
	var table bytes.Buffer
	if err := WriteJudged(&table, rows); err != nil || !strings.Contains(table.String(), "50 (9 to 91)") || !strings.Contains(table.String(), "100 (21 to 100)") || !strings.Contains(table.String(), "–") {
		t.Errorf("%v\n%s", err, &table)
	}
}

func FuzzReadJudged(f *testing.F) {
	f.Add(`{"method":"fill_object","positive":"a dog","negative":"a cat","verdict":"good"}`)
	f.Fuzz(func(t *testing.T, file string) {
		pairs, err := ReadJudged(strings.NewReader(file), "pairs.jsonl")
		if err != nil {
			return
		}
		p := &replayProposer{}
		for i := range pairs {
			if p.loadPair(&pairs[i]); len(p.words) > maxProposed {
				t.Errorf("%d words are proposed", len(p.words))
			}
		}
	})
}
