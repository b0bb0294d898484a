package graphs

import (
	"capgraph/internal/lexicon"
	"capgraph/scenegraph"
)

// synonyms finds tuples that say the same in other words.
type synonyms struct {
	lexicon   *lexicon.Lexicon
	inflector *lexicon.Inflector
}

// newSynonyms fails if the embedded lexicon cannot be read.
func newSynonyms() (synonyms, error) {
	l, err := lexicon.Open()
	return synonyms{l, lexicon.NewInflector()}, err
}

// agreement is how well a graph agrees with the gold.
type agreement struct {
	missing, extra []Triple // the tuples that are not in both
	kinds          [kindCount]Count
	f1, spice      float64 // 1 for two empty graphs
}

// compareGraphs compares a graph with the gold.
func (s *synonyms) compareGraphs(got, gold []Triple) (a agreement) {
	g, w := scenegraph.Tuples(got), scenegraph.Tuples(gold)
	for _, t := range sortedTriples(w) {
		a.kinds[kindOf(t)].Gold++
		if !g[t] {
			a.missing = append(a.missing, t)
		}
	}
	for _, t := range sortedTriples(g) {
		a.kinds[kindOf(t)].Found++
		if w[t] {
			a.kinds[kindOf(t)].Right++
		} else {
			a.extra = append(a.extra, t)
		}
	}
	if len(a.missing) == 0 && len(a.extra) == 0 {
		a.f1, a.spice = 1, 1
		return a
	}
	right := len(w) - len(a.missing)
	a.f1 = Count{Right: right, Found: len(g), Gold: len(w)}.F1()
	a.spice = Count{Right: right + s.countMatches(a.extra, a.missing), Found: len(g), Gold: len(w)}.F1()
	return a
}

// countMatches returns how many tuples of found match a tuple of gold, which can be matched only once.
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
