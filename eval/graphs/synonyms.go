package graphs

import "capgraph/internal/lexicon"

// synonyms finds tuples that say the same in other words.
type synonyms struct {
	lexicon   *lexicon.Lexicon
	inflector *lexicon.Inflector
}

// countMatches returns how many tuples of found match one of gold each.
func (s *synonyms) countMatches(found, gold []Triple) int {
	n := 0
	used := make([]bool, len(gold))
	for _, f := range found {
		for i, g := range gold {
			if !used[i] && s.areSame(f, g) {
				used[i] = true
				n++
				break
			}
		}
	}
	return n
}

// areSame reports whether two tuples have the same kind, and each pair of their words or phrases is equal or
// shares a synset: "( sofa )" and "( couch )".
func (s *synonyms) areSame(a, b Triple) bool {
	return kindOf(a) == kindOf(b) && s.isSynonym(a.Subject, b.Subject) && s.isSynonym(a.Predicate, b.Predicate) && s.isSynonym(a.Object, b.Object)
}

// isSynonym reports whether two words or phrases are equal or share a synset, in the plural or not.
func (s *synonyms) isSynonym(a, b string) bool {
	if a == b {
		return true
	}
	a, b = s.inflector.Singular(a), s.inflector.Singular(b)
	return a == b || s.lexicon.AreSynonyms(a, b)
}
