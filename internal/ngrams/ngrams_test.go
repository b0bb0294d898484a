package ngrams

import (
	"slices"
	"testing"
	"unicode/utf8"
)

func TestAppendTokens(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"   ", nil},
		{"A dog.", []string{"A", "dog", "."}},
		{"the man's t-shirt , red", []string{"the", "man's", "t-shirt", ",", "red"}},
		{"dogs' - bowls-", []string{"dogs", "'", "-", "bowls", "-"}},
		{"Café, 一只猫!", []string{"Café", ",", "一只猫", "!"}},
		{"a\xffb", []string{"a", "\xff", "b"}},
	} {
		var got []string
		for _, tok := range AppendTokens(nil, c.text) {
			got = append(got, c.text[tok.Begin:tok.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("tokens of %q = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestAppendCountsEveryNGram(t *testing.T) {
	// 3 tokens: 3 unigrams, 4 bigrams and 3 trigrams with the edges.
	if got := len(Append(nil, "a red bus", 3, AsWritten)); got != 10 {
		t.Errorf("%d n-grams, want 10", got)
	}
	if got := len(Append(nil, "", 3, AsWritten)); got != 1 { // the two edges alone
		t.Errorf("%d n-grams of an empty text, want 1", got)
	}
	if got := len(Append(nil, "a red bus", 1, AsWritten)); got != 3 {
		t.Errorf("%d unigrams, want 3", got)
	}
}

func TestAppendOfDifferentTextsDiffers(t *testing.T) {
	for _, c := range [][2]string{
		{"a red bus.", "a red bus ."},
		{"a red  bus", "a red bus"},
		{"a bus red", "a red bus"},
		{"A red bus", "a red bus"},
		{" a red bus", "a red bus"},
	} {
		a, b := Append(nil, c[0], 2, AsWritten), Append(nil, c[1], 2, AsWritten)
		slices.Sort(a)
		slices.Sort(b)
		if slices.Equal(a, b) {
			t.Errorf("%q and %q have the same n-grams", c[0], c[1])
		}
	}
}

func TestWordsShowNoCasingNorPunctuation(t *testing.T) {
	a, b := Append(nil, "A red bus.", 3, Words), Append(nil, " a RED , bus", 3, Words)
	if !slices.Equal(a, b) {
		t.Error("casing, punctuation or spaces show in the form of words")
	}
}

// The difference of two texts shows in the n-grams over the tokens between their common beginning
// and end.
func TestAppendTouchingFindsTheDifference(t *testing.T) {
	for _, c := range [][2]string{
		{"a red bus by a tree", "a blue bus by a tree"},
		{"a bus by a tree", "a red bus by a tree"},
		{"a red bus", "a red bus by a tree"},
		{"a dog", "the cat sits"},
		{"a a dog", "a dog"},
		{"a dog", "a dog"},
		{"", "a dog"},
	} {
		a, b := appendHashes(nil, c[0], Words), appendHashes(nil, c[1], Words)
		begin, aEnd, bEnd := DiffRange(a, b)
		balance := map[uint64]int{}
		for _, h := range Append(nil, c[0], 3, Words) {
			balance[h]++
		}
		for _, h := range Append(nil, c[1], 3, Words) {
			balance[h]--
		}
		for _, h := range AppendTouching(nil, a, begin, aEnd, 3) {
			balance[h]--
		}
		for _, h := range AppendTouching(nil, b, begin, bEnd, 3) {
			balance[h]++
		}
		for h, n := range balance {
			if n != 0 {
				t.Errorf("%q and %q: n-gram %x is off by %d", c[0], c[1], h, n)
			}
		}
	}
}

func FuzzAppendTokens(f *testing.F) {
	f.Add("A man's t-shirt, red.")
	f.Add("\xff\xfe 'a-")
	f.Fuzz(func(t *testing.T, text string) {
		last := int32(0)
		for _, tok := range AppendTokens(nil, text) {
			if tok.Begin < last || tok.End <= tok.Begin || int(tok.End) > len(text) {
				t.Fatalf("token %+v after offset %d in %q", tok, last, text)
			}
			if utf8.ValidString(text) && !utf8.ValidString(text[tok.Begin:tok.End]) {
				t.Fatalf("token %+v cuts a character of %q", tok, text)
			}
			last = tok.End
		}
		Append(nil, text, 3, AsWritten)
	})
}

func BenchmarkAppend(b *testing.B) {
	const text = "A young boy with an umbrella who is touching the horn of a cow."
	var dst []uint64
	b.ReportAllocs()
	for b.Loop() {
		dst = Append(dst[:0], text, 3, AsWritten)
	}
}

// An edit has its own hashes, whatever it shares with the text.
func FuzzEdited(f *testing.F) {
	for _, pair := range [][2]string{
		{"A red bus by the dog.", "A blue bus by the dog."},
		{"A red bus by the dog.", "A red bus by the cat's dog."},
		{"a dog", "a dog"}, {"", "a"}, {"a", ""}, {"a a a a", "a a a"}, {"a  b c", "a b c"}, {" dog", "dog"},
		{"the man's dog runs fast", "the man dog runs fast"}, {"it's a dog", "it' a dog"}, {"a\u00a0b c d", "a b c d"}, {"a b, c d", "a , c d"},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, text, edit string) {
		var x Text
		x.Reset("another text")
		x.Reset(text)
		if want := appendHashes(nil, text, AsWritten); !slices.Equal(x.Hashes(), want) {
			t.Errorf("%q: %v, want %v", text, x.Hashes(), want)
		}
		if got, want := x.AppendEditHashes(nil, edit), appendHashes(nil, edit, AsWritten); !slices.Equal(got, want) {
			t.Errorf("%q of %q: %v, want %v", edit, text, got, want)
		}
	})
}
