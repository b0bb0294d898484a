package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// A negative that may be true of the image is dropped with ReasonMayBeTrue ("known_graph"). For example "a dog on
// grass" is no negative of "a cat on grass" if another caption of the image has a puppy. The functions below decide
// this: mayBe for an object, mayHave for an attribute, mayRelate and mayHoldBoth for a relation, mayAct for an action;
// isTrueRegardless and isLikelyAlsoTrue for most images with such a caption; isCommonlyOmitted and
// isOmittedBesideOthers for things that captions omit.

// isWithPart reports whether a relation says "with" and a body part that everybody has: "with a hand".
func isWithPart(r *words.Relation, part *words.Noun) bool {
	return r.Key == "with" && wordclass.Has(everybodys, part.Head)
}

// isLikelyAlsoTrue reports whether the corpus often has the word of the slot on, in or at noun n, so that both may be
// true: a rider on a skateboard is on a street too, but a dog on a bench is on no table.
func (dict *dictionary) isLikelyAlsoTrue(s *slot, n *words.Noun) bool {
	if s.relation == nil || !s.object || !isPlaceRelation(s.relation) || s.relation.Place == truth.On && wordclass.Has(grammar.Postures, s.relation.Verb) {
		return false
	}
	uses := dict.words.Times(s.noun, n, isPlaceRelation)
	return uses >= vocabulary.NoSlip && oneIn*uses >= uint64(s.noun.Usage.Sum())
}

// oneIn: one in oneIn uses of a noun counts as often.
const oneIn = 200

// isPlaceRelation reports whether a relation is just on, in or at.
func isPlaceRelation(r *words.Relation) bool {
	return r.Place == truth.On || r.Place == truth.In || r.Prep == "at"
}

// isTrueRegardless reports whether noun n in the slot makes a statement that is true of most images for which the
// caption's own noun is true.
func (s *slot) isTrueRegardless(n *words.Noun) bool {
	switch r := s.relation; {
	case s.other == nil, n.Kind == truth.People && s.of == truth.People: // "a man" for "a woman" is not
		return false
	case s.object && r.Verb == "wear", s.object && s.other.Alive() && r.Place == truth.In && s.noun.Kind == truth.Clothing:
		return n.WornOn != s.noun.WornOn || n.WornOn == truth.NoPart
	case s.object && r.Prep == "with":
		return s.other.Alive() && isWithPart(r, n) || s.other.Kind == truth.People && n.WornBeside(s.noun) || n.Furnishes(s.other)
	case s.object:
		return n.Scenery && (r.Place == truth.Beside || r.Place == truth.Nearby)
	case r.Verb == "":
		return n.Scenery && wordclass.Has(grammar.Backdrops, s.other.Head) || n.Furnishes(s.other) && (r.Place == truth.On || r.Place == truth.In || r.Place == truth.Edge)
	}
	return false
}

// mayBeBeside reports whether the caption only says of an object that it is there, so that another thing may be there
// beside it: "a button" that a politician presses, "a room with decorations", "birds on a roof". That is not so for the
// caption's main object. object is set if it is the object of relation r.
func (job *captionJob) mayBeBeside(i int32, r *words.Relation, object bool) bool {
	switch {
	case !job.dict.filter.plausible:
		return false
	case r == nil:
		return i >= 0 && !job.isMainObject(i)
	case object:
		return wordclass.Has(" with have has having include including feature featuring ", r.Key)
	}
	return r.Verb == "" && !job.isMainObject(i)
}

// isMainObject reports whether object i is what the caption is about: the first object that is not the object of a
// relation.
func (job *captionJob) isMainObject(i int32) bool {
	gr := &job.caption.Graph
	is := func(k int32) bool {
		return !slices.ContainsFunc(gr.Relations, func(r schemas.Relation) bool { return r.Object == k })
	}
	if !is(i) {
		return false
	}
	for k := range gr.Objects {
		if o := &gr.Objects[k]; int32(k) != i && o.Begin < gr.Objects[i].Begin && is(int32(k)) {
			return false
		}
	}
	return true
}

// isCommonlyOmitted reports whether a thing may be in the image even if no caption names it.
func (f *facts) isCommonlyOmitted(n *words.Noun) bool {
	return n.Unsaid || n.Scenery || n.Intangible || n.Kind == truth.Clothing || n.Kind == truth.Body || n.Kind == truth.Weather || slices.ContainsFunc(f.nouns, n.Furnishes)
}

// mayHoldBoth reports whether relation is, in place of was, may be true of the image as well as was. subject and object
// are the classes of x and y.
func (f *facts) mayHoldBoth(x, y *words.Noun, subject, object int, was, is *words.Relation) bool {
	return y.AllowsBothPlaces(was.Place, is.Place) || words.LookAlikeInPhoto(x, was.Verb, is.Verb) ||
		is.Verb != "" && !wordclass.Has(grammar.Postures, is.Verb) && f.lemmas.contains(is.Does.Hash) ||
		f.mayRelate(subject, object, is, was, x.Kind.Actor())
}

// isKnownSwap reports whether two objects of a caption, without attributes, have the same known relations after a swap:
// the tub and the plant in "a room with a tub, a plant and a sink".
func (f *facts) isKnownSwap(gr *schemas.SceneGraph, caption int, a, b int32) bool {
	if a < 0 || b < 0 || len(gr.Objects[a].Attributes)+len(gr.Objects[b].Attributes) > 0 {
		return false
	}
	traded := func(i int32) int {
		switch i {
		case a:
			i = b
		case b:
			i = a
		}
		return f.objectAt(caption, i).class
	}
	found := false
	for i := range gr.Relations {
		r := &gr.Relations[i]
		if r.Subject != a && r.Subject != b && r.Object != a && r.Object != b {
			continue
		}
		is := f.relationAt(caption, int32(i))
		if !f.hasRelation(traded(r.Subject), traded(r.Object), func(x *words.Relation) bool { return x.Key == is.Key || x.Class == is.Class && x.Class != 0 }) {
			return false
		}
		found = true
	}
	return found
}

// checkNoun returns the reason why noun n cannot replace another, whatever the image, or noReason.
func checkNoun(n, original *words.Noun) Reason {
	switch {
	case words.SameThing(n, original), words.OfOneSort(n, original) && (wordclass.Has(n.Key, original.Head) || wordclass.Has(original.Key, n.Head)): // "a sweater jacket" for "a sweater"
		return ReasonSynonym
	case isCompoundOn(original.Head, n.Head), isCompoundOn(n.Head, original.Head): // "a suit" for "a wetsuit"
		return ReasonSynonym
	case !words.IsNoun(n):
		return ReasonGrammar
	case n.Unsaid, n.Setting.MayHave(original.Setting), original.Setting.InRoom&n.Setting.Room != 0,
		n.Kind == truth.Body && (original.Kind == truth.People || original.Kind == truth.Animals), // "hands washing" for "women washing"
		n.Kind.Within(original.Kind), original.Kind.Within(n.Kind), // "a building with couches" for "a den with couches"
		original.General && n.Kind == original.Kind: // "cake" for "food"
		return ReasonMayBeTrue
	case n.Intangible && !original.Intangible: // "tourism on a street" for "a woman on a street"
		return ReasonImplausible
	}
	return noReason
}

// isCompoundOn reports whether a word is a compound written as one word that ends with end: "wetsuit" and "suit".
func isCompoundOn(word, end string) bool {
	const shortest = 4 // no "car" in "oscar"
	return len(end) >= shortest && len(word) > len(end)+1 && strings.HasSuffix(word, end)
}

// checkObject returns the reason why noun n cannot replace another in this image, or noReason.
func (f *facts) checkObject(n, original *words.Noun, plural bool) Reason {
	if reason := checkNoun(n, original); reason != noReason {
		return reason
	}
	switch {
	case f.bare && n.Age == 'c' && original.Age != 'c':
		return ReasonImplausible
	case f.mayBe(n):
		return ReasonMayBeTrue
	case f.dict.filter.plausible && (n.Kind == truth.Body) != (original.Kind == truth.Body), // "cars" for "hands"
		plural && wordclass.Has(single, n.Head) && !wordclass.Has(single, original.Head) && n.Kind == truth.Body:
		return ReasonImplausible
	case plural && !n.PluralOnly && !n.Usage.Pluralises(), !plural && n.PluralOnly, n.Plural:
		return ReasonGrammar
	}
	return noReason
}

// mayBe reports whether an object that n names may be in the image: a known object has the same name, or one of the two
// names is a kind of the other.
func (f *facts) mayBe(n *words.Noun) bool {
	for _, s := range n.Senses {
		if f.present.contains(s) {
			return true
		}
	}
	for _, s := range n.Kinds {
		if f.exact.contains(s) {
			return true
		}
	}
	if f.names.Has(n.KeyHash) || f.names.Has(n.HeadHash) {
		for _, o := range f.nouns {
			if o.Letters == n.Letters || o.Head == n.Head || o.Head == n.Key || o.Key == n.Head {
				return true
			}
		}
	}
	if n.General && f.kinds>>n.Kind&1 != 0 || f.setting.MayHave(n.Setting) || n.Tableware && f.kinds>>truth.Food&1 != 0 || f.lemmas.contains(int64(n.Hash)) {
		return true
	}
	if n.Kind == truth.People {
		for _, o := range f.nouns {
			if words.MayBeSamePerson(o, n) {
				return true
			}
		}
	}
	return false
}

// mayHave reports whether objects of a class may have an attribute: they are known to have it or another value of its
// dimension that does not exclude it, or a caption has its verb.
func (f *facts) mayHave(class int, attribute *words.Property) bool {
	if attribute.Verb != 0 && f.lemmas.contains(attribute.Verb) {
		return true
	}
	for i := range f.attributes {
		a := &f.attributes[i]
		if a.class == class && (a.is == attribute || words.SameValue(a.is.Values, attribute.Values) || wordclass.Has(a.is.Text, attribute.Text)) {
			return true
		}
	}
	return false
}

// mayRelate reports whether relation r may be true between two classes: the captions have a relation between them that
// does not exclude r. The relation replaced, which may be nil, does not count. If the subject is one thing and
// exclusions.tsv opposes r to replaced, neither do relations that are compatible with replaced.
func (f *facts) mayRelate(subject, object int, r, replaced *words.Relation, of truth.Actor) bool {
	w := f.dict.words
	settled := replaced != nil && !f.several[subject] && w.Opposed(replaced, r, of)
	return f.hasRelation(subject, object, func(x *words.Relation) bool {
		switch {
		case replaced != nil && x.Key == replaced.Key, w.RelationsExclude(x, r), w.Opposed(x, r, of):
			return false
		}
		return !settled || x.Key == r.Key || x.Verb != "" && x.Verb == r.Verb || w.RelationsExclude(x, replaced)
	})
}

// hasRelation reports whether the captions have a relation between two classes for which sort is true.
func (f *facts) hasRelation(subject, object int, sort func(*words.Relation) bool) bool {
	for i := range f.relations {
		x := &f.relations[i]
		if x.subject == subject && x.object == object && sort(x.relation) {
			return true
		}
	}
	return false
}

// mayAct reports whether a caption has the verb, on its own or in a relation.
func (f *facts) mayAct(v *words.Verb) bool {
	if f.lemmas.contains(v.Hash) {
		return true
	}
	for i := range f.relations {
		if f.relations[i].relation.Does == v {
			return true
		}
	}
	return false
}

// isOmittedBesideOthers reports whether captions often omit a thing that is beside another: birds, vehicles that are
// parked or on a road, general nouns ("a farm animal").
func (f *facts) isOmittedBesideOthers(s *slot, x *words.Noun) bool {
	return wordclass.Has(" bird insect bug bee fly butterfly ", x.Head) || f.dict.words.Noun(x.Head).General ||
		x.Kind == truth.Vehicles && (f.kinds>>truth.Ways&1 != 0 || s.relation.Verb == "park")
}
