package scenegraph

import (
	"testing"
	"unicode/utf8"
)

// The test vectors of docs/format.md.
var normalVectors = []struct {
	text, normal string
	id           int64
}{
	{"A man is riding a bike.", "man is riding bike", 1418555574175705740},
	{"the man is riding the bike", "man is riding bike", 1418555574175705740},
	{"  Two  DOGS , on a  couch !", "two dogs on couch", -2258380248389801578},
	{"a woman's red-and-white hat", "womans red and white hat", 807138075204490145},
	{"a woman’s red–and–white hat", "womans red and white hat", 807138075204490145},
	{"Cafe\u0301 au lait", "café au lait", -810791025255299151},
	{"T\u0308", "\u1e97", 8436990125402157973},
	{"CAFÉ AU LAIT", "café au lait", -810791025255299151},
	{"İstanbul ΟΔΟΣ", "İstanbul οδοσ", -4372676290003837578},
	{"a 5$ bill + 1 ❤", "5$ bill + 1 ❤", -2695041035316720891},
	{"The A", "the a", 7869276419132298800},
	{"a", "a", -3292477735350538661},
	{"...", "", -1205034819632174695},
	{"", "", -1205034819632174695},
	{"一只猫", "一只猫", -8651751086046439686},
}

func TestNormalizeText(t *testing.T) {
	for _, v := range normalVectors {
		if got := NormalizeText(v.text); got != v.normal {
			t.Errorf("NormalizeText(%q) = %q, want %q", v.text, got, v.normal)
		}
		if got := TextID(v.text); got != v.id {
			t.Errorf("TextID(%q) = %d, want %d", v.text, got, v.id)
		}
	}
}

func FuzzNormalizeText(f *testing.F) {
	for _, v := range normalVectors {
		f.Add(v.text)
	}
	f.Add("\xff\xfe a")
	f.Add("a\xf3\u0344")
	f.Fuzz(func(t *testing.T, s string) {
		n := NormalizeText(s)
		if !utf8.ValidString(n) {
			t.Fatalf("%q becomes invalid UTF-8 %q", s, n)
		}
		if again := NormalizeText(n); again != n {
			t.Fatalf("%q becomes %q, then %q", s, n, again)
		}
	})
}

func BenchmarkTextID(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		TextID("A man riding a red bike next to two parked buses.")
	}
}
