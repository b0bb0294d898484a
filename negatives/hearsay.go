package negatives

import (
	"slices"

	"github.com/cespare/xxhash/v2"

	"capgraph/negatives/words"
	"capgraph/schemas"
)

// hearsay is what the image at hand takes of an Elsewhere.
type hearsay struct {
	from     *Elsewhere // nil for none
	captions []int32
	own      []uint64 // the hashes of the texts of the image's own captions
	// ranks are the indices of nouns in facts.nouns, -1 for those that are not there yet.
	// strangers are where those nouns of the own captions stand that no other caption has.
	ranks, strangers []int
	*heardWords
	// kept are the words of those that were heard before, by their numbers, until the cache of
	// words forgets them or they are too many.
	kept  map[uint64]*heardWords
	words int
}

// mostHeard bounds the words that are kept.
const mostHeard = 1 << 20

// heardWords are the words of an Elsewhere as a generator has looked them up.
type heardWords struct {
	nouns      []*words.Noun
	properties []*words.Property
	relations  []*words.Relation
}

// lookUp looks up the words of what is heard.
func (h *hearsay) lookUp(w *words.Cache) {
	e := h.from
	if h.heardWords = h.kept[e.number]; h.heardWords != nil {
		return
	}
	n := len(e.nouns) + len(e.properties) + len(e.relations)
	if h.words += n; h.kept == nil || h.words > mostHeard {
		h.kept, h.words = map[uint64]*heardWords{}, n
	}
	to := &heardWords{make([]*words.Noun, len(e.nouns)), make([]*words.Property, len(e.properties)), make([]*words.Relation, len(e.relations))}
	for i, key := range e.nouns {
		to.nouns[i] = w.Noun(key)
	}
	for i, text := range e.properties {
		to.properties[i] = w.Property(text)
	}
	for i, r := range e.relations {
		to.relations[i] = w.RelationOf(r.predicate, r.lemma)
	}
	h.heardWords, h.kept[e.number] = to, to
}

// forget is called when the cache of words has forgotten them.
func (h *hearsay) forget() { h.kept = nil }

// begin takes the captions that say what none of an image's own captions does.
func (h *hearsay) begin(from *Elsewhere, own []Caption) {
	h.from, h.captions = from, h.captions[:0]
	if from == nil {
		return
	}
	h.own = h.own[:0]
	for i := range own {
		h.own = append(h.own, xxhash.Sum64String(own[i].Text))
	}
	slices.Sort(h.own)
	for i, text := range from.texts {
		if len(h.captions) == MostElsewhere {
			break
		}
		if _, has := slices.BinarySearch(h.own, text); !has {
			h.captions = append(h.captions, int32(i))
		}
	}
}

// loadCaptions adds what the captions say to what the image's own captions say.
func (f *facts) loadCaptions(h *hearsay) {
	if h.from == nil {
		return
	}
	h.lookUp(f.dict.words)
	h.rank(f)
	for _, i := range h.captions {
		said := h.from.at(i)
		for _, o := range said.objects {
			class := f.classHeard(h, o.noun)
			f.several[class] = f.several[class] || o.several > 0
		}
		for _, a := range said.attributes {
			f.attributes = append(f.attributes, knownAttribute{class: f.classHeard(h, a.noun), is: h.properties[a.property]})
		}
		for _, r := range said.relates {
			f.relations = append(f.relations, knownRelation{f.classHeard(h, r.subject), f.classHeard(h, r.object), h.relations[r.relation]})
		}
		for _, lemma := range said.lemmas {
			f.lemmas.add(lemma)
		}
		f.bare = f.bare || said.bare
	}
}

// rank finds the nouns of the image's own captions.
func (h *hearsay) rank(f *facts) {
	h.ranks, h.strangers = schemas.Resize(h.ranks, len(h.from.nouns)), h.strangers[:0]
	for i := range h.ranks {
		h.ranks[i] = -1
	}
	for rank, n := range f.nouns {
		if i := slices.Index(h.nouns, n); i >= 0 {
			h.ranks[i] = rank
		} else {
			h.strangers = append(h.strangers, rank)
		}
	}
}

// classHeard is facts.classFor for a noun, which compares no two nouns again: the class of the
// first known noun that is the same thing, or a new one.
func (f *facts) classHeard(h *hearsay, noun int32) int {
	if rank := h.ranks[noun]; rank >= 0 {
		return f.classes[rank]
	}
	n, first := h.nouns[noun], len(f.nouns)
	if i := slices.IndexFunc(h.strangers, func(rank int) bool { return words.SameThing(f.nouns[rank], n) }); i >= 0 {
		first = h.strangers[i]
	}
	for _, other := range h.from.alike[noun] {
		if rank := h.ranks[other]; rank >= 0 {
			first = min(first, rank)
		}
	}
	h.ranks[noun] = len(f.nouns)
	class := len(f.several)
	if first < len(f.nouns) {
		class = f.classes[first]
	} else {
		f.several = append(f.several, false)
	}
	f.addNoun(n, class)
	return class
}

// addTexts adds the texts of the captions to those of the image.
func (h *hearsay) addTexts(texts *idSet) {
	for _, i := range h.captions {
		for _, id := range h.from.at(i).positives {
			texts.add(id)
		}
	}
}

// addWays adds, of each sub-graph that is said again in other words, the first text that no
// caption of the image has yet.
func (h *hearsay) addWays(texts *idSet) {
	for _, i := range h.captions {
		for _, ways := range h.from.at(i).ways {
			for _, id := range ways {
				if texts.add(id) {
					break
				}
			}
		}
	}
}
