package negatives

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// plausibleCounts are of a corpus that has enough of gloves and horses to tell
// what goes with them.
func plausibleCounts() []schemas.Count {
	between := []string{"room\tdoor\twith", "room\tdoor\tstanding with", "dog\tglove\twith"}
	usual := []string{"horse\triding", "horse\tfeeding", "room\twith"}
	for i := range vocabulary.WellKnown {
		between = append(between, fmt.Sprintf("man%d\tglove\twith", i))
	}
	for i := range vocabulary.Few {
		usual = append(usual, fmt.Sprintf("horse\tdoing%d", i))
	}
	var of []string
	for _, u := range usual {
		head, relation, _ := strings.Cut(u, "\t")
		of = append(of, relation+"\t"+head)
	}
	slices.Sort(of)
	return slices.Concat(
		countsOf(vocabulary.Between, between...), countsOf(vocabulary.ObjectOf, of...),
		countsOf(vocabulary.Attribute, "foggy", "clear", "red", "blue"),
	)
}

// suits asks whether a noun goes with what is said of a slot's object.
func suits(f *candidateFilter, s *slot, noun string) bool {
	fitting := f.fitting(s)
	return fitting.fits(f.candidatesFor(s, f.words.Candidates(slots.Object, []slots.Candidate{{Text: noun, Cum: 1}})).of.things[0])
}

func TestGoesWith(t *testing.T) {
	g, err := New(Defaults(), testVocabulary(t, plausibleCounts()...), 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		subject, original, relation, object string
		want                                bool
	}{
		{"dog", "cow", "with", "glove", true},
		{"room", "kitchen", "with", "glove", false},
		{"room", "kitchen", "with", "door", true},
		{"cow", "dog", "with", "door", true},          // of doors the corpus says too little
		{"car", "dog", "with", "door", false},         // but a car is no animal, and nobody saw it so
		{"room", "dog", "with", "door", true},         // which somebody did of a room
		{"room", "dog", "holding", "door", false},     // though not holding it
		{"room", "kitchen", "holding", "door", false}, // nor did one of its kind
		{"room", "kitchen", "standing with", "door", true},
		{"room", "kitchen", "held with", "door", true}, // which is done to it
		{"man", "woman", "holding", "door", true},      // as people do
		{"room", "dog", "standing with", "door", true},
		{"room", "dog", "leaning with", "door", false}, // no room was seen to lean
	} {
		s := slot{
			kind: slots.Object, of: g.dict.words.Noun(c.original).Kind,
			relation: g.dict.words.RelationOf(c.relation, ""), other: g.dict.words.Noun(c.object),
		}
		if got := suits(&g.dict.filter, &s, c.subject); got != c.want {
			t.Errorf("a %s for a %s %s a %s: %v, want %v", c.subject, c.original, c.relation, c.object, got, c.want)
		}
	}
}

// TestPlacesOfPrepositions puts nothing after a preposition of which the corpus has
// many other heads.
func TestPlacesOfPrepositions(t *testing.T) {
	many := []string{"horse\tforest\trunning through", "horse\tbeach\trunning on", "man\tgate\tstanding astride"}
	for i := range vocabulary.WellKnown {
		many = append(many, fmt.Sprintf("man\tforest%d\twalking through", i))
	}
	slices.Sort(many)
	w := newTestWords(t, countsOf(vocabulary.Between, many...)...)
	f := newFilter(w, nil, true)
	for _, c := range []struct {
		relation, noun string
		want           bool
	}{
		{"running through", "forest", true},
		{"running through", "beach", false},
		{"running on", "beach", true},
		{"standing astride", "beach", true}, // of which the corpus says too little
	} {
		s := slot{kind: slots.Object, of: truth.Land, object: true, relation: w.RelationOf(c.relation, ""), other: w.Noun("horse")}
		if got := suits(&f, &s, c.noun); got != c.want {
			t.Errorf("%s a %s: %v, want %v", c.relation, c.noun, got, c.want)
		}
	}
}

// TestActionsAreOfTheirNouns fills a verb that the corpus has of the noun before
// it, with such a complement, and of the object after it.
func TestActionsAreOfTheirNouns(t *testing.T) {
	corpus := slices.Concat(
		countsOf(vocabulary.ActionOf, "VBG\tman\tobject\triding", "VBG\tman\tobject\tfeeding", "VBG\tman\tobject\tcooking", "VBG\tcow\tobject\tdragging",
			"VBG\tman\tobject\tthrowing", "VBG\tman\tobject\twearing", "VBG\tbird\taround\twearing", "VBG\tman\tin\tjumping", "VBG\tbird\taround\tjumping",
			"VBG\tman\tup object\tholding", "VBG\tman\tup\tjumping", "VBG\tman\tto\tjumping", "VBG\tman\tout\tjumping", "VBG\tman\tout\tsitting",
			"VBG\tbus\tover\twalking", "VBG\tbus\tover\tmoving", "VBG\tbus\tover\tfloating", "VBG\tdog\tover\twalking", "VBG\tdog\tover\tfloating"),
		countsOf(vocabulary.ObjectOf, "riding\thorse", "feeding\thorse", "throwing\tfrisbee", "holding up\tsign"),
	)
	for _, c := range []struct {
		caption string
		want    []string
	}{
		{"a/DT man/NN riding/VBG a/DT horse/NN", []string{"a man feeding a horse"}}, // nobody cooks a horse, and no man drags
		{"a/DT man/NN catching/VBG a/DT white/JJ frisbee/NNP", []string{"a man throwing a white frisbee"}},
		{"a/DT man/NN catching/VBG a/DT frisbeee/NN", nil},
		{"a/DT man/NN riding/VBG each/DT other/JJ", nil},
		{"a/DT man/NN sitting/VBG around/IN a/DT pool/NN", []string{"a man jumping around a pool"}}, // what a man wears is an object
		{"a/DT man/NN folding/VBG up/RP a/DT sign/NN", []string{"a man holding up a sign"}},
		{"a/DT man/NN sitting/VBG up/RP in/IN a/DT bed/NN", []string{"a man jumping up in a bed"}},
		{"a/DT man/NN sitting/VBG up/RP for/IN a/DT bed/NN", nil},                                    // of "up for" nothing is known
		{"a/DT man/NN talking/VBG to/TO eat/VB", nil},                                                // nor of what it is done for
		{"a/DT man/NN walking/VBG out/IN of/IN a/DT bed/NN", []string{"a man jumping out of a bed"}}, // nobody sits out of it
		{"a/DT bus/NN jumping/VBG over/IN a/DT street/NN", []string{"a bus floating over a street"}}, // none walks
	} {
		if got := textsOf(t, with(methods.FillAction), corpus, tagged(c.caption)); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.caption, got, c.want)
		}
	}
}

// TestActionsAreOfTheirPlaces fills a verb that the corpus has in such a place, of
// which it says enough.
func TestActionsAreOfTheirPlaces(t *testing.T) {
	corpus := slices.Concat(
		countsOf(vocabulary.ActionOf, "VBG\tman\ton\tsitting", "VBG\tman\ton\twalking", "VBG\tman\ton\teating", "VBG\tman\tnear\twalking"),
		countsOf(vocabulary.ActionOf, "VBG\tman\tin\tsitting", "VBG\tman\tin\tjumping", "VBG\tman\tup object\tlifting", "VBG\tman\tup object\tclimbing",
			"VBG\tman\toutside\tsitting", "VBG\tman\toutside\twalking", "VBG\tman\tobject\triding", "VBG\tman\tobject\tpushing", "VBG\tman\tobject\twashing"),
		[]schemas.Count{{Kind: vocabulary.ObjectOf, Key: "eating on\tbench", N: 1}, {Kind: vocabulary.ObjectOf, Key: "jumping on\tbench", N: 30}},
		[]schemas.Count{{Kind: vocabulary.ObjectOf, Key: "jumping in\tsky", N: 30}, {Kind: vocabulary.ObjectOf, Key: "lifting up\tchild", N: 30}},
		countsOf(vocabulary.ObjectOf, "riding\tbike", "pushing\tbike", "washing\tbike"),
		[]schemas.Count{{Kind: vocabulary.ObjectOf, Key: "riding down\tstreet", N: 30}, {Kind: vocabulary.ObjectOf, Key: "pushing down\tstreet", N: 3}},
	)
	for caption, want := range map[string][]string{
		"a/DT man/NN jumping/VBG on/IN a/DT bench/NN":                           {"a man eating on a bench", "a man sitting on a bench"},
		"a/DT man/NN jumping/VBG on/IN a/DT box/NN":                             {"a man eating on a box", "a man sitting on a box", "a man walking on a box"},
		"a/DT man/NN jumping/VBG near/IN a/DT bench/NN":                         {"a man walking near a bench"},
		"a/DT man/NN waving/VBG in/IN a/DT sky/NN":                              {"a man jumping in a sky"}, // nobody sits there
		"a/DT man/NN washing/VBG up/RP a/DT child/NN":                           {"a man lifting up a child"},
		"a/DT man/NN jumping/VBG outside/RB on/IN a/DT bench/NN":                {"a man sitting outside on a bench"},
		"a/DT man/NN riding/VBG a/DT bike/NN down/IN a/DT street/NN":            {"a man pushing a bike down a street"},
		"a/DT man/NN riding/VBG a/DT bike/NN near/IN a/DT street/NN":            {"a man pushing a bike near a street", "a man washing a bike near a street"},
		"a/DT man/NN waving/VBG in/IN a/DT sky/NN with/IN a/DT jump/VB near/IN": nil, // a caption has that verb
	} {
		got := textsOf(t, with(methods.FillAction), corpus, tagged(caption))
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", caption, got, want)
		}
	}
}

// TestBesideOpenGround replaces no relation by one that is as true of ground
// without an edge or of the sky, nor what a vehicle does by what a picture shows just so.
func TestBesideOpenGround(t *testing.T) {
	corpus := slices.Concat(
		countsOf(vocabulary.Between, "kite\tbox\tunder", "kite\tsky\tunder", "man\tbeach\tbehind", "man\tbox\tbehind", "bus\tbridge\ttraveling under", "boy\tbridge\ttraveling under"),
		countsOf(vocabulary.SubjectOf, "behind\tman", "traveling under\tbus", "traveling under\tboy", "under\tkite"),
	)
	for _, c := range []struct {
		subject, relation, lemma, object string
		want                             bool
	}{
		{"man", "on", "on", "box", true},
		{"man", "on", "on", "beach", false},
		{"boy", "sitting under", "sit under", "bridge", true},
		{"bus", "sitting under", "sit under", "bridge", false},
		{"kite", "in", "in", "box", true},
		{"kite", "in", "in", "sky", false},
	} {
		caption := Caption{Graph: schemas.SceneGraph{
			Objects:   []schemas.Object{object(c.subject), object(c.object)},
			Relations: []schemas.Relation{{Subject: 0, Predicate: c.relation, Lemma: c.lemma, Object: 1}},
		}}
		if got := textsOf(t, with(methods.ReplaceRelation), corpus, caption); len(got) > 0 != c.want {
			t.Errorf("a %s %s a %s: %q, want some: %v", c.subject, c.relation, c.object, got, c.want)
		}
	}
}

// TestRelationsOfTheObject asks for those of the object where none that the corpus has
// between two heads excludes what is said of them.
func TestRelationsOfTheObject(t *testing.T) {
	var between []string
	for _, word := range []string{"with", "of", "over", "from", "across", "along", "for", "like", "near"} {
		between = append(between, "cow\troad\t"+word)
	}
	corpus := slices.Concat(
		countsOf(vocabulary.Between, between...),
		countsOf(vocabulary.ObjectOf, "in the middle of\troad"),
		countsOf(vocabulary.Between, "car\troad\tin the middle of", "bus\troad\tin the middle of"),
	)
	caption := Caption{Graph: schemas.SceneGraph{
		Objects:   []schemas.Object{object("cow"), object("road")},
		Relations: []schemas.Relation{{Subject: 0, Predicate: "on the side of", Lemma: "on side of", Object: 1}},
	}}
	if got, want := textsOf(t, with(methods.ReplaceRelation), corpus, caption), "middle of"; len(got) == 0 || !strings.Contains(got[0], want) {
		t.Errorf("%q, want one with %q", got, want)
	}
}

// TestObjectsFitWhatIsSaid replaces objects by what the corpus has so often enough,
// with what is said of them.
func TestObjectsFitWhatIsSaid(t *testing.T) {
	times := func(n int64, kind string, keys ...string) (all []schemas.Count) {
		for _, key := range keys {
			all = append(all, schemas.Count{Kind: kind, Key: key, N: n})
		}
		return all
	}
	corpus := slices.Concat(
		times(2*vocabulary.WellKnown, vocabulary.Between, "man\tbench\ton", "man\tsofa\tunder", "roof\thouse\tof", "tower\tbridge\tnear", "man\thand\twith"),
		times(1, vocabulary.Between, "man\tsofa\ton", "man\tchair\ton", "roof\tbridge\tof", "vase\thand\twith"),
		times(1, vocabulary.ObjectOf, "on\tbench", "of\thouse"), times(99, vocabulary.ObjectOf, "on\tsofa", "on\tchair", "of\tbridge"),
		countsOf(vocabulary.SubjectOf, "with\tman", "with\tvase"),
		countsOf(vocabulary.AttributeOf, "bench\tpadded", "umbrella\topened", "hat\topened"),
	)
	padded := object("bench", "padded")
	opened := object("umbrella", "opened")
	for _, c := range []struct {
		subject  schemas.Object
		relation string
		object   schemas.Object
		want     []string
	}{
		{object("man"), "on", object("bench"), []string{"a man on a chair"}},                   // sofas are seldom what somebody is on
		{object("man"), "on", padded, []string{"a man on a chair", "a man on a padded chair"}}, // as a bench is, which is furniture too
		{object("roof"), "of", object("house"), nil},                                           // once of a bridge is a slip
		{object("man"), "with", object("hand"), nil},                                           // which all have
		{opened, "near", object("vase"), nil},
	} {
		caption := Caption{Graph: schemas.SceneGraph{
			Objects:   []schemas.Object{c.subject, c.object},
			Relations: []schemas.Relation{{Subject: 0, Predicate: c.relation, Lemma: c.relation, Object: 1}},
		}}
		got := textsOf(t, with(methods.ReplaceObject), corpus, caption)
		for i := range got {
			got[i] = strings.NewReplacer("there is ", "", " is ", " ").Replace(got[i])
		}
		if slices.Sort(got); !slices.Equal(slices.Compact(got), c.want) {
			t.Errorf("a %s %s a %s: %q, want %q", c.subject.Name, c.relation, c.object.Name, got, c.want)
		}
	}
}

// TestSlips fills no verb that a large corpus has once with such a complement, or
// of such an object.
func TestSlips(t *testing.T) {
	corpus := []schemas.Count{
		{Kind: vocabulary.Action, Key: "VBG\tdripping", N: 20000}, {Kind: vocabulary.Action, Key: "VBG\twalking", N: 20000},
		{Kind: vocabulary.ActionOf, Key: "VBG\tman\tin\twalking", N: 60}, {Kind: vocabulary.ActionOf, Key: "VBG\tsun\tin\twalking", N: 1},
		{Kind: vocabulary.ActionOf, Key: "VBG\tman\tin\tshining", N: 60}, {Kind: vocabulary.ActionOf, Key: "VBG\tsun\tover\tshining", N: 99},
		{Kind: vocabulary.ActionOf, Key: "VBG\tman\tin\tdripping", N: 60}, {Kind: vocabulary.ActionOf, Key: "VBG\tsun\tover\tdripping", N: 10},
		{Kind: vocabulary.ActionOf, Key: "VBG\tman\ton\tjumping", N: 50}, {Kind: vocabulary.ActionOf, Key: "VBG\tman\ton\tspanning", N: 1},
		{Kind: vocabulary.ActionOf, Key: "VBG\tman\ton\tstanding", N: 50},
		{Kind: vocabulary.ActionOf, Key: "VBG\tman\tobject\tspilling", N: 50}, {Kind: vocabulary.ActionOf, Key: "VBG\tman\tobject\twearing", N: 50},
		{Kind: vocabulary.ActionOf, Key: "VBN\tsign\ton\tpainted", N: 30000},
		{Kind: vocabulary.ObjectOf, Key: "drinking\twater", N: 500}, {Kind: vocabulary.ObjectOf, Key: "spilling\twater", N: 50}, {Kind: vocabulary.ObjectOf, Key: "wearing\twater", N: 1},
	}
	for caption, want := range map[string][]string{
		"a/DT man/NN standing/VBG on/IN a/DT box/NN": {"a man jumping on a box"},
		"a/DT man/NN drinking/VBG water/NN":          {"a man spilling water"},
		"a/DT sun/NN setting/VBG in/IN a/DT box/NN":  {"a sun shining in a box"}, // once a sun walks, and who drips is seldom in a box
	} {
		if got := textsOf(t, with(methods.FillAction), corpus, tagged(caption)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", caption, got, want)
		}
	}
}

// textsOf are the negatives of an image with one caption.
func textsOf(t *testing.T, opts Options, corpus []schemas.Count, caption Caption) []string {
	t.Helper()
	g, err := New(opts, testVocabulary(t, corpus...), 7)
	if err != nil {
		t.Fatal(err)
	}
	pools := make([]schemas.Pool, 1)
	if err := g.Texts(t.Context(), &Image{Key: "i", Captions: []Caption{caption}}, pools, &Drops{}); err != nil {
		t.Fatal(err)
	}
	return negTexts(pools[0])
}

// TestAttributesOfOtherHeads takes those of dimensions that most things have.
func TestAttributesOfOtherHeads(t *testing.T) {
	g, err := New(Defaults(), testVocabulary(t, plausibleCounts()...), 7)
	if err != nil {
		t.Fatal(err)
	}
	for attribute, want := range map[string]bool{"red": true, "clear": false} {
		s := slot{kind: slots.Attribute, text: attribute, id: g.dict.words.Property(attribute).Id, head: g.dict.words.Headword("tape")}
		if chosen := g.dict.chooseCandidates(&s, nil); chosen.empty() == want {
			t.Errorf("%q of tape, which the corpus does not have, is replaced: %v, want %v", attribute, !want, want)
		}
	}
}

// TestSwappedSubjects turns a relation round where the corpus has its object do
// that, and has it beside the subject.
func TestSwappedSubjects(t *testing.T) {
	g, err := New(with(methods.SwapObjects), testVocabulary(t, slices.Concat(
		countsOf(vocabulary.SubjectOf, "chasing\tcat", "chasing\tdog", "riding\tman", "looking at\tmonitor", "looking at\tcat"),
		countsOf(vocabulary.Between, "cat\tdog\tnear", "horse\tman\tbehind", "woman\tdress\tin", "monitor\tcat\tnear", "road\tbus\tnear", "cat\twoman\tnear", "plate\tlamp\tnear", "station\ttrain\tnear", "park\tkite\tnear", "tree\tbuilding\tnear"),
		[]schemas.Count{{Kind: vocabulary.Between, Key: "car\troad\ton", N: 2}, {Kind: vocabulary.Between, Key: "dog\ttruck\ton", N: 2}, {Kind: vocabulary.Between, Key: "dog\ttruck\tsitting on", N: 1}, {Kind: vocabulary.Between, Key: "field\tsheep\tnear", N: 9}},
	)...), 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		subject, relation, lemma, object string
		want                             bool
	}{
		{"dog", "chasing", "chase", "cat", true},
		{"man", "riding", "ride", "horse", false}, // no horse rides
		{"man", "riding", "ride", "yak", false},   // of yaks the corpus says nothing
		{"dog", "looking at", "look at", "cat", true},
		{"cat", "looking at", "look at", "monitor", false}, // which is not alive
		{"bus", "on the side of", "on the side of", "road", false},
		{"man", "in front of", "in front of", "horse", true},
		{"dress", "in", "in", "pasture", false}, // nobody saw a pasture in a dress
		{"road", "on", "on", "car", false},      // which is too seldom
		{"truck", "on", "on", "dog", true},
		{"sheep", "in the middle of", "in the middle of", "field", false}, // which has no sheep around it
		{"train", "at", "at", "station", false},
		{"kite", "over", "over", "park", false}, // which is large
		{"lamp", "over", "over", "plate", true},
		{"building", "surrounded by", "surround by", "tree", false},
		{"woman", "looking at", "look at", "cat", true},
	} {
		img := &Image{Key: "i", Captions: []Caption{{Graph: schemas.SceneGraph{
			Objects:   []schemas.Object{object(c.subject), object(c.object)},
			Relations: []schemas.Relation{{Subject: 0, Predicate: c.relation, Lemma: c.lemma, Object: 1}},
		}}}}
		pools := make([]schemas.Pool, 1)
		if err := g.Texts(t.Context(), img, pools, &Drops{}); err != nil {
			t.Fatal(err)
		}
		if got := len(pools[0].Negatives) > 0; got != c.want {
			t.Errorf("a %s %s a %s is turned round: %v, want %v (%q)", c.subject, c.relation, c.object, got, c.want, negTexts(pools[0]))
		}
	}
}
