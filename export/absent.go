package export

import (
	"slices"
	"strings"

	"capgraph/negatives/truth"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// absentFinder finds what is not in an image: nouns that negatives put in the place of one that is there.
// They are siblings of it, and the corpus says them in its place.
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

// scene has the noun phrases of an image's captions: of things that are there, and of things that are not.
type scene struct {
	present, absent []string
}

// maxAbsent is the most things of a scene that are absent.
const maxAbsent = 3

// describe returns the scene of an image, from all rows of it.
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
			if !wouldBeSaid(n, there) || len(strings.Fields(phrase)) > maxPhraseWords || isMentioned(rows, n.Head) ||
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

// determiners begin noun phrases and are no part of the noun.
var determiners = []string{"a", "an", "the", "some", "two", "three", "many", "several"}

// nounOf returns the noun of a phrase without a determiner.
func (f *absentFinder) nounOf(phrase string) *words.Noun {
	if first, rest, ok := strings.Cut(phrase, " "); ok && slices.Contains(determiners, first) {
		phrase = rest
	}
	return f.words.Noun(phrase)
}

// wouldBeSaid reports whether a caption would likely name a thing if it were there, beside others. Places,
// their usual parts and what goes without saying are not named though they are there.
func wouldBeSaid(n *words.Noun, there []*words.Noun) bool {
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

// isMentioned reports whether a caption of the rows has a word.
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
