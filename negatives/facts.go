package negatives

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/lexicon"
	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/say"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// known is what the captions of an image say together, and nothing else is
// known of it.
type known struct {
	objects    []knownObject
	attributes []knownAttribute
	relations  []knownRelation
	// first[c]+i is where object i of caption c stands in objects, and
	// firstRelation[c]+i where its relation i does in relations.
	first, firstRelation []int
	// nouns are those of the objects, each once, with their classes and a set of
	// their keys and heads.
	nouns   []*words.Noun
	classes []int
	names   words.Names
	// present are the synsets that a known object is or is a kind of, exact those
	// that one is.
	present, exact synsets
	// setting is where the scene is, kinds has a bit of each kind of a noun.
	setting truth.Setting
	kinds   uint32
	// several has the classes of which a caption has more than one.
	several []bool
	// lemmas are the hashes of those of the captions' nouns and verbs.
	lemmas idSet
	// bare reports whether a caption is of somebody with little on.
	bare bool
}

// knownObject is an object of a caption. Objects of one class may be the same
// thing.
type knownObject struct {
	say.Spoken
	class int
	// attributes is where its first attribute stands in known.attributes.
	attributes int
}

type knownAttribute struct {
	class int
	is    *words.Property
	// unsaid is set for a part of the object ("slice").
	unsaid bool
}

type knownRelation struct {
	subject, object int // classes
	relation        *words.Relation
}

// readCaptions makes k what the image's own captions say.
func (k *known) readCaptions(w *words.Cache, img *Image) {
	k.objects, k.attributes, k.relations = k.objects[:0], k.attributes[:0], k.relations[:0]
	k.first, k.firstRelation = k.first[:0], k.firstRelation[:0]
	if k.present.bits == nil {
		k.present, k.exact = newSynsets(w.Lexicon), newSynsets(w.Lexicon)
	}
	k.nouns, k.classes, k.names = k.nouns[:0], k.classes[:0], words.Names{}
	k.present.reset()
	k.exact.reset()
	k.setting, k.kinds, k.several = truth.Setting{}, 0, k.several[:0]
	k.lemmas.reset()
	k.bare = false
	for i := range img.Captions {
		k.readGraph(w, &img.Captions[i])
	}
}

func (k *known) readGraph(w *words.Cache, c *Caption) {
	g := &c.Graph
	first := len(k.objects)
	k.first, k.firstRelation = append(k.first, first), append(k.firstRelation, len(k.relations))
	for i := range g.Objects {
		s := say.Speak(w, c, &g.Objects[i])
		class := k.classFor(s.Noun)
		k.several = append(k.several, false)
		k.several[class] = k.several[class] || s.Plural || s.Another
		k.objects = append(k.objects, knownObject{s, class, len(k.attributes)})
		for _, a := range g.Objects[i].Attributes {
			k.attributes = append(k.attributes, knownAttribute{class, w.Property(w.AttributeText(c, s.Noun, &a)), grammar.Partitive(c, &a)})
		}
	}
	for i := range c.Tokens {
		t := &c.Tokens[i]
		k.bare = k.bare || wordclass.Has(barely, strings.ToLower(c.Text[t.Begin:t.End]))
		if strings.HasPrefix(t.Tag, "N") || strings.HasPrefix(t.Tag, "V") {
			k.lemmas.add(int64(xxhash.Sum64String(t.Lemma)))
		}
	}
	for i, r := range g.Relations {
		k.relations = append(k.relations, knownRelation{
			k.objects[first+int(r.Subject)].class, k.objects[first+int(r.Object)].class, w.RelationOf(grammar.RelationWords(g, i)),
		})
	}
}

// objectAt is object i of a caption.
func (k *known) objectAt(caption int, i int32) *knownObject {
	return &k.objects[k.first[caption]+int(i)]
}

// fillNounPhrase makes n the noun phrase of an object of a graph with some of its attributes, bit i of mask being
// attribute i.
func (k *known) fillNounPhrase(n *say.NounPhrase, object *knownObject, o *schemas.Object, mask uint64) {
	n.Begin(&object.Spoken)
	for i := range o.Attributes {
		a, is := &o.Attributes[i], &k.attributes[object.attributes+i]
		if i < 64 && mask>>i&1 != 0 && a.Text != "" && !is.unsaid {
			n.Say(is.is, a.Form == schemas.Post)
		}
	}
	n.Order(o)
}

// relationAt is relation i of a caption.
func (k *known) relationAt(caption int, i int32) *words.Relation {
	return k.relations[k.firstRelation[caption]+int(i)].relation
}

// classFor is the class of the known objects that n may be the same thing as, or a
// new one.
func (k *known) classFor(n *words.Noun) int {
	if i := slices.Index(k.nouns, n); i >= 0 {
		return k.classes[i]
	}
	class := len(k.objects)
	for i, o := range k.nouns {
		if words.SameThing(o, n) {
			class = k.classes[i]
			break
		}
	}
	k.addNoun(n, class)
	return class
}

// addNoun adds a noun that no known object has yet.
func (k *known) addNoun(n *words.Noun, class int) {
	k.nouns, k.classes = append(k.nouns, n), append(k.classes, class)
	k.names.Add(n.KeyHash)
	k.names.Add(n.HeadHash)
	k.setting.Add(n.Setting)
	k.kinds |= 1 << n.Kind
	for _, s := range n.Kinds {
		k.present.add(s)
	}
	for _, s := range n.Senses {
		k.present.add(s)
		k.exact.add(s)
	}
}

// mayBe reports whether an object that n names may be in the image: a known one has
// its name, is a kind of it, or it is a kind of a known one.
func (k *known) mayBe(n *words.Noun) bool {
	for _, s := range n.Senses {
		if k.present.contains(s) {
			return true
		}
	}
	for _, s := range n.Kinds {
		if k.exact.contains(s) {
			return true
		}
	}
	if k.names.Has(n.KeyHash) || k.names.Has(n.HeadHash) {
		for _, o := range k.nouns {
			if o.Letters == n.Letters || o.Head == n.Head || o.Head == n.Key || o.Key == n.Head {
				return true
			}
		}
	}
	if n.General && k.kinds>>n.Kind&1 != 0 || k.setting.MayHave(n.Setting) || n.Tableware && k.kinds>>truth.Food&1 != 0 || k.lemmas.contains(int64(n.Hash)) {
		return true
	}
	if n.Kind == truth.People {
		for _, o := range k.nouns {
			if words.SamePerson(o, n) {
				return true
			}
		}
	}
	return false
}

// mayHave reports whether an object of the class is known to have the attribute, or
// one that does not exclude it in its dimension, or a caption says that it is done.
func (k *known) mayHave(class int, attribute *words.Property) bool {
	if attribute.Verb != 0 && k.lemmas.contains(attribute.Verb) {
		return true
	}
	for i := range k.attributes {
		a := &k.attributes[i]
		if a.class == class && (a.is == attribute || words.SameValue(a.is.Values, attribute.Values) || wordclass.Has(a.is.Text, attribute.Text)) {
			return true
		}
	}
	return false
}

// mayRelate reports whether the image may make r true between the classes: a relation that does not
// exclude r is known there, other than replaced, which is nil if none is. If the subject is one thing
// and exclusions.tsv says that replaced excludes r, relations that go with replaced do not count.
func (k *known) mayRelate(w *words.Cache, subject, object int, r, replaced *words.Relation, of truth.Actor) bool {
	settled := replaced != nil && !k.several[subject] && w.Opposed(replaced, r, of)
	return k.hasRelation(subject, object, func(x *words.Relation) bool {
		switch {
		case replaced != nil && x.Key == replaced.Key, w.RelationsExclude(x, r), w.Opposed(x, r, of):
			return false
		}
		return !settled || x.Key == r.Key || x.Verb != "" && x.Verb == r.Verb || w.RelationsExclude(x, replaced)
	})
}

// hasRelation reports whether a relation of that sort is known between the classes.
func (k *known) hasRelation(subject, object int, sort func(*words.Relation) bool) bool {
	for i := range k.relations {
		x := &k.relations[i]
		if x.subject == subject && x.object == object && sort(x.relation) {
			return true
		}
	}
	return false
}

// synsets is a set of synsets.
type synsets struct {
	bits  []uint64 // bit x is set where x is in it
	words []int32  // of bits that are not 0
}

func newSynsets(lex *lexicon.Lexicon) synsets {
	return synsets{bits: make([]uint64, lex.NumSynsets()/64+1)}
}

func (s *synsets) reset() {
	for _, w := range s.words {
		s.bits[w] = 0
	}
	s.words = s.words[:0]
}

func (s *synsets) add(x lexicon.Synset) {
	w := x >> 6
	if s.bits[w] == 0 {
		s.words = append(s.words, int32(w))
	}
	s.bits[w] |= 1 << (x & 63)
}

func (s *synsets) contains(x lexicon.Synset) bool { return s.bits[x>>6]>>(x&63)&1 != 0 }

// mayAct reports whether a caption has the verb, or a relation with it is known.
func (k *known) mayAct(v *words.Verb) bool {
	if k.lemmas.contains(v.Hash) {
		return true
	}
	for i := range k.relations {
		if k.relations[i].relation.Does == v {
			return true
		}
	}
	return false
}

// classOf is the class of the known object that n names, −1 if there is none.
func (k *known) classOf(n *words.Noun) int {
	for i, o := range k.nouns {
		if o.Head == n.Head || words.SameThing(o, n) {
			return k.classes[i]
		}
	}
	return -1
}
