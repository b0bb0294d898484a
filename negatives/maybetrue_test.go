package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/say"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// objectSlot is the slot of the last noun of "a man wearing a hat", subjectSlot that of
// its first.
func objectSlot(w *words.Cache, text string) *slot {
	f := strings.Fields(text)
	n := w.Noun(f[len(f)-1])
	return &slot{kind: slots.Object, object: true, noun: n, of: n.Kind, relation: exampleRelation(w, text), other: w.Noun(f[1])}
}

func subjectSlot(w *words.Cache, text string) *slot {
	s := objectSlot(w, text)
	s.object, s.noun, s.other = false, s.other, s.noun
	s.of = s.noun.Kind
	return s
}

func TestAnyway(t *testing.T) {
	w := newTestWords(t)
	for _, c := range []struct {
		slot *slot
		noun string
		want bool
	}{
		{objectSlot(w, "a man wearing a hat"), "helmet", false},
		{objectSlot(w, "a man in a jacket"), "uniform", true},
		{objectSlot(w, "a man in a jacket"), "sweater", false},
		{objectSlot(w, "a girl with a racket"), "leg", true},
		{objectSlot(w, "a vase with a flower"), "leg", false},
		{objectSlot(w, "a bus near a river"), "tree", true},
		{objectSlot(w, "a bus near a river"), "beach", false},
		{objectSlot(w, "a bus behind a river"), "tree", false},
		{subjectSlot(w, "a dog on a street"), "car", true},
		{subjectSlot(w, "a dog on a street"), "horse", false},
		{subjectSlot(w, "a woman on a street"), "man", false},
		{subjectSlot(w, "a dog running on a street"), "car", false},
		{subjectSlot(w, "a boat in the background"), "building", true},
		{subjectSlot(w, "a boat in the background"), "zebra", false},
		{&slot{noun: w.Noun("dog")}, "car", false},
		{objectSlot(w, "a man with a kite"), "hat", true},
		{objectSlot(w, "a man with a hat"), "helmet", false},
		{objectSlot(w, "a cat with a kite"), "hat", false},
		{subjectSlot(w, "a hydrant on the side of a street"), "car", true},
		{subjectSlot(w, "a hydrant on the side of a street"), "horse", false},
	} {
		if got := c.slot.isTrueRegardless(w.Noun(c.noun)); got != c.want {
			t.Errorf("%s for %s: %v, want %v", c.noun, c.slot.noun.Key, got, c.want)
		}
	}
}

// TestAlready makes nothing false by where what is replaced mostly is itself.
func TestAlready(t *testing.T) {
	uses := func(key string, n int64) schemas.Count { return schemas.Count{Kind: vocabulary.Usage, Key: key, N: n} }
	between := func(key string, n int64) schemas.Count {
		return schemas.Count{Kind: vocabulary.Between, Key: key, N: n}
	}
	g, err := New(Defaults(), testVocabulary(t,
		between("bench\ttable\tnear", 9), between("board\tstreet\ton", 9), between("board\tstreet\trolling on", 1), between("board\ttable\ton", 2), between("board\tbeach\tnear", 9),
		between("phone\tstreet\ton", 9), uses("board\ta", 999), uses("phone\ta", 9999)), 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		slot *slot
		noun string
		want bool
	}{
		{objectSlot(g.dict.words, "a boy on a board"), "street", true},
		{objectSlot(g.dict.words, "a boy sitting on a board"), "street", false},
		{objectSlot(g.dict.words, "a boy on a board"), "table", false},  // too seldom
		{objectSlot(g.dict.words, "a boy on a board"), "beach", false},  // near one
		{objectSlot(g.dict.words, "a boy on a phone"), "street", false}, // as one in a thousand is
		{objectSlot(g.dict.words, "a boy near a board"), "street", false},
		{subjectSlot(g.dict.words, "a board on a couch"), "street", false},
		{&slot{noun: g.dict.words.Noun("board")}, "street", false},
	} {
		if got := g.dict.isLikelyAlsoTrue(c.slot, g.dict.words.Noun(c.noun)); got != c.want {
			t.Errorf("%s for %s: %v, want %v", c.noun, c.slot.noun.Key, got, c.want)
		}
	}
}

// TestNever puts no place where somebody's clothes are said, nor furniture with
// somebody, nor somebody on a pizza or with windows.
func TestNever(t *testing.T) {
	w := newTestWords(t)
	for _, c := range []struct {
		slot *slot
		kind truth.Kind
		want bool
	}{
		{objectSlot(w, "a man in a jacket"), truth.Land, true},
		{objectSlot(w, "a man in a jacket"), truth.Clothing, false},
		{objectSlot(w, "a man in a kitchen"), truth.Clothing, true},
		{objectSlot(w, "a man in a kitchen"), truth.Land, false},
		{objectSlot(w, "a box in a kitchen"), truth.Clothing, false},
		{objectSlot(w, "a man with a racket"), truth.Furniture, true},
		{objectSlot(w, "a room with a racket"), truth.Furniture, false},
		{subjectSlot(w, "a tomato on a pizza"), truth.People, true},
		{subjectSlot(w, "a tomato on a tray"), truth.People, true},
		{subjectSlot(w, "a tomato on a tray"), truth.Food, false},
		{subjectSlot(w, "a cat on a couch"), truth.People, false},
		{subjectSlot(w, "a cat in a lap"), truth.People, true},
		{subjectSlot(w, "a boy in a lap"), truth.People, false},
		{subjectSlot(w, "a room with a window"), truth.People, true},
		{subjectSlot(w, "a room with a window"), truth.Structures, false},
		{subjectSlot(w, "a man with a window"), truth.People, false},
		{subjectSlot(w, "a room with a box"), truth.People, false},
		{subjectSlot(w, "a room with a sink"), truth.Food, true},
		{subjectSlot(w, "a table with a sink"), truth.Food, false},
		{subjectSlot(w, "a house with a kitchen"), truth.People, true},
		{subjectSlot(w, "a tree with a branch"), truth.Vehicles, true},
		{subjectSlot(w, "a tree with a branch"), truth.Plants, false},
		{subjectSlot(w, "a dog with a tail"), truth.Furniture, true},
		{subjectSlot(w, "a dog with a tail"), truth.People, false},
		{subjectSlot(w, "a kite with a tail"), truth.Furniture, false},
	} {
		if got := c.slot.excludedKinds()>>c.kind&1 == 1; got != c.want {
			t.Errorf("kind %d for %s: %v, want %v", c.kind, c.slot.noun.Key, got, c.want)
		}
	}
}

// related is a caption of one thing in relation to another, by the tokens of their names.
func related(c Caption, predicate string, subject, object [2]int) Caption {
	at := func(tokens [2]int) schemas.Object {
		begin, end := c.Tokens[tokens[0]].Begin, c.Tokens[tokens[1]].End
		return schemas.Object{Name: c.Text[begin:end], Head: c.Tokens[tokens[1]].Lemma, Begin: begin, End: end}
	}
	c.Graph.Objects = []schemas.Object{at(subject), at(object)}
	c.Graph.Relations = []schemas.Relation{{Subject: 0, Predicate: predicate, Lemma: predicate, Object: 1, Begin: -1, End: -1}}
	return c
}

// TestNamesAreReplacedWhole puts a word in the place of "hot dog", not of its "dog", and
// replaces no "hot" in it.
func TestNamesAreReplacedWhole(t *testing.T) {
	corpus := slices.Concat(
		countsOf(vocabulary.Object, "hot dog", "sandwich", "burger"), countsOf(vocabulary.Usage, "hot dog\ta", "sandwich\ta", "burger\ta", "plate\ta"),
		countsOf(vocabulary.Attribute, "hot", "cold"), countsOf(vocabulary.AttributeOf, "dog\thot", "dog\tcold"),
		countsOf(vocabulary.ObjectOf, "on\tplate"), countsOf(vocabulary.SubjectOf, "on\thot dog", "on\tsandwich", "on\tburger"),
		countsOf(vocabulary.Between, "burger\tplate\ton", "dog\tplate\ton", "sandwich\tplate\ton"),
	)
	c := related(tagged("a/DT hot/JJ dog/NN on/IN a/DT plate/NN"), "on", [2]int{1, 2}, [2]int{5, 5})
	got := textsOf(t, with(methods.FillObject, methods.FillAttribute, methods.SwapNouns), corpus, c)
	if !slices.Contains(got, "a sandwich on a plate") && !slices.Contains(got, "a burger on a plate") {
		t.Errorf("%q: nothing stands for the hot dog", got)
	}
	for _, s := range got {
		if strings.Contains(s, "hot ") && !strings.Contains(s, "hot dog") || strings.Contains(s, "cold") {
			t.Errorf("%q", s)
		}
	}
}

// TestSwapsThatAreKnown makes no negative of two things of a list that trade places.
func TestSwapsThatAreKnown(t *testing.T) {
	corpus := countsOf(vocabulary.Usage, "room\ta", "sink\ta", "tub\ta")
	c := related(tagged("a/DT room/NN with/IN a/DT sink/NN under/IN a/DT mirror/NN a/DT tub/NN"), "with", [2]int{1, 1}, [2]int{4, 4})
	if got := textsOf(t, with(methods.SwapNounPhrases), corpus, c); !slices.Contains(got, "a room with a tub under a mirror a sink") {
		t.Fatalf("%q: sink and tub do not trade places", got)
	}
	tub := related(c, "with", [2]int{1, 1}, [2]int{9, 9}).Graph.Objects[1]
	c.Graph.Objects = append(c.Graph.Objects, tub)
	c.Graph.Relations = append(c.Graph.Relations, schemas.Relation{Subject: 0, Predicate: "with", Lemma: "with", Object: 2, Begin: -1, End: -1})
	if got := textsOf(t, with(methods.SwapNounPhrases), corpus, c); slices.Contains(got, "a room with a tub under a mirror a sink") {
		t.Errorf("%q: a room with both is known", got)
	}
}

// TestTurnedIsKnownInOtherWords turns no "looking at" round where the other is said to
// watch.
func TestTurnedIsKnownInOtherWords(t *testing.T) {
	corpus := slices.Concat(countsOf(vocabulary.Between, "man\twoman\tlooking at", "woman\tman\tlooking at"),
		countsOf(vocabulary.SubjectOf, "looking at\twoman", "looking at\tman"), countsOf(vocabulary.Usage, "man\ta", "woman\ta"))
	c := Caption{Text: "here", Graph: schemas.SceneGraph{
		Objects:   []schemas.Object{object("man"), object("woman")},
		Relations: []schemas.Relation{{Subject: 0, Predicate: "looking at", Lemma: "look at", Object: 1}},
	}}
	corpus = append(corpus, countsOf("relation_from_man", "looking at")...)
	if got := textsOf(t, with(methods.SwapObjects), corpus, c); len(got) == 0 {
		t.Fatal("nothing is turned round")
	}
	c.Graph.Relations = append(c.Graph.Relations, schemas.Relation{Subject: 1, Predicate: "watching", Lemma: "watch", Object: 0})
	if got := textsOf(t, with(methods.SwapObjects), corpus, c); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// TestWhatNobodyTouches stands for no thing.
func TestWhatNobodyTouches(t *testing.T) {
	w := newTestWords(t)
	for _, c := range []struct {
		noun, original string
		want           Reason
	}{
		{"tourism", "woman", ReasonImplausible}, {"concert", "lecture", noReason}, {"lamp", "concert", noReason},
		{"tennis", "guitar", noReason}, {"racket", "bat", noReason},
	} {
		if got := checkNoun(w.Noun(c.noun), w.Noun(c.original)); got != c.want {
			t.Errorf("%s for %s: %v, want %v", c.noun, c.original, got, c.want)
		}
	}
}

// TestRareCompoundsHaveTheirHeadsArticle says "a ski pole", which one caption has bare.
func TestRareCompoundsHaveTheirHeadsArticle(t *testing.T) {
	usage := func(key string, n int64) schemas.Count { return schemas.Count{Kind: vocabulary.Usage, Key: key, N: n} }
	w := newTestWords(t, usage("pole\ta", 9), usage("ski pole\tbare", 1), usage("ice cream\tbare", 9), usage("cream\ta", 20))
	for key, want := range map[string]say.Article{"ski pole": say.AnArticle, "ice cream": say.NoArticle} {
		if got := say.ArticleAnew(w.Noun(key)); got != want {
			t.Errorf("%q has article %d, want %d", key, got, want)
		}
	}
}

// TestPositivesThatSaySomething says no "a woman with a hand", "a man during a game", "a dog is
// into a house" or "a room is featuring a bed".
func TestPositivesThatSaySomething(t *testing.T) {
	for _, c := range []struct {
		subject, predicate, lemma, object, never string
		some                                     bool
	}{
		{"woman", "with", "with", "hand", "with a hand", false},
		{"vase", "with", "with", "hand", "", true},
		{"man", "during", "during", "game", "", false},
		{"man", "smiling during", "smile during", "game", "", true},
		{"dog", "into", "into", "house", "is into", true},
		{"room", "featuring", "feature", "bed", "is featuring", true},
	} {
		got := positivesOf(t, Caption{Text: "here", Graph: schemas.SceneGraph{
			Objects:   []schemas.Object{object(c.subject), object(c.object)},
			Relations: []schemas.Relation{{Subject: 0, Predicate: c.predicate, Lemma: c.lemma, Object: 1}},
		}})
		if both := slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, c.object) && strings.Contains(s, c.subject) }); both != c.some {
			t.Errorf("%s %s %s: %q", c.subject, c.predicate, c.object, got)
		}
		for _, s := range got {
			if c.never != "" && strings.Contains(s, c.never) {
				t.Errorf("%q", s)
			}
		}
	}
}

// TestTableware takes forks to be where food is.
func TestTableware(t *testing.T) {
	w := newTestWords(t)
	for name, want := range map[string]bool{"lamp": false, "pizza": true, "table": true} {
		k := facts{dict: &dictionary{words: w}}
		k.readCaptions(&Image{Captions: []Caption{{Graph: schemas.SceneGraph{Objects: []schemas.Object{object("dog"), object(name)}}}}})
		if got := k.mayBe(w.Noun("fork")); got != want {
			t.Errorf("a fork may be by a %s: %v, want %v", name, got, want)
		}
	}
}

// TestVehiclesInTraffic makes no negative of a car that is parked and one that pulls in.
func TestVehiclesInTraffic(t *testing.T) {
	w := newTestWords(t)
	for _, c := range []struct {
		subject, a, b string
		want          bool
	}{{"car", "park", "pull", true}, {"car", "park", "crash", false}, {"man", "sit", "approach", false}} {
		if got := words.LookAlikeInPhoto(w.Noun(c.subject), c.a, c.b); got != c.want {
			t.Errorf("%s: %s and %s alike: %v", c.subject, c.a, c.b, got)
		}
	}
}
