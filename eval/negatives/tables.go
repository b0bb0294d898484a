package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/internal/ngrams"
	"capgraph/negatives/grammar"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
)

// Tables judges negatives by the lexicon's tables: whether the replacing words exclude the replaced ones.
// It uses words alone, without the image.
type Tables struct {
	words *words.Cache
}

// NewTables opens the lexicon.
func NewTables() (*Tables, error) {
	known, err := words.NewOfLexicon()
	if err != nil {
		return nil, err
	}
	return &Tables{known}, nil
}

// leadingWords begin noun phrases, and are not part of the name of a thing.
var leadingWords = wordSet("a an the some this that these those his her their its two three four several many")

// maxTableWords is the largest number of words in a phrase that is looked up in the tables.
const maxTableWords = 3

// Judge reports whether the tables have both of the phrases in which a negative differs from its positive.
// If so, mayBeTrue is whether both may be true of one image: "a dog" and "a puppy", "next to" and
// "beside", or two things that change places around "beside".
func (t *Tables) Judge(positive, negative string) (known, mayBeTrue bool) {
	if t.words.Kept >= t.words.Bound {
		t.words.Forget()
	}
	was, is := differingWords(positive, negative)
	if len(was) > 2 && len(was) == len(is) {
		return t.judgeSwap(was, is)
	}
	counted := func(list []string) bool {
		return len(list) > 0 && leadingWords[list[0]] && !slices.Contains([]string{"a", "an", "the"}, list[0])
	}
	if counted(was) || counted(is) {
		return false, false
	}
	was, is = trimLeading(was), trimLeading(is)
	if len(was) == 0 || len(is) == 0 || len(was) > maxTableWords || len(is) > maxTableWords {
		return false, false
	}
	a, b := strings.Join(was, " "), strings.Join(is, " ")
	switch {
	case wordclass.Has(grammar.Prepositions, was[0]) || wordclass.Has(grammar.Prepositions, is[0]):
		if len(was) > 1 || len(is) > 1 { // one of them is a part of "on top of" or "in front of"
			return false, false
		}
		return true, !t.words.RelationsExclude(t.words.RelationOf(a, ""), t.words.RelationOf(b, ""))
	case isParticiple(a) || isParticiple(b): // the tables have too few participles
		return false, false
	case len(t.words.Property(a).Values) > 0 && len(t.words.Property(b).Values) > 0:
		return true, !t.words.AttributesExclude(t.words.Property(a), t.words.Property(b))
	case words.IsNoun(t.nounOf(a)) && words.IsNoun(t.nounOf(b)):
		return true, words.SameThing(t.nounOf(a), t.nounOf(b))
	}
	return false, false
}

// nounOf returns the noun of a text, in the singular if the lexicon has only that.
func (t *Tables) nounOf(text string) *words.Noun {
	n := t.words.Noun(text)
	if len(n.Senses) == 0 {
		return t.words.Singular(n)
	}
	return n
}

// isParticiple reports whether words begin with a present participle.
func isParticiple(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	return len(first) > 4 && strings.HasSuffix(first, "ing")
}

// judgeSwap judges a negative whose objects changed places: "sinks next to mirrors" for "mirrors next to
// sinks".
func (t *Tables) judgeSwap(was, is []string) (known, mayBeTrue bool) {
	last := len(was) - 1
	if was[0] != is[last] || was[last] != is[0] || !slices.Equal(was[1:last], is[1:last]) {
		return false, false
	}
	between := was[1:last]
	for len(between) > 0 && leadingWords[between[len(between)-1]] {
		between = between[:len(between)-1]
	}
	if len(between) == 0 || len(between) > maxTableWords {
		return false, false
	}
	predicate := strings.Join(between, " ")
	nouns := words.IsNoun(t.nounOf(was[0])) && words.IsNoun(t.nounOf(was[last]))
	if joins := predicate == "and" || predicate == "or"; joins {
		return true, nouns || len(t.words.Property(was[0]).Values) > 0 && len(t.words.Property(was[last]).Values) > 0
	}
	place := t.words.RelationOf(predicate, "").Place
	return true, nouns && (place == truth.Beside || place == truth.Nearby)
}

// differingWords returns the words of two texts, in lower case, without their common beginning and end.
func differingWords(positive, negative string) (was, is []string) {
	was, is = lowerWords(positive), lowerWords(negative)
	for len(was) > 0 && len(is) > 0 && was[0] == is[0] {
		was, is = was[1:], is[1:]
	}
	for len(was) > 0 && len(is) > 0 && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	return was, is
}

func lowerWords(text string) (list []string) {
	text = strings.ToLower(text)
	for _, t := range ngrams.AppendTokens(nil, text) {
		if t.IsWord {
			list = append(list, text[t.Begin:t.End])
		}
	}
	return list
}

func trimLeading(list []string) []string {
	for len(list) > 1 && leadingWords[list[0]] {
		list = list[1:]
	}
	return list
}
