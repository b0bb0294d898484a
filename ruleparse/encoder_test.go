package ruleparse

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

func newReader(t *testing.T, reader string) *Parser {
	t.Helper()
	p, err := NewReader(reader)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTheEncoderKnowsWords has captions whose rare words the linear model takes for others.
func TestTheEncoderKnowsWords(t *testing.T) {
	for _, reader := range []string{Auto, Encoder} {
		p := newReader(t, reader)
		for _, c := range []struct{ text, want string }{
			{"a woman in purple juggles near a fountain", "( woman , juggle near , fountain ) , ( woman , in , purple )"},
			{"a guard in blue checks a ticket", "( guard , check , ticket ) , ( guard , in , blue )"},
			{"Snap Back Hat", "( hat , is , snap back )"},
			{"", ""},
		} {
			var out schemas.Parsed
			p.ParseText(c.text, &out)
			if got := p.Factual(&out); got != c.want {
				t.Errorf("%s: %q: %s, want %s", reader, c.text, got, c.want)
			}
		}
	}
}

// TestTogetherIsAlone compares captions that are encoded together with each alone, and the graphs
// with those of other processors.
func TestTogetherIsAlone(t *testing.T) {
	const graphs, qualities = "cc4c6ae783d0a0ba", "c30f68903d11b4c9"
	corpus, err := os.ReadFile("../testdata/cc12m.tsv")
	if err != nil {
		t.Fatal(err)
	}
	texts := strings.Split(string(corpus), "\n")[:60]
	texts = append(texts, "", strings.Repeat("a red dog and a blue cat . ", 100), "?")
	p := newReader(t, Encoder)
	together := make([]schemas.Parsed, len(texts))
	if err := p.Parse(t.Context(), texts, together); err != nil {
		t.Fatal(err)
	}
	h, q := sha256.New(), sha256.New()
	for i, text := range texts {
		var alone schemas.Parsed
		p.ParseText(text, &alone)
		if !reflect.DeepEqual(alone.Graph, together[i].Graph) || !slices.Equal(alone.Tokens, together[i].Tokens) || alone.Confidence != together[i].Confidence {
			t.Errorf("%q: %s alone, %s together", text, brief(&alone.Graph), brief(&together[i].Graph))
		}
		fmt.Fprintln(h, brief(&alone.Graph), alone.Confidence)
		for _, token := range alone.Tokens {
			fmt.Fprintln(q, math.Float32bits(token.Quality))
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)[:8]); got != graphs {
		t.Errorf("%s makes graphs %s, want %s", p.Name(), got, graphs)
	}
	if got := hex.EncodeToString(q.Sum(nil)[:8]); got != qualities {
		t.Errorf("%s finds qualities %s, want %s", p.Name(), got, qualities)
	}
}

// TestQualityIsOfCaptionsThatTheEncoderReads has a caption that the linear model is sure of, and one that the encoder
// reads in windows.
func TestQualityIsOfCaptionsThatTheEncoderReads(t *testing.T) {
	long := strings.Repeat("a red dog and a blue cat . ", 100)
	for _, c := range []struct {
		reader, text string
		want         bool
	}{
		{Fast, "Snap Back Hat", false},
		{Auto, "a woman in purple juggles near a fountain", true},
		{Auto, "a dog", false},
		{Encoder, "a dog", true},
		{Encoder, long, true},
		{Fast, long, false},
	} {
		var out schemas.Parsed
		newReader(t, c.reader).ParseText(c.text, &out)
		if got := slices.ContainsFunc(out.Tokens, func(x schemas.Token) bool { return x.Quality != 0 }); got != c.want {
			t.Errorf("%s: %.20q: quality %v, want %v", c.reader, c.text, got, c.want)
		}
	}
}

// BenchmarkReaders parses captions of the web.
func BenchmarkReaders(b *testing.B) {
	corpus, err := os.ReadFile("../testdata/cc12m.tsv")
	if err != nil {
		b.Fatal(err)
	}
	texts := strings.Split(strings.TrimSpace(string(corpus)), "\n")
	out := make([]schemas.Parsed, len(texts))
	for _, reader := range []string{Fast, Auto, Encoder} {
		p, err := NewReader(reader)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(reader, func(b *testing.B) {
			for b.Loop() {
				if err := p.Parse(b.Context(), texts, out); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "captions/s")
		})
	}
}
