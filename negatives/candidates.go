package negatives

import (
	"capgraph/internal/lexicon"
	"capgraph/internal/portable"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
)

// candidateList is a list of candidates, with their meanings and the selections that the filter has
// made from it.
type candidateList struct {
	kind slots.Kind
	list []slots.Candidate
	// of is the kind of subject that verbs and relations of the list are for. If opposite is set, a
	// candidate fits only if exclusions.tsv opposes it to the word in the slot.
	of       truth.Actor
	opposite bool
	// The meanings of the candidates: only the slice for the kind of the list is filled. A noun is
	// nil until it is asked for.
	properties []*words.Property
	relations  []*words.Relation
	actions    []*words.Action
	nouns      []*words.Noun
	things     []thing
	// sums caches sumOfCounts: the sum plus 1, or 0 if it is unknown.
	sums []uint64
	// all has all candidates of a list of objects; chosen has the selections by what was asked for.
	all    *choices
	chosen map[choicesKey]*choices
}

// choicesKey identifies a selection of a list by what its candidates have in common. Fields that do
// not apply are zero.
type choicesKey struct {
	word       uint32         // candidates that can replace this attribute, relation, verb or number
	kind       truth.Kind     // objects of this kind
	sorts      uint64         // objects of these sorts
	implements uint8          // objects of these classes of implements
	over       lexicon.Synset // objects below this class of the lexicon
}

// thing is a candidate for an object, in the form that the filter compares.
type thing struct {
	head uint32 // its id
	kind truth.Kind
}

// choices are the candidates of a list that can replace a word.
type choices struct {
	of  *candidateList
	fit []int32 // indices in of.list; nil for all
	urn vocabulary.Urn
}

// choice is one candidate of a list.
type choice struct {
	of *candidateList
	at int
}

func (c choice) text() string              { return c.of.list[c.at].Text }
func (c choice) property() *words.Property { return c.of.properties[c.at] }
func (c choice) relation() *words.Relation { return c.of.relations[c.at] }
func (c choice) action() *words.Action     { return c.of.actions[c.at] }
func (c choice) thing() thing              { return c.of.things[c.at] }

// draw returns a random candidate. Its probability is in proportion to its count.
func (c *choices) draw(r *portable.SplitMix64) choice {
	at := c.urn.Draw(r)
	if c.fit != nil {
		at = int(c.fit[at])
	}
	return choice{c.of, at}
}

// empty reports whether there is no candidate.
func (c *choices) empty() bool { return c == nil || len(c.urn.Cells) == 0 }

// weight returns the count of candidate i.
func (l *candidateList) weight(i int) uint64 {
	if i == 0 {
		return l.list[0].Cum
	}
	return l.list[i].Cum - l.list[i-1].Cum
}

// listOf returns the candidateList of c. It is made once, with the meanings of its candidates.
func (f *candidateFilter) listOf(c *words.Candidates) *candidateList {
	l, ok := f.lists[c.Id]
	if !ok {
		l = &candidateList{kind: c.Kind, list: c.List, of: c.Of, opposite: c.Opposite, chosen: map[choicesKey]*choices{}}
		f.readMeanings(l)
		f.lists[c.Id] = l
	}
	return l
}

// readMeanings looks up the candidates of a list. If replacements must be plausible, it removes the
// words that cannot replace another noun, such as plurals.
func (f *candidateFilter) readMeanings(l *candidateList) {
	l.sums = make([]uint64, len(l.list))
	for _, c := range l.list {
		switch l.kind {
		case slots.Attribute:
			l.properties = append(l.properties, f.words.Property(c.Text))
		case slots.Relation:
			l.relations = append(l.relations, f.words.RelationOf(c.Text, ""))
		case slots.Action:
			l.actions = append(l.actions, f.words.Action(c.Text))
		}
	}
	if l.kind != slots.Object {
		return
	}
	if l.sums = nil; !f.plausible {
		l.nouns = make([]*words.Noun, len(l.list))
		return
	}
	l.list = vocabulary.Filter(l.list, func(word string, _ uint64) bool {
		n := f.words.Noun(word)
		if !words.IsNoun(n) || n.Plural || f.words.IsRareCompound(n) {
			return false
		}
		l.nouns, l.things = append(l.nouns, n), append(l.things, thing{f.words.Vocab.HeadID(n.Head), n.Kind})
		return true
	})
	f.words.Kept += len(l.list)
}

// choose returns the candidates of a list that fit. It caches them under key.
func (f *candidateFilter) choose(l *candidateList, key choicesKey, fits func(i int) bool) *choices {
	c, ok := l.chosen[key]
	if !ok {
		c = f.selectFitting(l, fits)
		l.chosen[key] = c
	}
	return c
}

// selectFitting returns the candidates of a list whose indices fit, or all if fits is nil.
func (f *candidateFilter) selectFitting(l *candidateList, fits func(i int) bool) *choices {
	c := &choices{of: l}
	f.weights = f.weights[:0]
	for i := range l.list {
		if fits == nil {
			f.weights = append(f.weights, l.weight(i))
		} else if fits(i) {
			c.fit = append(c.fit, int32(i))
			f.weights = append(f.weights, l.weight(i))
		}
	}
	c.urn = vocabulary.NewUrn(f.weights)
	f.words.Kept += len(f.weights)
	return c
}

// forget empties the caches of the filter and of its words.
func (f *candidateFilter) forget() {
	f.words.Forget()
	clear(f.lists)
}
