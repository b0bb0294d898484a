package export

import (
	"slices"
	"strings"

	"capgraph/negatives/truth"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// absentFinder finds things that are absent from an image. Candidates are the nouns that negatives put in
// place of a present one: of a similar kind, and common in its place in the corpus.
type absentFinder struct {
	words *words.Cache
}

func newAbsentFinder() (*absentFinder, error) {
	known, err := words.NewOfLexicon()
	if err != nil {
		return nil, err
	}
	return &absentFinder{known}, nil
}

// scene has noun phrases of an image: of the things that its captions name, and of things that are absent.
type scene struct {
	present, absent []string
}

// maxAbsent is the most absent things of a scene.
const maxAbsent = 3

// describeScene returns the scene of an image. rows are all of its rows.
func (f *absentFinder) describeScene(rows []*Row) scene {
	if f.words.Kept >= f.words.Bound {
		f.words.Forget()
	}
	var sc scene
	var there []*words.Noun
	for _, r := range rows {
		for _, p := range r.Positives {
			if p.Kind != schemas.KindObject {
				continue
			}
			phrase := trimExistence(p.Text)
			n := f.nounOf(phrase)
			there = append(there, n)
			isNew := !slices.ContainsFunc(sc.present, func(other string) bool { return words.SameThing(f.nounOf(other), n) })
			if isNew && words.IsNoun(n) && len(strings.Fields(phrase)) <= maxPhraseWords {
				sc.present = append(sc.present, phrase)
			}
		}
	}
	var absent []*words.Noun
	for _, r := range rows {
		for _, t := range r.Negatives {
			if len(absent) == maxAbsent {
				return sc
			}
			if r.Positives[t.Of].Kind != schemas.KindObject || t.Changed != schemas.ChangedObject {
				continue
			}
			phrase := trimExistence(t.Text)
			n := f.nounOf(phrase)
			if !wouldBeNamed(n, there) || len(strings.Fields(phrase)) > maxPhraseWords || isMentioned(rows, n.Head) ||
				slices.ContainsFunc(append(there, absent...), func(other *words.Noun) bool { return words.SameThing(other, n) }) {
				continue
			}
			absent, sc.absent = append(absent, n), append(sc.absent, phrase)
		}
	}
	return sc
}

// maxPhraseWords is the most words of a noun phrase in a question.
const maxPhraseWords = 4

// determiners are left out to find the noun of a phrase.
var determiners = []string{"a", "an", "the", "some", "two", "three", "many", "several"}

// nounOf returns the noun of a phrase, which may begin with a determiner.
func (f *absentFinder) nounOf(phrase string) *words.Noun {
	if first, rest, ok := strings.Cut(phrase, " "); ok && slices.Contains(determiners, first) {
		phrase = rest
	}
	return f.words.Noun(phrase)
}

// wouldBeNamed reports whether a caption that names the things in there would likely also name n if it were
// in the image. Places, their usual parts and things that go without saying are often present but not
// named.
func wouldBeNamed(n *words.Noun, there []*words.Noun) bool {
	switch n.Kind {
	case truth.People, truth.Animals, truth.Food, truth.Clothing, truth.Vehicles, truth.Furniture, truth.Media:
	default:
		return false
	}
	usual := func(other *words.Noun) bool {
		return n.Furnishes(other) || other.Setting.Room&n.Setting.InRoom != 0 || n.Kind == truth.People && other.Kind == truth.People
	}
	return words.IsNoun(n) && !n.Unsaid && !n.Scenery && !n.Intangible && !slices.ContainsFunc(there, usual)
}

// isMentioned reports whether the caption of one of the rows contains word or its plural.
func isMentioned(rows []*Row, word string) bool {
	for _, r := range rows {
		for w := range strings.FieldsSeq(r.Text) {
			if w = strings.ToLower(strings.Trim(w, ".,;:!?'\"()")); w == word || w == word+"s" || w == word+"es" {
				return true
			}
		}
	}
	return false
}
