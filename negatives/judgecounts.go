package negatives

import (
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/internal/portable"
	"capgraph/schemas"
)

// attested says how often heads stand in relations, have attributes and do things: what
// the judge goes by. Keys are hashes of words with what they are counted for.
type attested struct {
	counts map[uint64]int64
	// relations and attributes are the sums of all.
	relations, attributes int64
	classes               map[string]hashes // of relations, by their key
}

// hashes are what is counted of a relation: hashes of its class, its verb, and its verb
// with its preposition; 0 where it has no verb.
type hashes struct{ class, verb, whole uint64 }

// What is counted.
const (
	besides      = iota + 1 // two heads, in their order
	inClass                 // subject, object, class
	subjects                // head
	objects                 // head
	subjectsIn              // head, class
	objectsIn               // head, class
	allIn                   // class
	doers                   // head, verb
	doneTo                  // head, verb with its preposition
	threesome               // subject, object, verb
	attributesOf            // head, attribute
	attributed              // head
	attributing             // attribute
	actsOf                  // noun, form of a verb
	formsOfActs             // form of a verb
)

func newAttested() *attested {
	return &attested{counts: map[uint64]int64{}, classes: map[string]hashes{}}
}

// of is the key of what is counted of words by their hashes.
func of(what uint64, words ...uint64) uint64 {
	for _, w := range words {
		what = mixed(what ^ w)
	}
	return what
}

// add adds a count of the vocabulary; those of other kinds say nothing here.
func (a *attested) add(lex *lexicon.Lexicon, in *lexicon.Inflector, c schemas.Count) {
	switch context, word, err := cutKey(c); {
	case err != nil:
	case c.Kind == CountBetween:
		first, second := cutTab(context)
		s, o := idOf(first), idOf(second)
		r, ok := a.classes[word]
		if !ok {
			is := newPredicate(lex, in, word, "")
			r = hashesOf(&is)
			a.classes[word] = r
		}
		for _, key := range [...]uint64{of(besides, s, o), of(inClass, s, o, r.class), of(subjects, s), of(objects, o), of(subjectsIn, s, r.class), of(objectsIn, o, r.class), of(allIn, r.class)} {
			a.counts[key] += c.N
		}
		if r.verb != 0 {
			a.counts[of(doers, s, r.verb)] += c.N
			a.counts[of(doneTo, o, r.whole)] += c.N
			a.counts[of(threesome, s, o, r.verb)] += c.N
		}
		a.relations += c.N
	case c.Kind == CountAttributeOf:
		h, p := idOf(context), idOf(word)
		a.counts[of(attributesOf, h, p)] += c.N
		a.counts[of(attributed, h)] += c.N
		a.counts[of(attributing, p)] += c.N
		a.attributes += c.N
	case c.Kind == CountActionOf:
		_, rest := cutTab(context)
		noun, _ := cutTab(rest)
		f := idOf(word)
		a.counts[of(actsOf, idOf(noun), f)] += c.N
		a.counts[of(formsOfActs, f)] += c.N
	}
}

// relate holds where captions have a relation with that verb, or without one, of one noun to another more than once.
func (a *attested) relate(subject, object *noun, r *relation) bool {
	s, o := subject.headID, object.headID
	return a.counts[of(inClass, s, o, r.hashes.class)] >= 2 && (r.verb == "" || a.counts[of(threesome, s, o, r.hashes.verb)] >= 2)
}

// besides holds where captions have a thing so as a fact says more than once, whatever somebody does
// there, and no less often than is no slip beside another that is there, but for people, who are beside all others.
func (a *attested) besides(x, other *noun, f fact) bool {
	s, o := f.subject.headID, f.object.headID
	switch {
	case x.kind != people && a.counts[of(besides, x.headID, other.headID)]+a.counts[of(besides, other.headID, x.headID)] < noSlip:
		return false
	case x.alive():
		return a.counts[of(inClass, s, o, f.is.hashes.class)] >= 2
	}
	return a.relate(f.subject, f.object, f.is)
}

func hashesOf(r *predicate) hashes {
	is := hashes{class: idOf(classOf(r))}
	if r.verb != "" {
		is.verb, is.whole = idOf(r.verb), idOf(r.verb, r.prep)
	}
	return is
}

// does holds where captions have such a subject of a relation's verb, or of its class where it has none,
// often enough for it to be no slip.
func (a *attested) does(subject *noun, r *relation) bool {
	if r.hashes.verb != 0 {
		return a.counts[of(doers, subject.headID, r.hashes.verb)] >= noSlip
	}
	return a.counts[of(subjectsIn, subject.headID, r.hashes.class)] >= noSlip
}

// mayStand holds where captions have the object of a relation so, and have not the two otherwise so often that
// they would have them so. Of a place they have the object one of 600 times at least, or next to it, before or behind
// it at all; on, in or under it is what is smaller. What is not alive they have in such a place too, no weather, and
// nothing that nobody can touch.
func (a *attested) mayStand(subject, object *noun, r *relation) bool {
	s, o, class := subject.headID, object.headID, r.hashes.class
	placed := r.place != nowhere
	switch {
	case object.vague, object.intangible, object.kind == weather && placed, contains(times, object.head), contains(backdrops, object.head):
		return false
	case placed && (subject.intangible || subject.kind == weather || !subject.alive() && a.counts[of(subjectsIn, s, class)] == 0):
		return false
	case r.verb != "" && (r.prep == "" || !contains(postures, r.verb)):
		return a.counts[of(doneTo, o, r.hashes.whole)] > 0
	case r.verb != "" && r.place == on && !a.bears(object, r.prep):
		return false
	case a.counts[of(inClass, s, o, class)] > 0:
		return true
	}
	switch r.place {
	case beside, nearby, before, behind:
		return !object.kind.surrounds() && a.counts[of(objectsIn, o, class)] > 0
	case in:
		if subject.size() >= object.size() {
			return false
		}
	case on, under:
		if subject.size() > object.size() || s == o {
			return false
		}
	}
	return a.counts[of(objectsIn, o, class)]*600 > a.counts[of(objects, o)] && a.counts[of(subjectsIn, s, class)]*a.counts[of(objectsIn, o, class)] < 4*a.counts[of(allIn, class)]
}

// bears holds where captions have somebody sit, stand or lie on a thing.
func (a *attested) bears(n *noun, preposition string) bool {
	for verb := range strings.FieldsSeq(postures) {
		if a.counts[of(doneTo, n.headID, idOf(verb, preposition))] > 0 {
			return true
		}
	}
	return false
}

// acts holds where captions say often enough that a noun does something.
func (a *attested) acts(n *noun, verb *action) bool {
	return a.counts[of(actsOf, n.headID, idOf(verb.form))] >= noSlip || a.counts[of(doers, n.headID, idOf(verb.base))] >= noSlip
}

// undergoes holds where captions say often enough that a verb is done to a noun, or with a preposition to it.
func (a *attested) undergoes(n *noun, verb *action, preposition string) bool {
	return a.counts[of(doneTo, n.headID, idOf(verb.base, preposition))] >= noSlip
}

// log is ln(1 + n) of a count.
func (a *attested) log(key uint64) float64 { return logOf(a.counts[key]) }

func logOf(n int64) float64 { return portable.Log(float64(1 + n)) }

// cutTab cuts a key after its first part.
func cutTab(key string) (first, rest string) {
	first, rest, _ = strings.Cut(key, "\t")
	return first, rest
}

// lift is by how much, as a logarithm, n of all is more than what x and y of them would have
// in common by chance.
func lift(n, x, y, all int64) float64 {
	chance := float64(float64(x)*float64(y)) / float64(max(all, 1))
	return portable.Log((float64(n) + 0.3) / (chance + 0.3))
}
