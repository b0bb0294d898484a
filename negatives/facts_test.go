package negatives

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/slots"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// negativesOf are those of a caption among others of its image, over many images.
func negativesOf(t *testing.T, opts Options, c Caption, siblings ...Caption) (all []string) {
	t.Helper()
	for key := range 10 {
		img := &Image{Key: string(rune('a' + key)), Captions: append([]Caption{c}, siblings...)}
		pools, _ := generate(t, opts, img)
		all = append(all, negTexts(pools[0])...)
	}
	return all
}

func mentions(texts []string, word string) bool {
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, word) })
}

// TestOneOfSeveral replaces no attribute of one thing where the image has more of
// them, which may have the other.
func TestOneOfSeveral(t *testing.T) {
	bus := func(text, name, quantity string, attributes ...string) Caption {
		o := object(name, attributes...)
		o.Head, o.Quantity = "bus", quantity
		return Caption{Text: text, Graph: schemas.SceneGraph{Objects: []schemas.Object{o}}}
	}
	red := bus("here comes a red bus", "bus", "", "red")
	if got := negativesOf(t, with(methods.ReplaceAttribute), red, bus("a bus", "bus", "")); !mentions(got, "blue") {
		t.Errorf("%q: no other colour of the only bus", got)
	}
	if got := negativesOf(t, with(methods.ReplaceAttribute), red, bus("several buses", "buses", "several")); len(got) > 0 {
		t.Errorf("%q: another of several buses may be so", got)
	}
	all := bus("here come red buses", "buses", "", "red")
	if got := negativesOf(t, with(methods.ReplaceAttribute), all, bus("several buses", "buses", "several")); !mentions(got, "blue") {
		t.Errorf("%q: no other colour of all buses", got)
	}
}

// TestSaidInWords puts no object into a caption whose siblings say its word, though no
// graph has it.
func TestSaidInWords(t *testing.T) {
	if got := negativesOf(t, with(methods.ReplaceObject), rider()); !mentions(got, "bus") {
		t.Fatalf("%q: no bus", got)
	}
	sibling := tagged("the/DT bus/NN")
	if got := negativesOf(t, with(methods.ReplaceObject), rider(), sibling); mentions(got, "bus") {
		t.Errorf("%q: a caption says that there is a bus", got)
	}
}

// TestObjectFits asks what may stand for what in an image with some objects.
func TestObjectFits(t *testing.T) {
	for _, c := range []struct {
		original, other string
		known           []string
		want            bool
	}{
		{"horse", "bus", nil, true},
		{"horse", "floor", nil, false},              // which most scenes have
		{"horse", "country", nil, false},            // in which all are
		{"horse", "silhouette", nil, false},         // which a horse may be
		{"beach", "street", nil, true},              // another place
		{"beach", "sand", nil, false},               // the same place
		{"horse", "sand", []string{"beach"}, false}, // which a beach has
		{"kitchen", "bathroom", nil, true},
		{"windowsill", "bathroom", nil, false}, // which may have one
		{"cup", "sink", []string{"kitchen"}, false},
		{"woman", "hand", nil, false}, // which she may have
		{"table", "hand", nil, false}, // with which little is as with a table
		{"leg", "hand", nil, true},
		{"food", "cake", nil, false}, // which is food
		{"table", "vehicle", []string{"train"}, false},
		{"table", "vehicle", []string{"horse"}, true},
		{"table", "meal", []string{"pizza"}, false},
		{"table", "kitten", []string{"cat"}, false},
	} {
		g, err := New(Defaults(), testVocabulary(t), 7)
		if err != nil {
			t.Fatal(err)
		}
		img := &Image{Captions: []Caption{{Graph: schemas.SceneGraph{Objects: []schemas.Object{object(c.original)}}}}}
		for _, name := range c.known {
			img.Captions[0].Graph.Objects = append(img.Captions[0].Graph.Objects, object(name))
		}
		g.facts.readCaptions(img)
		if got := g.facts.checkObject(g.dict.words.Noun(c.other), g.dict.words.Noun(c.original), false) == noReason; got != c.want {
			t.Errorf("a %s for a %s beside %q: %v, want %v", c.other, c.original, c.known, got, c.want)
		}
	}
}

// fits says why a noun cannot stand for another in an image that has an object.
func fits(g *Generator, has, noun, original string, plural bool) Reason {
	g.facts.readCaptions(&Image{Captions: []Caption{{Graph: schemas.SceneGraph{Objects: []schemas.Object{object(has)}}}}})
	return g.facts.checkObject(g.dict.words.Noun(noun), g.dict.words.Noun(original), plural)
}

// TestPartsOfWhichABodyHasOne puts no heads in the place of eyes.
func TestPartsOfWhichABodyHasOne(t *testing.T) {
	part := func(name string) schemas.Count {
		return schemas.Count{Kind: vocabulary.Usage, Key: name + "\tplural", N: vocabulary.Few}
	}
	g, err := New(Defaults(), testVocabulary(t, part("ear"), part("head"), part("neck")), 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		original, other string
		plural          bool
		want            Reason
	}{
		{"eye", "head", true, ReasonImplausible}, {"eye", "head", false, noReason},
		{"eye", "ear", true, noReason}, {"head", "neck", true, noReason},
	} {
		if got := fits(g, c.original, c.other, c.original, c.plural); got != c.want {
			t.Errorf("%s for %s, plural %v: %v, want %v", c.other, c.original, c.plural, got, c.want)
		}
	}
}

// TestAttributeGoesWith asks what may be said of a noun, whatever the image.
func TestAttributeGoesWith(t *testing.T) {
	g, err := New(Defaults(), testVocabulary(t,
		schemas.Count{Kind: vocabulary.AttributeOf, Key: "hill\tpurple", N: 1}, schemas.Count{Kind: vocabulary.AttributeOf, Key: "hill\tbrown", N: 2}), 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		attribute, noun string
		want            bool
	}{
		{"old", "man", true},
		{"adult", "man", false}, // no other than a young man
		{"old", "child", false},
		{"adult", "zebra", true},
		{"adult", "bus", false},
		{"old", "bus", true},
		{"large", "bus", true},
		{"large", "view", false},
		{"purple", "bus", true},
		{"purple", "hill", false}, // which somebody may have said by mistake
		{"red", "hill", false},
		{"brown", "hill", true},
	} {
		list := g.dict.words.Candidates(slots.Attribute, []slots.Candidate{{Text: c.attribute, Cum: 9}})
		if got := g.dict.filter.mayHaveAttribute(g.dict.words.Noun(c.noun), choice{g.dict.filter.listOf(list), 0}); got != c.want {
			t.Errorf("%q of a %s: %v, want %v", c.attribute, c.noun, got, c.want)
		}
	}
}

// TestAttributesThatStay asks whether a noun keeps what was said of another.
func TestAttributesThatStay(t *testing.T) {
	g, err := New(Defaults(), testVocabulary(t,
		schemas.Count{Kind: vocabulary.AttributeOf, Key: "bench\tpadded", N: 1}, schemas.Count{Kind: vocabulary.AttributeOf, Key: "tree\ttall", N: 1},
		schemas.Count{Kind: vocabulary.AttributeOf, Key: "umbrella\topened", N: 1}, schemas.Count{Kind: vocabulary.AttributeOf, Key: "bus\tparked", N: 60}, schemas.Count{Kind: vocabulary.AttributeOf, Key: "woman\tparked", N: 1}), 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		attribute, noun string
		want            bool
	}{
		{"padded", "chair", true}, // as another piece of furniture is
		{"padded", "bus", false},
		{"opened", "umbrella", true},
		{"opened", "frisbee", false}, // which is of no kind, and not said of it
		{"parked", "truck", true},
		{"parked", "man", false}, // which was once said of a woman
		{"parked", "woman", true},
		{"unheard", "bus", true}, // of which the corpus says nothing
		{"tall", "tree", true},
		{"tall", "bush", false},
		{"large", "bus", true},
		{"large", "snow", false},
		{"black", "bus", true},
		{"black", "man", false},
	} {
		if got := g.dict.attributeApplies(g.dict.words.Noun(c.noun), g.dict.words.Property(c.attribute)); got != c.want {
			t.Errorf("a %s keeps %q: %v, want %v", c.noun, c.attribute, got, c.want)
		}
	}
}

// TestPartsAreLeftOut says no "slice pizza" of a slice of pizza.
func TestPartsAreLeftOut(t *testing.T) {
	c := tagged("two/CD slices/NNS of/IN pizza/NN on/IN a/DT plate/NN")
	pizza := object("pizza", "slices")
	pizza.Quantity = "two"
	pizza.Begin, pizza.End = c.Tokens[3].Begin, c.Tokens[3].End
	pizza.Attributes[0].Begin, pizza.Attributes[0].End = c.Tokens[1].Begin, c.Tokens[1].End
	c.Graph.Objects = []schemas.Object{pizza}
	pools, _ := generate(t, Defaults(), &Image{Key: "i", Captions: []Caption{c}})
	for _, p := range pools[0].Positives[1:] {
		if strings.Contains(p.Text, "slices") || strings.Contains(p.Text, "two") {
			t.Errorf("%q", p.Text)
		}
	}
	if len(pools[0].Positives) < 2 {
		t.Error("the pizza is not said")
	}
}

// TestFiniteVerbsAreSaidAsParticiples says no "kids that are look on".
func TestFiniteVerbsAreSaidAsParticiples(t *testing.T) {
	for _, c := range []struct{ text, noun, attribute, lemma, want string }{
		{"two/CD kids/NNS look/VBP on/RP", "kid", "look on", "look", "looking on"},
		{"a/DT man/NN looks/VBZ on/RP", "man", "looks on", "look", "looking on"},
		{"a/DT man/NN smiles/NNS", "man", "smiles", "smile", "smiling"},
		{"a/DT dog/NN jump/NN", "dog", "jump", "jump", "jumping"},
		{"a/DT bus/NN arrives/VBZ", "bus", "arrives", "arrive", "arriving"},
		{"a/DT bus/NN stands/NNS", "bus", "stands", "stand", "stands"},
		{"a/DT bus/NN open/VB", "bus", "open", "open", "open"},
		{"a/DT bus/NN parked/VBN", "bus", "parked", "park", "parked"},
		{"a/DT bus/NN red/JJ", "bus", "red", "red", "red"},
	} {
		caption := tagged(c.text)
		o := object(c.noun, c.attribute)
		a := &o.Attributes[0]
		a.Form, a.Begin, a.End = schemas.Post, caption.Tokens[2].Begin, caption.Tokens[len(caption.Tokens)-1].End
		caption.Tokens[2].Lemma = c.lemma
		w := newTestWords(t, testCounts()...)
		if got := w.AttributeOf(&caption, w.Noun(c.noun), a).Text; got != c.want {
			t.Errorf("%q: %q, want %q", caption.Text, got, c.want)
		}
	}
}

// TestNegativesOfTheCaptionLookLikeIt says those of a sub-graph that says the same as
// its caption with the caption's capital and full stop.
func TestNegativesOfTheCaptionLookLikeIt(t *testing.T) {
	made := 0
	for key := range 20 {
		c := Caption{Text: "A man riding a horse.", Graph: rider().Graph}
		pools, _ := generate(t, with(methods.ReplaceObject, methods.ReplaceRelation), &Image{Key: string(rune('a' + key)), Captions: []Caption{c}})
		for _, n := range pools[0].Negatives {
			if n.Of != 0 {
				continue
			}
			made++
			if !strings.HasPrefix(n.Text, "A ") || !strings.HasSuffix(n.Text, ".") {
				t.Errorf("%q", n.Text)
			}
		}
	}
	if made == 0 {
		t.Error("no negatives of the caption")
	}
}

// TestLoneAttributeStays moves no attribute from one object to one without any.
func TestLoneAttributeStays(t *testing.T) {
	graph := func(of ...string) Caption {
		return Caption{Text: "a bus", Graph: schemas.SceneGraph{
			Objects:   []schemas.Object{object("bus", "red"), object("car", of...)},
			Relations: []schemas.Relation{{Subject: 0, Predicate: "behind", Lemma: "behind", Object: 1}},
		}}
	}
	if got := negativesOf(t, with(methods.SwapAttributes), graph()); len(got) > 0 {
		t.Errorf("%q: the car may be red too", got)
	}
	if got := negativesOf(t, with(methods.SwapAttributes), graph("blue")); !mentions(got, "blue bus") {
		t.Errorf("%q: not swapped", got)
	}
}

// TestSwappedColoursAreSeen gives no animal a colour that the corpus does not have it in.
func TestSwappedColoursAreSeen(t *testing.T) {
	corpus := countsOf(vocabulary.AttributeOf, "horse\tblack", "horse\tbrown")
	for colour, want := range map[string]bool{"black": true, "red": false} {
		got := textsOf(t, with(methods.SwapAttributes), corpus, Caption{Text: "here", Graph: schemas.SceneGraph{
			Objects:   []schemas.Object{object("horse", "brown"), object("bus", colour)},
			Relations: []schemas.Relation{{Subject: 0, Predicate: "behind", Lemma: "behind", Object: 1}},
		}})
		if mentions(got, colour+" horse") != want {
			t.Errorf("%q of a brown horse behind a %s bus, want a %s horse: %v", got, colour, colour, want)
		}
	}
}

// TestTextsDoNotDependOnWhatCameBefore gives the same negatives of a verb's participle
// whether a caption with a finite form of it came before or not.
func TestTextsDoNotDependOnWhatCameBefore(t *testing.T) {
	vocabulary := testVocabulary(t, slices.Concat(testCounts(), countsOf(vocabulary.AttributeOf, "man\trunning", "man\tswimming"), countsOf(vocabulary.Attribute, "running", "swimming"))...)
	var images []*Image
	for _, text := range []string{"a/DT man/NN walks/VBZ", "a/DT man/NN walking/VBG"} {
		c := tagged(text)
		o := object("man", strings.Fields(c.Text)[2])
		o.Begin, o.End = c.Tokens[1].Begin, c.Tokens[1].End
		o.Attributes[0] = schemas.Attribute{Text: o.Attributes[0].Text, Form: schemas.Post, Begin: c.Tokens[2].Begin, End: c.Tokens[2].End}
		c.Tokens[2].Lemma = "walk"
		c.Graph.Objects = []schemas.Object{o}
		images = append(images, &Image{Key: text, Captions: []Caption{c}})
	}
	texts := func(order ...int) string {
		g, err := New(Defaults(), vocabulary, 7)
		if err != nil {
			t.Fatal(err)
		}
		pools := make([][]schemas.Pool, len(images))
		for _, i := range order {
			pools[i] = make([]schemas.Pool, 1)
			if err := g.Texts(context.Background(), images[i], pools[i], &Drops{Each: func(Dropped) {}}); err != nil {
				t.Fatal(err)
			}
		}
		return fmt.Sprint(pools)
	}
	forward, back := texts(0, 1), texts(1, 0)
	if forward != back {
		t.Errorf("%s\n%s", forward, back)
	}
	if !strings.Contains(forward, "running") {
		t.Errorf("no negative: %s", forward)
	}
}
