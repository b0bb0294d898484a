package tokenizer

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// check is what holds of the ids of any text.
func check(t interface{ Fatalf(string, ...any) }, tok Marked, text string) {
	ids := tok.Encode(nil, text)
	if len(ids) < 2 || len(ids) > tok.Context() || ids[0] != tok.Start() || ids[len(ids)-1] != tok.End() {
		t.Fatalf("%q: ids %v of a context of %d", text, ids, tok.Context())
	}
	for _, id := range ids {
		if id < 0 || int(id) >= tok.Size() {
			t.Fatalf("%q: id %d of %d", text, id, tok.Size())
		}
	}
}

// spelt joins the pieces of ids and returns the bytes of the text that they are of.
func spelt(l *Learned, ids []int32) string {
	names := pieceNames(l.merges)
	back := map[string]byte{}
	for b, id := range byteIDs {
		back[byteNames[id]] = byte(b)
	}
	var text []byte
	for _, id := range ids[1 : len(ids)-1] {
		for _, r := range strings.ReplaceAll(names[id], wordEnd, "") {
			text = append(text, back[string(r)])
		}
	}
	return string(text)
}

func FuzzEncode(f *testing.F) {
	for _, g := range tricky(f) {
		f.Add(g.Text)
	}
	f.Add("\xff\xfe broken \xe2\x82")
	// CLIP's cleaning, with merges that need no file.
	c := &CLIP{newBPE(learned(f, 800).merges)}
	c.special = true
	l, err := learned(f, 800).WithContext(1 << 20)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		check(t, c, text)
		check(t, l, text)
		if clean := cleanLikeOpenCLIP(text); !utf8.ValidString(clean) {
			t.Fatalf("%q becomes %q", text, clean)
		}
		want := strings.Map(func(r rune) rune {
			if c, _ := classify([]byte(string(r))); c == space {
				return -1
			}
			return r
		}, string(appendLowerNFC(nil, text)))
		if got := spelt(l, l.Encode(nil, text)); got != want {
			t.Fatalf("%q: the ids are of %q, not of %q", text, got, want)
		}
	})
}

// FuzzPlain checks that ASCII that takes the short way would come out of the long
// one the same.
func FuzzPlain(f *testing.F) {
	f.Add("A <b>Dog's\tlife\n")
	f.Fuzz(func(t *testing.T, text string) {
		short, long := string(appendLikeOpenCLIP(nil, text)), cleanLikeOpenCLIP(text)
		if strings.Join(strings.Fields(short), " ") != strings.Join(strings.Fields(long), " ") {
			t.Fatalf("%q: %q and %q", text, short, long)
		}
	})
}

func FuzzVocabulary(f *testing.F) {
	zip := func(text string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(text))
		z.Close()
		return b.Bytes()
	}
	f.Add(zip("title\na b\nab c</w>\n"))
	f.Add(zip("title\na b\na b\n"))
	f.Add(zip("title\na  b\n"))
	f.Add(zip(""))
	f.Add(zip("title\na b\n")[:20])
	f.Fuzz(func(t *testing.T, data []byte) {
		if merges, err := readVocabulary(data); err == nil {
			c := &CLIP{newBPE(merges)}
			check(t, c, "abc ab a B &amp; é")
		}
	})
}

func FuzzLearnedFile(f *testing.F) {
	whole, err := learned(f, 520).encodeFile()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-5])
	f.Add([]byte(`{"truncation":{"max_length":77},"model":{"merges":["a a","aa aa"]}}`))
	f.Add([]byte("[]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := decodeFile(data)
		if err != nil {
			return
		}
		check(t, l, "abc ab a B é")
		if again, err := l.encodeFile(); err != nil {
			t.Fatal(err)
		} else if _, err := decodeFile(again); err != nil {
			t.Fatal(err)
		}
	})
}

// TestSplitAsByRounds compares split with the rounds of the method as published:
// the best pair of all, everywhere in the word.
func TestSplitAsByRounds(t *testing.T) {
	l := learned(t, 700)
	rapid.Check(t, func(t *rapid.T) {
		word := []byte(rapid.StringOfN(rapid.SampledFrom([]rune("abcdeghlorstu'äö日")), 1, 40, -1).Draw(t, "word"))
		want := spellBytes(word)
		for {
			best, id := pair{}, int32(l.Size())
			for j := range len(want) - 1 {
				p := pair{want[j], want[j+1]}
				if m, ok := l.merged[p]; ok && m < id {
					best, id = p, m
				}
			}
			if id == int32(l.Size()) {
				break
			}
			want = joinPair(want, best, id)
		}
		got := l.mergeWord(word)
		if string(runes(got)) != string(runes(want)) {
			t.Fatalf("%q: %v, not %v", word, got, want)
		}
	})
}

func runes(ids []int32) []rune {
	var all []rune
	for _, id := range ids {
		all = append(all, rune(id))
	}
	return all
}
