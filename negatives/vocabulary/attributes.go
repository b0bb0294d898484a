package vocabulary

import (
	"maps"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/negatives/slots"
)

// Two attributes exclude each other if by chance the corpus would have both of one thing at least minTogether times,
// but has both at most maxTogether times as often. The chance is computed from how often it has each with the same
// heads. 0.5 is added to the count.
const (
	minTogether = 8.0
	maxTogether = 1.0 / 16
)

// relateAttributes finds the attributes that exclude each other, and the heads that are side by side. least is the
// smallest count in the lists.
func (v *Vocabulary) relateAttributes(least int64) {
	v.heads, v.attributes, v.names = map[string]uint64{}, map[string]uint64{}, map[string]uint64{}
	for name, n := range Counted(v.List(Object)) {
		v.heads[name[strings.LastIndexByte(name, ' ')+1:]] += n
		v.names[name] = n
		v.things += n
	}
	for word, n := range Counted(v.List(Attribute)) {
		v.attributes[word] = n
	}
	type pair struct{ a, b string }
	expected := map[pair]float64{}
	contexts := slices.Sorted(maps.Keys(v.lists))
	for _, context := range contexts {
		head, ok := strings.CutPrefix(context, AttributeOf+"\t")
		if !ok {
			continue
		}
		var words []string
		var uses []float64
		for word, n := range Counted(v.lists[context]) {
			words, uses = append(words, word), append(uses, float64(n))
		}
		all := max(float64(v.heads[head]), uses[0])
		for i, a := range words {
			for j := i + 1; j < len(words); j++ {
				n := uses[i] * uses[j] / all
				if n < minTogether/256 {
					break
				}
				b := words[j]
				if len(v.Lexicon.Values(a)) > 0 && len(v.Lexicon.Values(b)) > 0 {
					continue // dimensions decide for these
				}
				expected[pair{min(a, b), max(a, b)}] += n
			}
		}
	}
	v.exclusive, v.sideBySide = map[string]map[string]bool{}, map[string]map[string]bool{}
	unseen := max(v.floor[Together], least-1)
	for p, n := range expected {
		seen := max(CountOf(v.List(Together, p.a), p.b), uint64(unseen))
		if n >= minTogether && float64(seen)+0.5 <= n*maxTogether && !strings.Contains(" "+p.a+" ", " "+p.b+" ") && !strings.Contains(" "+p.b+" ", " "+p.a+" ") &&
			!v.Lexicon.AreSimilarAdjectives(p.a, p.b) {
			relateWords(v.exclusive, p.a, p.b)
		}
	}
	for _, context := range contexts {
		if a, ok := strings.CutPrefix(context, SideBySide+"\t"); ok {
			for b, n := range Counted(v.lists[context]) {
				if n >= NoSlip {
					relateWords(v.sideBySide, a, b)
				}
			}
		}
	}
}

// relateWords adds b to the words related to a, and a to those related to b.
func relateWords(all map[string]map[string]bool, a, b string) {
	for _, p := range [2][2]string{{a, b}, {b, a}} {
		if all[p[0]] == nil {
			all[p[0]] = map[string]bool{}
		}
		all[p[0]][p[1]] = true
	}
}

// Exclusive returns the attributes that exclude another by counts: the corpus has both with the same heads, but never
// together of one thing. At least one of the two has no dimension.
func (v *Vocabulary) Exclusive(attribute string) map[string]bool { return v.exclusive[attribute] }

// SideBySide returns the heads that captions name beside a head, as other things.
func (v *Vocabulary) SideBySide(head string) map[string]bool { return v.sideBySide[head] }

// Named returns how often the corpus has an object of a name.
func (v *Vocabulary) Named(name string) uint64 { return v.names[name] }

// Times returns how often the corpus has an object, an attribute of a head, or a relation between heads. If it is not
// among the counts that were kept, it may be as high as the value returned.
func (v *Vocabulary) Times(kind string, key ...string) int64 {
	if n, ok := v.times[xxhash.Sum64String(kind+"\t"+strings.Join(key, "\t"))]; ok {
		return n
	}
	return v.floor[kind]
}

// IsMissing reports whether the corpus never has an attribute with a head, although by chance it would at least atLeast
// times. Counts that were not kept may be as high as the lowest that was.
func (v *Vocabulary) IsMissing(head, attribute string, atLeast float64) bool {
	return v.Expects(head, attribute, atLeast) && !slices.ContainsFunc(v.List(AttributeOf, head), func(c slots.Candidate) bool {
		before, ends := strings.CutSuffix(c.Text, attribute)
		return ends && (before == "" || strings.HasSuffix(before, " ")) // "in blue"
	})
}

// Expects reports whether by chance the corpus would have an attribute with a head at least atLeast times.
func (v *Vocabulary) Expects(head, attribute string, atLeast float64) bool {
	least := atLeast + 4*float64(v.floor[AttributeOf])
	return v.things > 0 && float64(v.heads[head])*float64(v.attributes[attribute]) >= least*float64(v.things)
}

// CountOf returns the count of a word in a list, or 0.
func CountOf(list []slots.Candidate, word string) uint64 {
	for w, n := range Counted(list) {
		if w == word {
			return n
		}
	}
	return 0
}
