package plausible

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFindChange(t *testing.T) {
	for _, c := range []struct{ positive, text, gone, come string }{
		{"a man riding a horse", "a man riding an elephant", "a horse", "an elephant"},
		{"a cat on a couch", "a car on a couch", "cat ", "car "},
		{"a cat", "a cat sitting", "", " sitting"},
		{"a cat on a mat", "a black cat on a mat", "", "black "},
		{"A dog barks", "an owl barks", "A dog ", "an owl "},
		{"A dog barks", "a cow barks", "dog ", "cow "},
		{"a red cup and a blue cup", "a blue cup and a red cup", "red cup and a blue ", "blue cup and a red "},
		{"dogs", "cats", "dogs", "cats"},
		{"two dogs", "two dogs", "", ""},
		{"", "a dog", "", "a dog"},
		{"une forêt verte", "une forêt bleue", "verte", "bleue"},
		{"ein Bär", "ein Bér", "Bär", "Bér"},
	} {
		begin, end, to := findChange(c.positive, c.text)
		if gone, come := c.positive[begin:end], c.text[begin:to]; gone != c.gone || come != c.come {
			t.Errorf("%q of %q: %q for %q, want %q for %q", c.text, c.positive, come, gone, c.come, c.gone)
		}
	}
}

// numberOf returns a number of the evidence of a change by its name.
func numberOf(t *testing.T, name, positive, text string) float64 {
	t.Helper()
	v, err := OwnVectors()
	if err != nil {
		t.Fatal(err)
	}
	return (&Changes{Vectors: v}).AppendTo(nil, positive, text)[slices.Index(changeNames, name)]
}

// TestWordsThatAreAlike have a higher cosine than others, by themselves and with what is around them.
func TestWordsThatAreAlike(t *testing.T) {
	for _, c := range []struct{ name, positive, more, less string }{
		{"new like old", "a man riding a horse", "a man riding a donkey", "a man riding a lamp"},
		{"new like old", "a red bus", "a blue bus", "a wooden bus"},
		{"new like the rest", "a plate with a sandwich and fries", "a plate with a salad and fries", "a plate with a tractor and fries"},
	} {
		if more, less := numberOf(t, c.name, c.positive, c.more), numberOf(t, c.name, c.positive, c.less); more <= less {
			t.Errorf("%s: %q %.3f, %q %.3f", c.name, c.more, more, c.less, less)
		}
	}
	if got := numberOf(t, "words of new", "a cat", "a cat"); got != 0 {
		t.Errorf("no change has %v new words", got)
	}
}

// TestChangesForgetTheLast says the same of a change whatever was asked before.
func TestChangesForgetTheLast(t *testing.T) {
	v, err := OwnVectors()
	if err != nil {
		t.Fatal(err)
	}
	pairs := [][2]string{{"a cat on a mat", "a dog on a mat"}, {"a cat on a mat", "a cow on a mat"}, {"a cat on a bed", "a cow on a bed"}, {"a cat on a mat", "a cat on a bed"}, {"a cat", "a black cat"}, {"", ""}}
	c := Changes{Vectors: v}
	for _, p := range pairs {
		if got, want := c.AppendTo(nil, p[0], p[1]), (&Changes{Vectors: v}).AppendTo(nil, p[0], p[1]); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", p, got, want)
		}
	}
}

func TestReadVectorsRefuses(t *testing.T) {
	for _, s := range []string{"", "abc", vectorsFile[:100], vectorsFile + "x", "\x01\x00\x00\x00\x02" + vectorsFile[5:], strings.Repeat("\xff", 64)} {
		if _, err := ReadVectors(s); err == nil || !strings.Contains(err.Error(), "vectors.bin") {
			t.Errorf("%d bytes: %v", len(s), err)
		}
	}
}

func FuzzReadVectors(f *testing.F) {
	f.Add("")
	f.Add("\x03\x00\x00\x00\x20\x00\x00\x00\x12\x00\x00\x00\x00\x00\x80\x3f[CLS]\n[SEP]\n[UNK]\n" + strings.Repeat("\x01", 3*Dimensions))
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := ReadVectors(s); err == nil {
			(&Changes{Vectors: v}).AppendTo(nil, "a man", "a horse")
		}
	})
}

func FuzzChanges(f *testing.F) {
	f.Add("a man riding a horse", "a man riding an elephant")
	f.Add("", "  ")
	f.Add("日本 a", "日本 b")
	f.Fuzz(func(t *testing.T, positive, text string) {
		v, err := OwnVectors()
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(positive) || !utf8.ValidString(text) {
			return
		}
		e := (&Changes{Vectors: v}).AppendTo(nil, positive, text)
		if len(e) != ChangeCount || slices.ContainsFunc(e, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
			t.Errorf("%q of %q: %v", text, positive, e)
		}
	})
}

func BenchmarkChanges(b *testing.B) {
	v, err := OwnVectors()
	if err != nil {
		b.Fatal(err)
	}
	var e Evidence
	c := Changes{Vectors: v}
	b.ReportAllocs()
	for b.Loop() {
		e = c.AppendTo(e[:0], "a man in a red jacket riding a horse on a sandy beach", "a man in a red jacket riding an elephant on a sandy beach")
	}
}
