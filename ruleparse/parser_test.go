package ruleparse

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
	"capgraph/testing/longtest"
)

func newParser(t testing.TB) *Parser {
	t.Helper()
	p, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A run continues with its graphs if the parser's name is the same, so other graphs need another
// name.
func TestNameFollowsGraphs(t *testing.T) {
	const name, graphs = "ruleparse/32", "4bdbeed966f6b886"
	p := newParser(t)
	corpus, err := os.ReadFile("../testdata/cc12m.tsv")
	if err != nil {
		t.Fatal(err)
	}
	texts := slices.Collect(strings.Lines(string(corpus)))
	for _, c := range constructions {
		texts = append(texts, c.text)
	}
	out := make([]schemas.Parsed, len(texts))
	if err := p.Parse(t.Context(), texts, out); err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for i := range out {
		fmt.Fprintln(h, brief(&out[i].Graph))
	}
	if got := hex.EncodeToString(h.Sum(nil)[:8]); p.Name() != name || got != graphs {
		t.Errorf("%s makes graphs %s, want %s of %s: where graphs change, raise the version in Name and write both here", p.Name(), got, graphs, name)
	}
}

func TestFactual(t *testing.T) {
	p := newParser(t)
	var out schemas.Parsed
	for _, c := range []struct{ what, text, want string }{
		{"empty", "", ""},
		{"relation and attribute", "a man riding a big wave .", "( man , ride , wave ) , ( wave , is , big )"},
		{"lone object", "a wall", "( wall )"},
		{"number as digits", "two dogs on a couch", "( dogs , on , couch ) , ( dogs , is , 2 )"},
		{"possession", "the dog's tail", "( dog , have , tail )"},
		{"of a whole", "the leg of a table", "( table , have , leg )"},
		{"passive turned", "a street covered in snow", "( snow , cover , street )"},
		{"article left out of a predicate", "a man on the side of a street", "( man , on side of , street )"},
		{"one word for two", "a woman holding a cell phone", "( woman , hold , cellphone )"},
		{"guy", "a guy in a car", "( person , in , car )"},
		{"equal names are one", "a red car and a blue car", "( car , is , red ) , ( car , is , blue )"},
		{"possessive pronoun left out", "a man and his dog", "( man ) , ( dog )"},
		{"frame", "a framed picture on the wall", "( picture , have , frame ) , ( picture , on , wall )"},
		{"tiles", "a tiled floor", "( tile , on , floor )"},
		{"display", "a red vase sitting on display", "( vase , sit on , display ) , ( vase , is , red )"},
		{"fence", "sheep in a fenced in area", "( sheep , in , area ) , ( fence , around , area )"},
		{"line", "boats lined up in the water", "( boats , in , line ) , ( boats , in , water )"},
		{"hair", "a dark-haired woman", "( woman , have , hair ) , ( hair , is , dark )"},
		{"filled", "a leaf filled bush", "( bush , fill with , leaf )"},
		{"mistyped", "a buidling in a field", "( building , in , field )"},
	} {
		p.ParseText(c.text, &out)
		if got := p.Factual(&out); got != c.want {
			t.Errorf("%s: %q: %s, want %s", c.what, c.text, got, c.want)
		}
	}
}

func TestNounPhrase(t *testing.T) {
	p := newParser(t)
	for text, want := range map[string]string{
		"large brown box": "box[large,brown]",
		"the dog":         "dog",
		"two men":         "men×two",
		"building":        "building",
	} {
		var o schemas.Object
		p.NounPhrase(text, &o)
		if got := brief(&schemas.SceneGraph{Objects: []schemas.Object{o}}); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// hostile are texts that nobody writes and every corpus has.
var hostile = []string{
	"", " ", "\t\n", "🙂🙂", "!!!", "\xff\xfe", "a \xff dog", "'", "'s", "n't", "http://", "#", "((((", "İstanbul’da", "a\u200bdog", "-", "a-", "3.", "u.s.a.", "ｆｕｌｌ",
	"of of of of", "is is is", "and , and , and", "the the the", "two two two of a of", "his his her its", "it with it on it", "a couple of", "in blue", "in blue in blue in blue",
}

// check reports what is wrong with a result whatever the text is.
func check(t *testing.T, text string, out *schemas.Parsed) {
	t.Helper()
	end := int32(0)
	for _, k := range out.Tokens {
		if k.Begin < end || k.End <= k.Begin || int(k.End) > len(text) || k.Tag == "" {
			t.Fatalf("%q: token %+v", text, k)
		}
		if strings.TrimFunc(text[end:k.Begin], tokens.IsBlank) != "" {
			t.Fatalf("%q: %q is in no token", text, text[end:k.Begin])
		}
		end = k.End
	}
	said := func(what string, begin, end int32) {
		if begin == schemas.NoOffset && end == schemas.NoOffset {
			return
		}
		if begin < 0 || begin > end || int(end) > len(text) {
			t.Fatalf("%q: offsets %d, %d", text, begin, end)
		}
		want := strings.Join(strings.FieldsFunc(text[begin:end], tokens.IsBlank), " ")
		if low, _ := tokens.ToLower(want, nil); utf8.ValidString(text) && low != what {
			t.Fatalf("%q: %q is said to be at %q", text, what, want)
		}
	}
	for _, o := range out.Graph.Objects {
		said(o.Name, o.Begin, o.End)
		if o.Name == "" || o.Head == "" {
			t.Fatalf("%q: object %+v", text, o)
		}
		for _, a := range o.Attributes {
			said(a.Text, a.Begin, a.End)
			if a.Form != schemas.Pre && a.Form != schemas.Post {
				t.Fatalf("%q: attribute %+v", text, a)
			}
		}
	}
	for _, r := range out.Graph.Relations {
		if n := int32(len(out.Graph.Objects)); r.Subject < 0 || r.Subject >= n || r.Object < 0 || r.Object >= n || r.Subject == r.Object || r.Predicate == "" || r.Lemma == "" {
			t.Fatalf("%q: relation %+v of %d objects", text, r, n)
		}
		if r.Begin != schemas.NoOffset {
			said(r.Predicate, r.Begin, r.End)
		}
	}
	if out.Confidence < 0 || out.Confidence > 1 || out.Confidence != out.Confidence {
		t.Fatalf("%q: confidence %v", text, out.Confidence)
	}
}

func TestHostileTexts(t *testing.T) {
	p := newParser(t)
	var out schemas.Parsed
	for _, text := range hostile {
		p.ParseText(text, &out)
		check(t, text, &out)
	}
	size := 100_000
	if !longtest.Wanted() {
		size = 10_000
	}
	for _, s := range []string{"a dog on a cat ", "a", "🙂", "the man who ", "dog, ", "(", "in blue ", "hot long haired ", "a long haired cat and ", "the dog 's ", "boats lined up ", "tiled, ", "while a dog runs ", "sits on it and ", "that is painted in red ", "Red Cat - ", "Van Gogh ", "two lane ", "people standing, ", "a man at a game who ", "with its door ", "Cat Running Dog "} {
		text := strings.Repeat(s, size/len(s))
		p.ParseText(text, &out)
		check(t, text, &out)
	}
}

func FuzzParseText(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Add("\x120")
	f.Add("a red\x01dog rides\x02a \x00 horse")
	for _, c := range constructions {
		f.Add(c.text)
	}
	p, err := New()
	if err != nil {
		f.Fatal(err)
	}
	var out schemas.Parsed
	f.Fuzz(func(t *testing.T, text string) {
		p.ParseText(text, &out)
		check(t, text, &out)
		p.Factual(&out)
	})
}

// Plurals that WordNet has as nouns of their own have their singular as lemma, but for those with
// another meaning.
func TestPluralsHaveSingularLemmas(t *testing.T) {
	p := newParser(t)
	var out schemas.Parsed
	for name, want := range map[string]string{"windows": "window", "cows": "cow", "shoes": "shoe", "dogs": "dog", "pants": "pants", "woods": "woods", "buses": "bus"} {
		p.ParseText("two "+name+" on a street", &out)
		if len(out.Graph.Objects) == 0 || out.Graph.Objects[0].Head != want || out.Tokens[1].Lemma != want {
			t.Errorf("%s: graph %+v, lemma %s, want %s", name, out.Graph, out.Tokens[1].Lemma, want)
		}
	}
}

func TestParseFillsBatches(t *testing.T) {
	p := newParser(t)
	texts := []string{"a dog", "", "a man riding a horse"}
	out := make([]schemas.Parsed, 3)
	if err := p.Parse(context.Background(), texts, out); err != nil {
		t.Fatal(err)
	}
	if len(out[0].Graph.Objects) != 1 || len(out[1].Graph.Objects) != 0 || len(out[2].Graph.Relations) != 1 || out[2].Parser != p.Name() {
		t.Errorf("%+v", out)
	}
	if err := p.Parse(context.Background(), texts, out[:2]); err == nil {
		t.Error("fewer results than texts are no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.Parse(ctx, texts, out); err == nil {
		t.Error("a cancelled context is no error")
	}
}

func TestConcurrentParsesAgree(t *testing.T) {
	p := newParser(t)
	var g sync.WaitGroup
	for range 4 {
		g.Go(func() {
			var out schemas.Parsed
			for range 2 {
				for _, c := range constructions[:60] {
					p.ParseText(c.text, &out)
					out.Graph.RemoveDenied()
					if got := brief(&out.Graph); got != c.want {
						t.Errorf("%q: %s", c.text, got)
						return
					}
				}
			}
		})
	}
	g.Wait()
}

func TestConfidenceOrdersGraphs(t *testing.T) {
	p := newParser(t)
	var sure, unsure schemas.Parsed
	p.ParseText("a man riding a horse", &sure)
	p.ParseText("video game business to release person step wish spend extra", &unsure)
	if sure.Confidence <= unsure.Confidence {
		t.Errorf("%v for a plain caption, %v for a muddle", sure.Confidence, unsure.Confidence)
	}
}

func TestTokensHaveTheTagsOfTheGraph(t *testing.T) {
	p := newParser(t)
	var out schemas.Parsed
	p.ParseText("another man watches", &out)
	if last := out.Tokens[len(out.Tokens)-1]; last.Tag != "VBZ" || brief(&out.Graph) != "man[;watches]" {
		t.Errorf("%v, %s", last, brief(&out.Graph))
	}
}

func TestLeaveOut(t *testing.T) {
	p := newParser(t)
	if err := p.LeaveOut("move_settings_to_head", "move_setings"); err == nil || !strings.Contains(err.Error(), `"move_setings"`) || !strings.Contains(err.Error(), "move_settings_to_head, ") {
		t.Errorf("a rule that is not there: %v", err)
	}
	var with, without schemas.Parsed
	const text = "a man and his dog"
	p.ParseText(text, &with)
	if err := p.LeaveOut("add_possession"); err != nil {
		t.Fatal(err)
	}
	p.ParseText(text, &without)
	if brief(&with.Graph) == brief(&without.Graph) {
		t.Errorf("the same graph without the rule: %s", brief(&with.Graph))
	}
	if err := p.LeaveOut(); err != nil {
		t.Fatal(err)
	}
	if p.ParseText(text, &without); brief(&with.Graph) != brief(&without.Graph) {
		t.Errorf("with all rules again: %s", brief(&without.Graph))
	}
}
