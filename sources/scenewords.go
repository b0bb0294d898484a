package sources

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"capgraph/internal/lexicon"
	"capgraph/schemas"
)

// sceneWords turns the words of annotators into those of graphs.
type sceneWords struct {
	inflector  *lexicon.Inflector
	attributes *lexicon.Lexicon
}

func newSceneWords() *sceneWords {
	return &sceneWords{lexicon.NewInflector(), lexicon.OpenAttributes()}
}

// Words that the rules below use.
var (
	auxiliaries  = []string{"is", "are", "was", "were", "be", "being", "been"}
	articles     = []string{"a", "an", "the"}
	quantities   = strings.Fields("one two three four five six seven eight nine ten eleven twelve several many some")
	prepositions = strings.Fields("in on at with of by under behind beside near next to from for over without above below inside outside between around against along across through off onto into toward towards up down out about among beneath underneath atop")
	// nounsWithoutArticle take no article. nounsWithThe take "the".
	nounsWithoutArticle = strings.Fields("grass water snow sand dirt hair wood food bread cheese rice sauce furniture luggage clothing traffic fur smoke mud gravel foam ice metal paper fruit meat broccoli lettuce bacon jewelry equipment graffiti foliage vegetation shade sunlight light writing steam concrete pavement brick lace soup pasta butter ketchup mustard chocolate cream milk wine beer juice coffee tea")
	nounsWithThe        = strings.Fields("sky ground sun ocean background foreground horizon air moon floor")
)

// normalize returns a text in lower case, with single spaces and without punctuation around it.
func normalize(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".,;:!?\"", r) })
	return strings.Join(strings.Fields(strings.ToLower(s)), " ")
}

// trimWords removes words at the beginning of s.
func trimWords(words []string, s string) string {
	for {
		first, rest, ok := strings.Cut(s, " ")
		if !ok || !slices.Contains(words, first) {
			return s
		}
		s = rest
	}
}

// objectName returns the name of an object in an annotator's words: "dog" for "The Dog."
func objectName(s string) string { return trimWords(articles, normalize(s)) }

// attributeText returns an attribute in an annotator's words: "white" for "is white".
func attributeText(s string) string { return trimWords(articles, trimWords(auxiliaries, normalize(s))) }

// predicateText returns a predicate in an annotator's words: "on" for "ON a".
func predicateText(s string) string {
	s = normalize(s)
	for {
		i := strings.LastIndexByte(s, ' ')
		if i < 0 || !slices.Contains(articles, s[i+1:]) {
			return s
		}
		s = s[:i]
	}
}

func isQuantity(s string) bool {
	return slices.Contains(quantities, s) || s != "" && strings.Trim(s, "0123456789") == ""
}

// newObject returns a thing as an object of a graph. Attributes are in their order in English.
func (w *sceneWords) newObject(t *thing) schemas.Object {
	head := t.name[strings.LastIndexByte(t.name, ' ')+1:]
	o := schemas.Object{Name: t.name, Head: w.inflector.Singular(head), Quantity: t.quantity, Begin: schemas.NoOffset, End: schemas.NoOffset}
	for _, text := range t.attributes {
		o.Attributes = append(o.Attributes, schemas.Attribute{Text: text, Form: attributeForm(text), Begin: schemas.NoOffset, End: schemas.NoOffset})
	}
	slices.SortStableFunc(o.Attributes, func(a, b schemas.Attribute) int {
		return cmp.Or(-cmp.Compare(a.Form, b.Form), cmp.Compare(w.attributes.AttributeRank(a.Text), w.attributes.AttributeRank(b.Text))) // pre, then post
	})
	return o
}

// attributeForm returns Post for an attribute that follows its noun, such as "in blue", "parked",
// "made of wood" and "standing", else Pre.
func attributeForm(attribute string) string {
	words := strings.Fields(attribute)
	first, last := words[0], words[len(words)-1]
	verbal := strings.HasSuffix(first, "ing") || strings.HasSuffix(first, "ed") && len(words) > 1
	if verbal || slices.Contains(prepositions, first) || slices.Contains(prepositions, last) {
		return schemas.Post
	}
	return schemas.Pre
}

// lemmaOf returns the base form of a predicate: "sit on" for "is sitting on".
func (w *sceneWords) lemmaOf(predicate string) string {
	said := trimWords(auxiliaries, predicate)
	verb, rest, _ := strings.Cut(said, " ")
	if rest != "" {
		rest = " " + rest
	}
	if slices.Contains(prepositions, verb) {
		return said
	}
	return w.verbBase(verb) + rest
}

// verbBase returns the base form of a verb: "sit" for "sitting".
func (w *sceneWords) verbBase(form string) string {
	if b, ok := w.inflector.IrregularBase(form); ok {
		return b
	}
	if form == "has" {
		return "have"
	}
	for _, c := range []struct {
		suffix  string
		inflect func(string) string
	}{
		{"ing", w.inflector.Gerund}, {"ed", w.inflector.Participle}, {"s", w.inflector.ThirdPerson},
	} {
		stem, ok := strings.CutSuffix(form, c.suffix)
		if !ok || stem == "" {
			continue
		}
		for _, verb := range verbCandidates(stem) {
			if c.inflect(verb) == form {
				return verb
			}
		}
	}
	return form
}

// verbCandidates returns verbs that may have a form with that stem, the likeliest first.
func verbCandidates(stem string) (verbs []string) {
	n := len(stem)
	if before, ok := strings.CutSuffix(stem, "ie"); ok && n > 3 { // carries
		verbs = append(verbs, before+"y")
	}
	if before, ok := strings.CutSuffix(stem, "i"); ok && n > 2 { // carried
		verbs = append(verbs, before+"y")
	}
	if before, ok := strings.CutSuffix(stem, "e"); ok && n > 1 { // watches
		verbs = append(verbs, before)
	}
	if n > 2 && stem[n-1] == stem[n-2] && stem != "add" && strings.IndexByte("lszf", stem[n-1]) < 0 { // sitting
		verbs = append(verbs, stem[:n-1])
	}
	if before, ok := strings.CutSuffix(stem, "y"); ok && n == 2 { // lying
		verbs = append(verbs, before+"ie")
	}
	if n <= 2 { // using
		verbs = append(verbs, stem+"e")
	}
	return append(verbs, stem, stem+"e")
}
