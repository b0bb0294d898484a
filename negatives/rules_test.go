package negatives

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/say"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// newTestWords makes words with a vocabulary of no corpus.
func newTestWords(t *testing.T, counts ...schemas.Count) *words.Cache {
	t.Helper()
	return words.New(testVocabulary(t, counts...).corpus)
}

// testVocabularies keeps a vocabulary for each set of counts.
var testVocabularies = map[string]*Vocabulary{}

func testVocabulary(t testing.TB, counts ...schemas.Count) *Vocabulary {
	t.Helper()
	id := fmt.Sprint(counts)
	if v := testVocabularies[id]; v != nil {
		return v
	}
	opts := Defaults()
	opts.MinCount = 1
	sorted := slices.Clone(counts)
	slices.SortStableFunc(sorted, func(a, b schemas.Count) int { return strings.Compare(a.Kind, b.Kind) })
	v, err := NewVocabulary(slices.Values(sorted), opts)
	if err != nil {
		t.Fatal(err)
	}
	for m := range v.judgement.Cuts { // the rules by themselves
		v.judgement.Cuts[m] = math.Inf(-1)
	}
	v.siblings = nil
	testVocabularies[id] = v
	return v
}

// A relation is replaced by one that differs in the verb or in the preposition, not in both.
func TestRelationsDifferInOneWord(t *testing.T) {
	w := newTestWords(t)
	for _, c := range []struct {
		was, is string
		want    bool
	}{
		{"sleeping on", "standing on", true},
		{"sleeping on", "sleeping under", true},
		{"on", "under", true},
		{"riding", "standing on", true},
		{"sitting on", "holding", true},
		{"sleeping on the edge of", "standing on the side of", false},
		{"sitting on", "standing under", false},
		{"on", "standing under", false},
	} {
		a, b := w.RelationOf(c.was, ""), w.RelationOf(c.is, "")
		if a.DiffersInOne(b) != c.want || b.DiffersInOne(a) != c.want {
			t.Errorf("%q and %q: %v, want %v", c.was, c.is, !c.want, c.want)
		}
	}
}

// exampleRelation is the relation of an example such as "a man on a horse": what
// stands between its first noun and its last.
func exampleRelation(w *words.Cache, example string) *words.Relation {
	f := strings.Fields(example)
	end := len(f) - 1
	if wordclass.Has(" a an the his ", f[end-1]) {
		end--
	}
	return w.RelationOf(strings.Join(f[2:end], " "), "")
}

func TestPlaceExamples(t *testing.T) {
	w := newTestWords(t)
	for _, p := range truth.Places {
		if r := exampleRelation(w, p.Example); r.Place != p.Place {
			t.Errorf("%q is at place %d, want %d", p.Example, r.Place, p.Place)
		}
	}
}

// TestUsual gives nouns their articles where the corpus's counts mislead.
func TestUsual(t *testing.T) {
	w := newTestWords(t,
		schemas.Count{Kind: vocabulary.Usage, Key: "snow\ta", N: 9}, schemas.Count{Kind: vocabulary.Usage, Key: "sky\ta", N: 9}, schemas.Count{Kind: vocabulary.Usage, Key: "sky\tplural", N: 8},
		schemas.Count{Kind: vocabulary.Usage, Key: "dog\ta", N: 9}, schemas.Count{Kind: vocabulary.Usage, Key: "head\tbare", N: 9}, schemas.Count{Kind: vocabulary.Usage, Key: "cows\ta", N: 9},
		schemas.Count{Kind: vocabulary.Usage, Key: "cookie\tplural", N: 9}, schemas.Count{Kind: vocabulary.Usage, Key: "cookie\tbare", N: 1}, schemas.Count{Kind: vocabulary.Usage, Key: "jeans\tplural", N: 9},
		schemas.Count{Kind: vocabulary.Usage, Key: "kettle\tbare", N: 2}, schemas.Count{Kind: vocabulary.Usage, Key: "cookware\tbare", N: 2})
	for key, want := range map[string]say.Article{"cookie": say.AnArticle, "kettle": say.AnArticle, "cookware": say.NoArticle, "jeans": say.NoArticle, "snow": say.NoArticle, "sky": say.TheArticle, "dog": say.AnArticle, "head": say.AnArticle} {
		if got := say.ArticleAnew(w.Noun(key)); got != want {
			t.Errorf("%q has article %d, want %d", key, got, want)
		}
	}
	if w.Noun("sky").Usage.Countable() {
		t.Error(`"a sky"`)
	}
	for key, want := range map[string]bool{"cows": true, "bowls": true, "cow": false, "grass": false, "bus": false} {
		if got := w.Noun(key).Plural; got != want {
			t.Errorf("%q is a plural: %v, want %v", key, got, want)
		}
	}
}

func TestRelationsExclude(t *testing.T) {
	w := newTestWords(t)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"riding", "feeding", true},
		{"riding", "on", false},
		{"sitting on", "on", false},
		{"sitting on", "lying under", true},
		{"on", "riding", false},
		{"with", "holding", false},
		{"looking at", "feeding", false},
		{"parked on", "parked next to", true},
		{"in", "in", false},
		{"in", "surrounded by", false},
		{"typing on", "near", false},
		{"goes through", "rides through", false},
		{"travelling on", "driving on", false},
		{"haning around", "running around", false},
	} {
		if got := w.RelationsExclude(w.RelationOf(c.a, ""), w.RelationOf(c.b, "")); got != c.want {
			t.Errorf("%q excludes %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestCanonical(t *testing.T) {
	w := newTestWords(t)
	for _, c := range []struct{ predicate, lemma, want string }{
		{"are sitting on top of", "sit on top of", "sitting on top of"},
		{"rides", "ride", "riding"},
		{"rode", "ride", "riding"},
		{"full of", "full of", "full of"},
		{"flies over", "flies over", "flying over"},
		{"makes", "makes", "making"},
		{"passes", "passes", "passing"},
		{"sit around", "sit around", "sitting around"},
		{"is covered with", "cover with", "covered with"},
		{"covered with", "cover with", "covered with"},
		{"made of", "make of", "made of"},
		{"has", "have", "with"},
		{"is next to", "next to", "next to"},
		{"to the left of", "to the left of", "to the left of"},
		{"is to the right of", "to the right of", "to the right of"},
		{"is on", "be on", "on"},
		{"that is also riding", "ride", ""},
		{"sat on", "sit on", "sitting on"},
		{"visited", "visit", "visiting"},
		{"was visited", "visit", "visited"},
		{"titled", "title", "titled"},
		{"feed", "fee", "feeding"},
		{"held by", "hold by", "held by"},
		{"holding in", "hold in", "in"},
		{"holds up", "hold up", "holding up"},
		{"", "", ""},
		{"is", "be", ""},
		{"swing at", "swing at", "swinging at"},
		{"is asleep on", "be asleep on", "asleep on"},
		{"asleep on", "asleep on", "asleep on"},
		{"such as", "such as", ""},
		{"tricks on", "trick on", ""},
		{"throughout", "throughout", "throughout"},
	} {
		if got := grammar.Canonical(w.Inflect, c.predicate, c.lemma); got != c.want {
			t.Errorf("canonical(%q, %q) = %q, want %q", c.predicate, c.lemma, got, c.want)
		}
	}
}

// TestTemplateExamples says a red bus, and two men riding it, by each template.
func TestTemplateExamples(t *testing.T) {
	w := newTestWords(t)
	bus := say.NounPhrase{Noun: w.Noun("bus"), Article: say.AnArticle, N: 1}
	bus.Attributes[0] = say.Attribute{Is: w.Property("red")}
	for i := range say.ObjectTemplates {
		p := say.Phrase{Subject: bus, Template: &say.ObjectTemplates[i]}
		if got := string(say.AppendPhrase(nil, &p)); got != p.Template.Example {
			t.Errorf("%q, want %q", got, p.Template.Example)
		}
	}
	men := say.NounPhrase{Noun: w.Noun("man"), Plural: true, Quantity: "two"}
	for i := range say.RelationTemplates {
		p := say.Phrase{Subject: men, Relation: w.RelationOf("riding", "ride"), Object: bus, Template: &say.RelationTemplates[i]}
		if got := string(say.AppendPhrase(nil, &p)); got != p.Template.Example {
			t.Errorf("%q, want %q", got, p.Template.Example)
		}
	}
}

func TestNounPhrase(t *testing.T) {
	w := newTestWords(t,
		schemas.Count{Kind: vocabulary.Usage, Key: "snow\tbare", N: 9}, schemas.Count{Kind: vocabulary.Usage, Key: "ground\tthe", N: 9},
		schemas.Count{Kind: vocabulary.Usage, Key: "umbrella\ta", N: 9})
	for _, c := range []struct {
		object schemas.Object
		want   string
	}{
		{schemas.Object{Name: "umbrella", Head: "umbrella"}, "an umbrella"},
		{schemas.Object{Name: "umbrellas", Head: "umbrella"}, "umbrellas"},
		{schemas.Object{Name: "umbrellas", Head: "umbrella", Quantity: "two"}, "two umbrellas"},
		{schemas.Object{Name: "snow", Head: "snow"}, "snow"},
		{schemas.Object{Name: "luggage", Head: "luggage", Attributes: []schemas.Attribute{{Text: "purple", Form: schemas.Pre}}}, "purple luggage"},
		{schemas.Object{Name: "umbrella", Head: "umbrella", Attributes: []schemas.Attribute{{Text: "red", Form: schemas.Pre}, {Text: "big", Form: schemas.Pre, Begin: -1}}}, "a red big umbrella"},
		{schemas.Object{Name: "dog", Head: "dog", Attributes: []schemas.Attribute{{Text: "black", Form: schemas.Pre}, {Text: "white", Form: schemas.Pre}}}, "a black and white dog"},
		{schemas.Object{Name: "dog", Head: "dog", Attributes: []schemas.Attribute{{Text: "red", Form: schemas.Pre, Begin: -1}, {Text: "big", Form: schemas.Pre, Begin: -1}}}, "a big red dog"},
		{schemas.Object{Name: "woman", Head: "woman", Attributes: []schemas.Attribute{{Text: "in blue", Form: schemas.Post}}}, "a woman in blue"},
		{schemas.Object{Name: "woman", Head: "woman", Attributes: []schemas.Attribute{{Text: "tall", Form: schemas.Post}}}, "a woman who is tall"},
		{schemas.Object{Name: "window", Head: "window", Attributes: []schemas.Attribute{{Text: "black", Form: schemas.Post}, {Text: "white", Form: schemas.Post}}}, "a window that is black and white"},
		{schemas.Object{Name: "dogs", Head: "dog", Attributes: []schemas.Attribute{{Text: "asleep", Form: schemas.Post}}}, "dogs that are asleep"},
		{schemas.Object{Name: "cup", Head: "cup", Attributes: []schemas.Attribute{{Text: "red", Form: schemas.Post}}}, "a cup that is red"},
		{schemas.Object{Name: "cup", Head: "cup", Attributes: []schemas.Attribute{{Text: "naked", Form: schemas.Post}}}, "a cup that is naked"},
		{schemas.Object{Name: "cup", Head: "cup", Attributes: []schemas.Attribute{{Text: "painted red", Form: schemas.Post}}}, "a cup painted red"},
		{schemas.Object{Name: "cars", Head: "car", Quantity: "a lot of", Attributes: []schemas.Attribute{{Text: "asleep", Form: schemas.Post}}}, "a lot of cars that are asleep"},
		{schemas.Object{Name: "cars", Head: "car", Quantity: "a row of", Attributes: []schemas.Attribute{{Text: "asleep", Form: schemas.Post}}}, "a row of cars that is asleep"},
		{schemas.Object{Name: "kitten", Head: "kitten", Attributes: []schemas.Attribute{{Text: "gray", Form: schemas.Pre}, {Text: "white", Form: schemas.Pre}}}, "a gray and white kitten"},
		{schemas.Object{Name: "zebra", Head: "zebra", Quantity: "two", Attributes: []schemas.Attribute{{Text: "asleep", Form: schemas.Post}}}, "two zebras that are asleep"},
		{schemas.Object{Name: "zebra", Head: "zebra", Quantity: "1"}, "1 zebra"},
		{schemas.Object{Name: "dogs", Head: "dogs", Quantity: "2"}, "2 dogs"},
		{schemas.Object{Name: "apple pies", Head: "pies", Quantity: "2"}, "2 apple pies"},
		{schemas.Object{Name: "men", Head: "men", Quantity: "2"}, "2 men"},
		{schemas.Object{Name: "gas", Head: "gas", Quantity: "2"}, "2 gases"},
		{schemas.Object{Name: "sheep", Head: "sheep", Quantity: "two", Attributes: []schemas.Attribute{{Text: "asleep", Form: schemas.Post}}}, "two sheep that are asleep"},
		{schemas.Object{Name: "sheep", Head: "sheep", Quantity: "one", Attributes: []schemas.Attribute{{Text: "asleep", Form: schemas.Post}}}, "one sheep that is asleep"},
		{schemas.Object{Name: "pants", Head: "pant"}, "pants"},
		{schemas.Object{Name: "Ünder", Head: ""}, "a Ünder"},
	} {
		k := facts{dict: &dictionary{words: w}}
		k.readCaptions(&Image{Captions: []Caption{{Graph: schemas.SceneGraph{Objects: []schemas.Object{c.object}}}}})
		var n say.NounPhrase
		k.fillNounPhrase(&n, &k.objects[0], &c.object, ^uint64(0))
		if got := string(say.AppendNounPhrase(nil, &n, false)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestHasForm(t *testing.T) {
	w := newTestWords(t)
	for _, c := range []struct {
		tag, form string
		want      bool
	}{
		{"VBG", "travelling", true},
		{"VBG", "swing", false},
		{"VBZ", "goes", true},
		{"VBZ", "lies", true},
		{"VBZ", "go", false},
		{"VBN", "tethered", true},
		{"VBN", "cut", true},
		{"VBN", "nuzzle", false},
		{"VB", "hit", true},
		{"VB", "hitting", false},
	} {
		if got := w.HasForm(c.tag, c.form); got != c.want {
			t.Errorf("%q has the form %s: %v, want %v", c.form, c.tag, got, c.want)
		}
	}
}

// TestVerbal tells participles that say what is done from others.
func TestVerbal(t *testing.T) {
	for _, c := range []struct {
		caption string
		at      int
		want    bool
	}{
		{"a/DT sign/NN with/IN writing/VBG on/IN it/PRP", 3, false},
		{"a/DT man/NN instead/RB of/IN riding/VBG a/DT bike/NN", 4, true},
		{"a/DT cat/NN looking/VBG agitated/VBN", 3, false},
		{"a/DT cat/NN walking/VBG around/RB bored/VBN", 4, false},
		{"a/DT dog/NN being/VBG washed/VBN", 3, true},
		{"a/DT dog/NN getting/VBG washed/VBN", 3, true},
		{"a/DT dog/NN washed/VBN by/IN a/DT man/NN", 2, true},
	} {
		caption := tagged(c.caption)
		for i := range caption.Tokens {
			switch lemma := &caption.Tokens[i].Lemma; *lemma {
			case "being":
				*lemma = "be"
			case "getting":
				*lemma = "get"
			}
		}
		var w captionWords
		w.read(nil, &caption, nil)
		if got := w.isVerbal(c.at); got != c.want {
			t.Errorf("%q: %q says what is done: %v, want %v", c.caption, w.lower[c.at], got, c.want)
		}
	}
}

// TestBaseForm finds the verb of an -ing form, where another has it too.
func TestBaseForm(t *testing.T) {
	w := newTestWords(t)
	for form, want := range map[string]string{
		"putting": "put", "swinging": "swing", "travelling": "travel", "riding": "ride", "lying": "lie", "hitting": "hit", "petting": "pet",
	} {
		if got, ok := grammar.BaseForm(w.Lexicon, w.Inflect, form); !ok || got != want {
			t.Errorf("%s is of %q, want %q", form, got, want)
		}
	}
	if r := w.RelationOf("putting", ""); words.Replaceable(r) {
		t.Errorf("%q says enough without a place", r.Key)
	}
	for key, want := range map[string]bool{"standing": false, "standing on": true, "holding": true} {
		if r := w.RelationOf(key, ""); r.Sayable != want {
			t.Errorf("%q between two nouns can be said: %v, want %v", key, r.Sayable, want)
		}
	}
	for _, key := range []string{"throwing on", "running while", "starring at"} {
		if r := w.RelationOf(key, ""); words.Replaceable(r) {
			t.Errorf("%q is put in the place of a relation", key)
		}
	}
	for _, form := range []string{"setting", "siting", "ridding", "starring", "waring"} {
		if w.Action(form).Sayable {
			t.Errorf("%q is put in the place of a verb", form)
		}
	}
}

// TestWordsTwiceRunning says no noun that a caption has with a word too many.
func TestWordsTwiceRunning(t *testing.T) {
	w := newTestWords(t)
	for noun, want := range map[string]bool{"fire truck": true, "fire fire truck": false, "truck truck": false} {
		if got := w.Noun(noun).Sayable; got != want {
			t.Errorf("%q can be said: %v, want %v", noun, got, want)
		}
	}
}
