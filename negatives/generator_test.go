package negatives

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"capgraph/negatives/methods"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// tokens tags a text written as "A/DT red/JJ bus/NN ./."; lemmas are the
// lower-case words without a plural's s.
func tagged(s string) Caption {
	var c Caption
	for i, f := range strings.Fields(s) {
		word, tag, _ := strings.Cut(f, "/")
		if i > 0 && tag != "." && tag != "," {
			c.Text += " "
		}
		begin := int32(len(c.Text))
		c.Text += word
		lemma := strings.ToLower(word)
		if tag == "NNS" {
			lemma = strings.TrimSuffix(lemma, "s")
		}
		c.Tokens = append(c.Tokens, schemas.Token{Begin: begin, End: int32(len(c.Text)), Tag: tag, Lemma: lemma})
	}
	return c
}

// spanned is the object that token i names.
func spanned(c *Caption, i int) schemas.Object {
	t := &c.Tokens[i]
	o := object(c.Text[t.Begin:t.End])
	o.Begin, o.End = t.Begin, t.End
	return o
}

func object(name string, attributes ...string) schemas.Object {
	o := schemas.Object{Name: name, Head: name, Begin: -1, End: -1}
	for _, a := range attributes {
		o.Attributes = append(o.Attributes, schemas.Attribute{Text: a, Form: schemas.Pre, Begin: -1, End: -1})
	}
	return o
}

func countsOf(kind string, keys ...string) []schemas.Count {
	var out []schemas.Count
	for i, k := range keys {
		out = append(out, schemas.Count{Kind: kind, Key: k, N: int64(len(keys) - i)})
	}
	return out
}

// testCounts are of a corpus with buses, men, dogs and horses.
func testCounts() []schemas.Count {
	return slices.Concat(
		countsOf(vocabulary.AttributeOf, "bus\tred", "bus\tblue", "bus\tgreen", "bus\tlarge", "bus\tmaroon"),
		countsOf(vocabulary.Attribute, "red", "blue", "green", "large", "maroon"),
		countsOf(vocabulary.Usage, "bus\ta", "bus\tplural", "horse\ta", "horse\tplural", "man\ta", "man\tplural"),
		countsOf(vocabulary.Object, "bus", "man", "dog", "horse", "car", "couch", "sofa", "person"),
		countsOf(vocabulary.ObjectOf, "riding\tbus", "riding\thorse", "riding\tperson", "riding\tbike"),
		countsOf(vocabulary.SubjectOf, "feeding\tman", "riding\tman", "riding\thorse"),
		countsOf(vocabulary.Between, "man\tbus\triding", "man\thorse\triding", "man\thorse\tfeeding", "man\thorse\ton", "horse\tman\triding"),
		countsOf("relation_to_horse"),
	)
}

// generate gives the texts of an image.
func generate(t *testing.T, opts Options, img *Image) ([]schemas.Pool, []Dropped) {
	t.Helper()
	g, err := New(opts, testVocabulary(t, testCounts()...), 7)
	if err != nil {
		t.Fatal(err)
	}
	pools := make([]schemas.Pool, len(img.Captions))
	var dropped []Dropped
	if err := g.Texts(context.Background(), img, pools, &Drops{Each: func(d Dropped) { dropped = append(dropped, d) }}); err != nil {
		t.Fatal(err)
	}
	return pools, dropped
}

// generateMany gives the texts of the negatives of a caption, which is of one image
// after another.
func generateMany(t *testing.T, opts Options, c Caption) (all []string) {
	t.Helper()
	for key := range 10 {
		pools, _ := generate(t, opts, &Image{Key: fmt.Sprint(key), Captions: []Caption{c}})
		all = append(all, negTexts(pools[0])...)
	}
	return all
}

// with are settings with these methods alone, that make more than one of a word and say nothing in other words.
func with(methods ...methods.Method) Options {
	o := Defaults()
	o.Methods, o.Candidates, o.Paraphrases = nil, 3, 0
	for _, m := range methods {
		o.Methods = append(o.Methods, m.String())
	}
	return o
}

func negTexts(p schemas.Pool) (out []string) {
	for _, n := range p.Negatives {
		out = append(out, n.Text)
	}
	return out
}

func rider() Caption {
	return Caption{Key: "1", Text: "a man riding a horse", Graph: schemas.SceneGraph{
		Objects:   []schemas.Object{object("man"), object("horse")},
		Relations: []schemas.Relation{{Subject: 0, Predicate: "riding", Lemma: "ride", Object: 1}},
	}}
}

// TestOnlySureTextsAreKept checks that a text has the confidence that drops.Said tells, and that texts
// below the least one are left out with their negatives and paraphrases, but never the caption.
func TestOnlySureTextsAreKept(t *testing.T) {
	c := rider()
	c.Graph.SetConfidence(1)
	opts := Defaults()
	opts.Paraphrases = 1
	vocab := testVocabulary(t, testCounts()...)
	made := func(least float64) (pool schemas.Pool, said map[string]float64) {
		opts.MinConfidence = least
		g, err := New(opts, vocab, 7)
		if err != nil {
			t.Fatal(err)
		}
		pools, said := make([]schemas.Pool, 1), map[string]float64{}
		drops := Drops{Said: func(s SaidPart) { said[s.Text] = s.Quality }}
		if err := g.Texts(context.Background(), &Image{Key: "i", Captions: []Caption{c}}, pools, &drops); err != nil {
			t.Fatal(err)
		}
		return pools[0], said
	}
	all, said := made(0)
	if all.Positives[0].Confidence != 1 || len(all.Positives) < 4 || len(said) < 3 {
		t.Fatalf("%+v, said %v", all.Positives, said)
	}
	var least, most float64 = 1, 0
	for i, p := range all.Positives[1:] {
		want, ok := said[p.Text]
		if p.Kind == schemas.KindParaphrase {
			want, ok = float64(all.Positives[i].Confidence), true
		}
		if !ok || p.Confidence != float32(want) {
			t.Errorf("%q has confidence %g, want %g", p.Text, p.Confidence, want)
		}
		least, most = min(least, float64(p.Confidence)), max(most, float64(p.Confidence))
	}
	some, again := made((least + most) / 2)
	if len(some.Positives) >= len(all.Positives) || len(some.Positives) < 2 || len(again) != len(said) {
		t.Errorf("with a least confidence between %g and %g: %+v", least, most, some.Positives)
	}
	for _, p := range some.Positives {
		if float64(p.Confidence) < (least+most)/2 {
			t.Errorf("%q has confidence %g", p.Text, p.Confidence)
		}
	}
	none, _ := made(1)
	if len(none.Positives) != 1 || none.Positives[0].Kind != schemas.KindCaption {
		t.Errorf("with a least confidence of 1: %+v", none.Positives)
	}
	for _, n := range none.Negatives {
		if n.Of != 0 {
			t.Errorf("%q is of positive %d", n.Text, n.Of)
		}
	}
}

func TestPositives(t *testing.T) {
	img := &Image{Key: "i", Captions: []Caption{rider(), {Text: "", Key: "2"}}}
	pools, _ := generate(t, Defaults(), img)
	p := pools[0].Positives
	if p[0].Text != "a man riding a horse" || p[0].Kind != schemas.KindCaption {
		t.Errorf("the first positive is %+v", p[0])
	}
	for _, x := range p[1:] {
		if x.Kind == schemas.KindCaption || x.Text == p[0].Text || !strings.Contains(x.Text, "man") && !strings.Contains(x.Text, "horse") {
			t.Errorf("positive %+v", x)
		}
	}
	if len(pools[1].Positives) != 1 || len(pools[1].Negatives) != 0 {
		t.Errorf("a caption with an empty graph has the pool %+v", pools[1])
	}
	opts := Defaults()
	opts.MaxPositives = 2
	if pools, _ := generate(t, opts, img); len(pools[0].Positives) != 2 {
		t.Errorf("%d positives, want 2", len(pools[0].Positives))
	}
}

func TestReplaceAttribute(t *testing.T) {
	bus := Caption{Text: "here comes a red bus", Graph: schemas.SceneGraph{Objects: []schemas.Object{object("bus", "red")}}}
	got := strings.Join(generateMany(t, with(methods.ReplaceAttribute), bus), "; ")
	if !strings.Contains(got, "blue") || strings.Contains(got, "large") || strings.Contains(got, "maroon") {
		t.Errorf("%s: want other colours, no size, no kind of red", got)
	}
	pools, _ := generate(t, with(methods.ReplaceAttribute), &Image{Key: "i", Captions: []Caption{bus}})
	for _, n := range pools[0].Negatives {
		if n.Method != methods.ReplaceAttribute.String() || n.Changed != schemas.ChangedAttribute || n.Category != schemas.CategoryObject || n.Of == 0 {
			t.Errorf("%+v", n)
		}
	}
	// Another caption of the image knows that the bus is blue too.
	sibling := Caption{Text: "a blue and red bus", Graph: schemas.SceneGraph{Objects: []schemas.Object{object("bus", "blue", "red")}}}
	pools, dropped := generate(t, with(methods.ReplaceAttribute), &Image{Key: "i", Captions: []Caption{bus, sibling}})
	if got := strings.Join(negTexts(pools[0]), "; "); strings.Contains(got, "blue") {
		t.Errorf("%s: the bus is blue", got)
	}
	if !slices.ContainsFunc(dropped, func(d Dropped) bool { return d.Reason == ReasonMayBeTrue }) {
		t.Errorf("no drop says that the graph is known: %v", dropped)
	}
}

func TestReplaceObject(t *testing.T) {
	got := generateMany(t, with(methods.ReplaceObject), rider())
	if !slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, "bus") }) {
		t.Errorf("%q: no bus", got)
	}
	for _, s := range got {
		if strings.Contains(s, "person") {
			t.Errorf("%q: a man is a person", s)
		}
	}
}

func TestReplaceRelation(t *testing.T) {
	pools, _ := generate(t, with(methods.ReplaceRelation), &Image{Key: "i", Captions: []Caption{rider()}})
	got := negTexts(pools[0])
	if len(got) == 0 {
		t.Fatal("no negatives")
	}
	for _, s := range got {
		if !strings.Contains(s, "feeding") {
			t.Errorf("%q: want only feeding", s)
		}
	}
}

func TestSwapObjects(t *testing.T) {
	pools, _ := generate(t, with(methods.SwapObjects), &Image{Key: "i", Captions: []Caption{rider()}})
	if got := negTexts(pools[0]); len(got) != 1 || !strings.Contains(got[0], "horse") || !strings.HasSuffix(got[0], "riding a man") {
		t.Errorf("%q", got)
	}
	symmetric := rider()
	symmetric.Graph.Relations[0] = schemas.Relation{Predicate: "next to", Lemma: "next to", Object: 1}
	pools, dropped := generate(t, with(methods.SwapObjects), &Image{Key: "i", Captions: []Caption{symmetric}})
	if got := negTexts(pools[0]); len(got) != 0 || dropped[0].Reason != ReasonSymmetric {
		t.Errorf("%q, dropped %v", got, dropped)
	}
}

func TestCaptionSwaps(t *testing.T) {
	for _, c := range []struct {
		method        methods.Method
		caption, want string
	}{
		{methods.SwapNouns, "A/DT man/NN rides/VBZ two/CD horses/NNS ./.", "A horse rides two men."},
		{methods.SwapNouns, "An/DT owl/NN on/IN a/DT bus/NN", "A bus on an owl"},
		{methods.SwapNouns, "A/DT cat/NN and/CC a/DT dog/NN", ""},
		{methods.SwapNouns, "a/DT couch/NN under/IN a/DT sofa/NN", ""},
		{methods.SwapNouns, "a/DT group/NN of/IN men/NNS", ""},
		{methods.SwapNouns, "a/DT cat/NN next/JJ to/TO a/DT dog/NN", ""},
		{methods.SwapNounPhrases, "A/DT small/JJ cat/NN under/IN the/DT table/NN", "The table under a small cat"},
		{methods.SwapNounPhrases, "Two/CD men/NNS are/VBP on/IN a/DT bus/NN", ""},
		{methods.SwapVerbPhrases, "a/DT man/NN holding/VBG a/DT cup/NN and/CC sitting/VBG on/IN a/DT bench/NN", "a man sitting on a cup and holding a bench"},
		{methods.SwapVerbPhrases, "a/DT boy/NN holding/VBG a/DT toy/NN and/CC looking/VBG happy/JJ", ""},
		{methods.SwapVerbPhrases, "a/DT horse/NN drawn/VBN cart/NN by/IN a/DT tree/NN lined/VBN street/NN", ""},
		{methods.SwapNounPhrases, "a/DT train/NN in/IN a/DT tree/NN filled/VBN forest/NN", ""},
		{methods.SwapNouns, "a/DT man/NN watching/VBG a/DT player/NN", ""},
		{methods.SwapVerbPhrases, "a/DT man/NN eating/VBG and/CC smiling/VBG", ""},
		{methods.SwapNounPhrases, "a/DT man/NN 's/POS cup/NN on/IN a/DT small/JJ table/NN", ""},
		{methods.SwapNounPhrases, "a/DT very/RB young/JJ boy/NN on/IN the/DT table/NN", ""},
		{methods.SwapNouns, "city/NN dogs/NNS walk/VBP by/IN a/DT man/NN with/IN cash/NN", ""},
		{methods.SwapNounPhrases, "coats/NNS on/IN a/DT hanger/NN on/IN a/DT dock/NN", "a hanger on coats on a dock"},
		{methods.SwapNounPhrases, "hanging/VBG on/IN a/DT hanger/NN on/IN a/DT dock/NN", ""},
		{methods.SwapNounPhrases, "a/DT shower/NN a/DT toilet/NN", ""},
		{methods.SwapNounPhrases, "a/DT canoe/NN in/IN water/NN near/JJ grass/NN", "water in a canoe near grass"},
		{methods.SwapVerbPhrases, "a/DT man/NN sitting/VBG in/IN front/NN of/IN a/DT box/NN wearing/VBG a/DT hat/NN", "a man wearing a box sitting in front of a hat"},
		{methods.SwapAdverbs, "a/DT slowly/RB moving/VBG bus/NN by/IN a/DT badly/RB parked/VBN car/NN", "a badly moving bus by a slowly parked car"},
	} {
		caption := tagged(c.caption)
		pools, _ := generate(t, with(c.method), &Image{Key: "i", Captions: []Caption{caption}})
		got := ""
		if n := negTexts(pools[0]); len(n) > 0 {
			got = n[0]
		}
		if got != c.want {
			t.Errorf("%s of %q: %q, want %q", c.method, caption.Text, got, c.want)
		}
		for _, n := range pools[0].Negatives {
			if n.Of != 0 || n.Category != schemas.CategoryNone || n.Changed != schemas.ChangedOrder {
				t.Errorf("%+v", n)
			}
		}
	}
}

// TestSwapsKeepWordsApart swaps nothing that stands beside it without a space.
func TestSwapsKeepWordsApart(t *testing.T) {
	caption := Caption{Text: "Double Teamed #2 horse", Tokens: []schemas.Token{
		{Begin: 0, End: 6, Tag: "JJ", Lemma: "double"}, {Begin: 7, End: 13, Tag: "VBN", Lemma: "team"}, {Begin: 14, End: 15, Tag: "NN", Lemma: "#"},
		{Begin: 15, End: 16, Tag: "CD", Lemma: "2"}, {Begin: 17, End: 22, Tag: "NN", Lemma: "horse"},
	}}
	pools, _ := generate(t, with(methods.SwapNounPhrases), &Image{Key: "i", Captions: []Caption{caption}})
	if got := negTexts(pools[0]); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// TestSwapsKeepPhrasesWhole moves no part of a noun phrase without what is said before it.
func TestSwapsKeepPhrasesWhole(t *testing.T) {
	for _, attribute := range []string{"", "upside down"} {
		c := tagged("a/DT man/NN watching/VBG an/DT upside/RB down/RP little/JJ girl/NN")
		c.Graph.Objects = []schemas.Object{spanned(&c, 1), spanned(&c, 7)}
		if attribute != "" {
			c.Graph.Objects[1].Attributes = []schemas.Attribute{{Text: attribute, Form: schemas.Pre, Begin: c.Tokens[4].Begin, End: c.Tokens[5].End}}
		}
		pools, _ := generate(t, with(methods.SwapNounPhrases), &Image{Key: "i", Captions: []Caption{c}})
		if got := negTexts(pools[0]); len(got) > 0 != (attribute == "") {
			t.Errorf("%q with attribute %q", got, attribute)
		}
	}
}

func TestFillKeepsCaseAndArticle(t *testing.T) {
	for _, c := range []struct{ caption, want string }{
		{"A/DT red/JJ bus/NN ./.", "A maroon bus."},
		{"A/DT RED/JJ BUS/NN", "A GREEN BUS"},
		{"Red/JJ buses/NNS", "Blue buses"},
		{"there/EX comes/VBZ a/DT Red/JJ bus/NN", "there comes a blue bus"},
		{"There/EX Comes/VBZ a/DT Red/JJ Bus/NN", "There Comes a Blue Bus"},
	} {
		caption := tagged(c.caption)
		caption.Tokens[len(caption.Tokens)-1].Lemma = "bus"
		pools, _ := generate(t, with(methods.FillAttribute), &Image{Key: "i", Captions: []Caption{caption}})
		for _, n := range pools[0].Negatives {
			for i, word := range strings.Fields(n.Text) {
				if want := strings.Fields(c.want)[i]; caseOf(word) != caseOf(want) {
					t.Errorf("%q is not like %q", n.Text, c.want)
				}
			}
		}
		if len(pools[0].Negatives) == 0 {
			t.Errorf("%q has no negatives", caption.Text)
		}
	}
}

// caseOf says which of a word's first two letters are capitals.
func caseOf(word string) [2]bool {
	return [2]bool{unicode.IsUpper(rune(word[0])), len(word) > 1 && unicode.IsUpper(rune(word[1]))}
}

func TestGenerationIsRepeatable(t *testing.T) {
	img := &Image{Key: "i", Captions: []Caption{rider(), tagged("A/DT red/JJ bus/NN by/IN an/DT old/JJ house/NN")}}
	a, _ := generate(t, Defaults(), img)
	b, _ := generate(t, Defaults(), img)
	for i := range a {
		if !reflect.DeepEqual(a[i].Negatives, b[i].Negatives) || !reflect.DeepEqual(a[i].Positives, b[i].Positives) {
			t.Errorf("caption %d differs from one run to the next", i)
		}
	}
	seen := map[string]bool{}
	for i := range a {
		for _, n := range a[i].Negatives {
			if seen[n.Text] {
				t.Errorf("%q is repeated within the image", n.Text)
			}
			seen[n.Text] = true
			for j := range a {
				for _, p := range a[j].Positives {
					if p.Text == n.Text {
						t.Errorf("%q is a positive and a negative", n.Text)
					}
				}
			}
		}
	}
}

// TestForgottenWordsComeBack makes the same texts when all that was looked up has
// been forgotten.
func TestForgottenWordsComeBack(t *testing.T) {
	g, err := New(Defaults(), testVocabulary(t, testCounts()...), 7)
	if err != nil {
		t.Fatal(err)
	}
	img := &Image{Key: "i", Captions: []Caption{rider(), tagged("A/DT red/JJ bus/NN by/IN an/DT old/JJ house/NN")}}
	var made [2][]schemas.Pool
	for i := range made {
		made[i] = make([]schemas.Pool, 2)
		if err := g.Texts(t.Context(), img, made[i], &Drops{}); err != nil {
			t.Fatal(err)
		}
		g.dict.words.Kept = words.MaxKept
	}
	for i := range img.Captions {
		if !reflect.DeepEqual(made[0][i].Negatives, made[1][i].Negatives) || len(made[0][i].Negatives) == 0 {
			t.Errorf("%q, then %q", negTexts(made[0][i]), negTexts(made[1][i]))
		}
	}
}

func TestCap(t *testing.T) {
	pool := func() []schemas.Pool {
		return []schemas.Pool{{Negatives: []schemas.HardNegative{
			{Text: "a1", Method: "a"}, {Text: "a2", Method: "a"}, {Text: "a3", Method: "a"}, {Text: "b1", Method: "b"}, {Text: "c1", Method: "c"},
		}}}
	}
	img := &Image{Captions: make([]Caption, 1)}
	p := pool()
	(&Capper{Max: 3}).Cap(img, p, &Drops{})
	if got := negTexts(p[0]); !slices.Equal(got, []string{"a1", "b1", "c1"}) {
		t.Errorf("%q", got)
	}
	p = pool()
	var reasons []string
	(&Capper{Max: 3, Chooser: notA1{}}).Cap(img, p, &Drops{Each: func(d Dropped) { reasons = append(reasons, d.Text+" "+d.Reason.String()) }})
	if got := negTexts(p[0]); !slices.Equal(got, []string{"a2", "b1", "c1"}) {
		t.Errorf("with a chooser: %q", got)
	}
	if !slices.Equal(reasons, []string{"a1 balance", "a3 cap"}) {
		t.Errorf("%q", reasons)
	}
	p = []schemas.Pool{{Negatives: []schemas.HardNegative{
		{Text: "o1", Method: "a", Changed: "object"}, {Text: "o2", Method: "b", Changed: "object"}, {Text: "o3", Method: "b", Changed: "object"},
		{Text: "a1", Method: "c", Changed: "attribute"}, {Text: "a2", Method: "c", Changed: "attribute"}, {Text: "r1", Method: "d", Changed: "relation"},
	}}}
	for n, want := range [][]string{{}, {"r1"}, {"a1", "r1"}, {"o1", "a1", "r1"}, {"o1", "a1", "a2", "r1"}, {"o1", "o2", "a1", "a2", "r1"}} {
		q := []schemas.Pool{{Negatives: slices.Clone(p[0].Negatives)}}
		if (&Capper{Max: n}).Cap(img, q, &Drops{}); !slices.Equal(negTexts(q[0]), want) {
			t.Errorf("at most %d: %q, want %q", n, negTexts(q[0]), want)
		}
	}
}

type notA1 struct{}

func (notA1) Choose(_, _ string, pool *schemas.Pool, keep []bool) {
	for i, n := range pool.Negatives {
		keep[i] = n.Text != "a1"
	}
}

func TestOddGraphs(t *testing.T) {
	empty := Caption{Graph: schemas.SceneGraph{Objects: []schemas.Object{{}, {Name: "  "}, {Name: "dog", Attributes: []schemas.Attribute{{}}}},
		Relations: []schemas.Relation{{Object: 1}, {Subject: 2, Object: 1, Predicate: "is"}}}}
	odd := tagged("dogs/NNS , /, Ünïcode/NN ❤/NN and/CC ./.")
	odd.Graph = schemas.SceneGraph{Objects: []schemas.Object{object("❤"), object("dog", strings.Repeat("very ", 900))}}
	generate(t, Defaults(), &Image{Captions: []Caption{empty, odd, {}}})
	generate(t, Defaults(), &Image{})
}

func TestOptions(t *testing.T) {
	for _, o := range []func(*Options){
		func(o *Options) { o.Methods = []string{"swap"} },
		func(o *Options) { o.Replacements = "guess" },
		func(o *Options) { o.Replacements = FromFile },
		func(o *Options) { o.Templates = "fancy" },
		func(o *Options) { o.Candidates = 0 },
		func(o *Options) { o.MaxPositives = 0 },
		func(o *Options) { o.MaxNegatives = -1 },
		func(o *Options) { o.MinCount = 0 },
		func(o *Options) { o.MaxKeys = 0 },
	} {
		opts := Defaults()
		o(&opts)
		if opts.Validate() == nil {
			t.Errorf("%+v is valid", opts)
		}
	}
	d := Defaults()
	if err := d.Validate(); err != nil {
		t.Error(err)
	}
}

// TestUnjudgedSwaps keeps swaps of words that may be true, and no text that equals the caption.
func TestUnjudgedSwaps(t *testing.T) {
	img := &Image{Key: "i", Captions: []Caption{tagged("two/CD green/JJ small/JJ boats/NNS"), tagged("a/DT red/JJ bus/NN and/CC a/DT red/JJ car/NN")}}
	opts := Defaults()
	opts.Methods = []string{"swap_adjectives"}
	for _, unjudged := range []bool{false, true} {
		opts.UnjudgedSwaps = unjudged
		pools, _ := generate(t, opts, img)
		var want []string
		if unjudged {
			want = []string{"two small green boats"}
		}
		if got := negTexts(pools[0]); !slices.Equal(got, want) || len(pools[1].Negatives) > 0 {
			t.Errorf("unjudged %v: got %q and %q, want %q", unjudged, got, negTexts(pools[1]), want)
		}
	}
}
