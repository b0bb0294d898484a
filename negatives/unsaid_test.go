package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/say"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// positivesOf are the positives of a caption but itself.
func positivesOf(t *testing.T, c Caption) (all []string) {
	t.Helper()
	pools, _ := generate(t, Defaults(), &Image{Key: "i", Captions: []Caption{c}})
	for _, p := range pools[0].Positives[1:] {
		all = append(all, p.Text)
	}
	return all
}

func TestOneOfSeveralColoursIsNotSaidAlone(t *testing.T) {
	for _, s := range positivesOf(t, Caption{Text: "here", Graph: schemas.SceneGraph{Objects: []schemas.Object{object("bus", "large", "red", "blue")}}}) {
		if strings.Contains(s, "red") != strings.Contains(s, "blue") {
			t.Errorf("%q of a red and blue bus", s)
		}
	}
}

// TestWhatIsIntendedIsNotDone says no "a man riding a horse" of a man who is about to.
func TestWhatIsIntendedIsNotDone(t *testing.T) {
	for text, done := range map[string]bool{
		"a/DT man/NN about/RB to/TO ride/VB a/DT horse/NN":     false,
		"a/DT man/NN trying/VBG to/TO ride/VB a/DT horse/NN":   false,
		"a/DT man/NN stopping/VBG to/TO ride/VB a/DT horse/NN": true,
		"a/DT man/NN who/WP often/RB rides/VBZ a/DT horse/NN":  true,
	} {
		c := tagged(text)
		for i := range c.Tokens {
			c.Tokens[i].Lemma = strings.NewReplacer("trying", "try", "rides", "ride").Replace(c.Tokens[i].Lemma)
		}
		c.Graph = rider().Graph
		r := &c.Graph.Relations[0]
		r.Begin, r.End = c.Tokens[4].Begin, c.Tokens[4].End
		got := positivesOf(t, c)
		if rides := slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "riding") }); rides != done {
			t.Errorf("%q: %q", c.Text, got)
		}
	}
}

// TestOneThingIsDoneAtATime says no "two dogs sleeping are on a couch".
func TestOneThingIsDoneAtATime(t *testing.T) {
	dog := object("dog")
	dog.Attributes = []schemas.Attribute{{Text: "sleeping", Form: schemas.Post, Begin: -1, End: -1}}
	got := positivesOf(t, Caption{Text: "here", Graph: schemas.SceneGraph{
		Objects:   []schemas.Object{dog, object("couch")},
		Relations: []schemas.Relation{{Subject: 0, Predicate: "on", Lemma: "on", Object: 1}},
	}})
	for _, s := range got {
		if strings.Contains(s, "sleeping") && strings.Contains(s, "couch") {
			t.Errorf("%q", s)
		}
	}
	if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "sleeping") }) {
		t.Errorf("%q: nobody sleeps", got)
	}
}

// TestWhatSomebodyHasAnyway gives nobody another part of the body in place of one.
func TestWhatSomebodyHasAnyway(t *testing.T) {
	corpus := slices.Concat(
		countsOf(vocabulary.Between, "girl\tear\twith", "girl\ttail\twith"),
		countsOf(vocabulary.ObjectOf, "with\tear", "with\thead", "with\tnose", "with\tumbrella"),
		countsOf(vocabulary.Usage, "ear\ta", "head\ta", "nose\ta", "umbrella\ta"),
	)
	caption := func(noun string) Caption {
		return Caption{Graph: schemas.SceneGraph{
			Objects:   []schemas.Object{object(noun), object("ear")},
			Relations: []schemas.Relation{{Subject: 0, Predicate: "with", Lemma: "with", Object: 1}},
		}}
	}
	for _, s := range textsOf(t, with(methods.ReplaceObject), corpus, caption("girl")) {
		if strings.Contains(s, "head") || strings.Contains(s, "nose") {
			t.Errorf("%q", s)
		}
	}
}

func TestHerdsAreOfAnimals(t *testing.T) {
	w := newTestWords(t)
	for _, c := range []struct {
		quantity, noun string
		want           bool
	}{
		{"a herd of", "cow", true}, {"a herd of", "man", false}, {"two herds of", "man", false}, {"a crowd of", "skier", true},
		{"a crowd of", "oven", false}, {"a group of", "oven", true}, {"herd", "man", false}, {"", "man", true},
	} {
		if got := quantifierFits(c.quantity, w.Noun(c.noun)); got != c.want {
			t.Errorf("%q %s: %v", c.quantity, c.noun, got)
		}
	}
}

// TestOnesAreNotSaid leaves out what stands for a thing that the caption names elsewhere.
func TestOnesAreNotSaid(t *testing.T) {
	ones := object("one", "larger")
	ones.Quantity = "some"
	got := positivesOf(t, Caption{Text: "here", Graph: schemas.SceneGraph{
		Objects:   []schemas.Object{object("sheep"), ones},
		Relations: []schemas.Relation{{Subject: 0, Predicate: "near", Lemma: "near", Object: 1}},
	}})
	if len(got) != 1 || !strings.Contains(got[0], "sheep") || mentions(got, "one") {
		t.Errorf("%q", got)
	}
}

// TestWhatIsMissingIsNotSaidAlone says of what is missing, or of what something looks like, only
// that.
func TestWhatIsMissingIsNotSaidAlone(t *testing.T) {
	for _, c := range []struct {
		text, predicate, lemma string
		alone                  bool
	}{
		{"a/DT kitchen/NN missing/VBG a/DT sink/NN", "missing", "miss", false},
		{"a/DT cake/NN that/WDT looks/VBZ like/IN a/DT dog/NN", "looks like", "look like", false},
		{"a/DT cake/NN in/IN the/DT shape/NN of/IN a/DT dog/NN", "in the shape of", "in shape of", false},
		{"a/DT kitchen/NN with/IN a/DT sink/NN", "with", "with", true},
		{"a/DT view/NN of/IN a/DT dog/NN", "of", "of", true},
	} {
		caption := tagged(c.text)
		for i := range caption.Tokens {
			caption.Tokens[i].Lemma = strings.TrimSuffix(caption.Tokens[i].Lemma, "s")
		}
		last := len(caption.Tokens) - 1
		caption = related(caption, c.predicate, [2]int{1, 1}, [2]int{last, last})
		caption.Graph.Relations[0].Lemma = c.lemma
		got := positivesOf(t, caption)
		if slices.Contains(got, "a "+caption.Tokens[last].Lemma) != c.alone {
			t.Errorf("%q: %q", caption.Text, got)
		}
	}
}

// TestPronounsKeepTheirSex puts nobody of the other sex, and no thing, where a pronoun tells.
func TestPronounsKeepTheirSex(t *testing.T) {
	corpus := slices.Concat(countsOf(vocabulary.Object, "man", "woman", "girl", "lamp"), countsOf(vocabulary.Usage, "man\ta", "woman\ta", "girl\ta", "lamp\ta"))
	for text, other := range map[string]bool{
		"a/DT man/NN with/IN his/PRP$ hat/NN": false,
		"a/DT man/NN with/IN a/DT hat/NN":     true,
	} {
		c := tagged(text)
		man, hat := object("man"), object("hat")
		man.Begin, man.End = c.Tokens[1].Begin, c.Tokens[1].End
		hat.Begin, hat.End = c.Tokens[4].Begin, c.Tokens[4].End
		c.Graph.Objects = []schemas.Object{man, hat}
		got := textsOf(t, with(methods.FillObject), corpus, c)
		if women := mentions(got, "woman") || mentions(got, "girl"); women != other {
			t.Errorf("%q: %q", c.Text, got)
		}
	}
}

// TestFillsObjectsAlone fills no word that the graph has no object of.
func TestFillsObjectsAlone(t *testing.T) {
	corpus := slices.Concat(countsOf(vocabulary.Object, "dog", "cat", "lamp"), countsOf(vocabulary.Usage, "dog\ta", "cat\ta", "lamp\ta"))
	c := tagged("a/DT dog/NN of/IN a/DT pack/NN")
	dog := object("dog")
	dog.Begin, dog.End = c.Tokens[1].Begin, c.Tokens[1].End
	c.Graph.Objects = []schemas.Object{dog}
	got := textsOf(t, with(methods.FillObject), corpus, c)
	if len(got) == 0 {
		t.Error("nothing is filled")
	}
	for _, s := range got {
		if !strings.HasSuffix(s, "of a pack") {
			t.Errorf("%q", s)
		}
	}
}

// TestNobodyBareIsAChild puts no child into an image of somebody with little on.
func TestNobodyBareIsAChild(t *testing.T) {
	corpus := slices.Concat(countsOf(vocabulary.Object, "woman", "child", "man"), countsOf(vocabulary.Usage, "woman\ta", "child\ta", "man\ta"),
		countsOf(vocabulary.ObjectOf, "riding\thorse"), countsOf(vocabulary.SubjectOf, "riding\twoman", "riding\tchild", "riding\tman"))
	woman := Caption{Graph: schemas.SceneGraph{
		Objects:   []schemas.Object{object("woman"), object("horse")},
		Relations: []schemas.Relation{{Subject: 0, Predicate: "riding", Lemma: "ride", Object: 1}},
	}}
	if got := textsOf(t, with(methods.ReplaceObject), corpus, woman); !mentions(got, "child") {
		t.Fatalf("%q: no child", got)
	}
	c := tagged("a/DT topless/JJ woman/NN")
	c.Graph = woman.Graph
	if got := textsOf(t, with(methods.ReplaceObject), corpus, c); mentions(got, "child") || len(got) == 0 {
		t.Errorf("%q", got)
	}
}

// TestArticlesAtTheBeginning takes a noun that captions have bare as their first words
// alone for one with an article, but for one of which nothing else tells.
func TestArticlesAtTheBeginning(t *testing.T) {
	usage := map[string]int64{}
	for _, text := range []string{"Silhouette/NN of/IN a/DT man/NN", "Silhouette/NN near/IN a/DT lake/NN", "Silhouette/NN on/IN a/DT hill/NN", "Foliage/NN near/IN a/DT lake/NN", "old/JJ foliage/NN", "a/DT silhouette/NN", "a/DT man/NN in/IN armor/NN"} {
		c := tagged(text)
		for i, token := range c.Tokens {
			if token.Tag == "NN" {
				o := schemas.Object{Name: token.Lemma, Head: token.Lemma, Begin: token.Begin, End: token.End}
				if i > 0 && c.Tokens[i-1].Tag == "JJ" {
					o.Attributes = []schemas.Attribute{{Text: "old", Form: schemas.Pre, Begin: c.Tokens[i-1].Begin, End: c.Tokens[i-1].End}}
				}
				c.Graph.Objects = append(c.Graph.Objects, o)
			}
		}
		vocabulary.NewCounter().Count(&c, func(kind, key string, n int64) {
			if kind == vocabulary.Usage {
				usage[strings.ToLower(key)] += n
			}
		})
	}
	var all []schemas.Count
	for key, n := range usage {
		all = append(all, schemas.Count{Kind: vocabulary.Usage, Key: key, N: n * vocabulary.Few})
	}
	slices.SortFunc(all, func(a, b schemas.Count) int { return strings.Compare(a.Key, b.Key) })
	w := newTestWords(t, all...)
	for key, want := range map[string]say.Article{"silhouette": say.AnArticle, "foliage": say.NoArticle, "armor": say.NoArticle, "man": say.AnArticle} {
		if got := say.ArticleAnew(w.Noun(key)); got != want {
			t.Errorf("%q has article %d, want %d: %v", key, got, want, usage)
		}
	}
}

// TestArticlesThatCaptionsLeaveOut says "a group of people", and no "a someone".
func TestArticlesThatCaptionsLeaveOut(t *testing.T) {
	people, someone := object("people"), object("someone")
	people.Quantity = "group of"
	got := positivesOf(t, Caption{Text: "here", Graph: schemas.SceneGraph{
		Objects:   []schemas.Object{people, someone},
		Relations: []schemas.Relation{{Subject: 0, Predicate: "near", Lemma: "near", Object: 1}},
	}})
	if !slices.ContainsFunc(got, func(s string) bool {
		return strings.Contains(s, "a group of people") && strings.Contains(s, "near someone")
	}) {
		t.Errorf("%q", got)
	}
	for _, s := range got {
		if strings.Contains(s, "a someone") {
			t.Errorf("%q", s)
		}
	}
}
