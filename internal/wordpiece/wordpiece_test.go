package wordpiece

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

type golden struct {
	Vocabulary, Words []string
	Pieces            [][]int32
}

func readGolden(t testing.TB) (g golden) {
	file, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

func newVocabulary(t testing.TB, pieces ...string) *Vocabulary {
	v, err := New(pieces)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestPiecesAreThoseOfHuggingFace compares the pieces of many words with those of the library
// tokenizers.
func TestPiecesAreThoseOfHuggingFace(t *testing.T) {
	g := readGolden(t)
	v := newVocabulary(t, g.Vocabulary...)
	for i, w := range g.Words {
		if got := v.AppendPieces(w, nil); !slices.Equal(got, g.Pieces[i]) {
			t.Errorf("%q: pieces %v, want %v", w, got, g.Pieces[i])
		}
	}
	if len(g.Words) < 1000 {
		t.Errorf("only %d words", len(g.Words))
	}
}

func TestAppendPieces(t *testing.T) {
	v := newVocabulary(t, "[CLS]", "[SEP]", "[UNK]", "jug", "##gles", "##g", "joggle", "-", "cafe", "東", "##")
	for _, c := range []struct{ word, want string }{
		{"jug", "jug"}, {"juggles", "jug ##gles"}, {"Joggle", "joggle"}, {"jug-jug", "jug - jug"}, {"CAFÉ", "cafe"},
		{"", "[UNK]"}, {"dog", "[UNK]"}, {"jugdog", "[UNK]"}, {"東東", "東 東"}, {"\u00ad", "[UNK]"}, {strings.Repeat("jug", 40), "[UNK]"},
	} {
		var want []int32
		for _, p := range strings.Fields(c.want) {
			want = append(want, v.words[p])
		}
		if got := v.AppendPieces(c.word, nil); !slices.Equal(got, want) {
			t.Errorf("%q: pieces %v, want %v (%s)", c.word, got, want, c.want)
		}
	}
}

func TestNewWantsMarks(t *testing.T) {
	if _, err := New([]string{"[CLS]", "[SEP]", "a"}); err == nil || !strings.Contains(err.Error(), "[UNK]") {
		t.Errorf("error %v, want one about [UNK]", err)
	}
}

func FuzzAppendPieces(f *testing.F) {
	g := readGolden(f)
	v := newVocabulary(f, g.Vocabulary...)
	for _, w := range g.Words[len(g.Words)-60:] {
		f.Add(w)
	}
	f.Fuzz(func(t *testing.T, word string) {
		before := []int32{7}
		got := v.AppendPieces(word, before)
		if len(got) < 2 || got[0] != 7 {
			t.Errorf("%q: pieces %v", word, got)
		}
		for _, id := range got[1:] {
			if id < 0 || int(id) >= len(g.Vocabulary) {
				t.Errorf("%q: piece %d", word, id)
			}
		}
	})
}
