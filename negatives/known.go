package negatives

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/lexicon"
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
	nouns   []*noun
	classes []int
	names   names
	// present are the synsets that a known object is or is a kind of, exact those
	// that one is.
	present, exact synsets
	// setting is where the scene is, kinds has a bit of each kind of a noun.
	setting setting
	kinds   uint32
	// several has the classes of which a caption has more than one.
	several []bool
	// lemmas are the hashes of those of the captions' nouns and verbs.
	lemmas idSet
	// bare holds where a caption is of somebody with little on.
	bare  bool
	texts idSet
}

// knownObject is an object of a caption. Objects of one class may be the same
// thing.
type knownObject struct {
	spoken
	class int
	// attributes is where its first attribute stands in known.attributes.
	attributes int
}

type knownAttribute struct {
	class int
	is    *property
	// unsaid holds for a part of the object ("slice").
	unsaid bool
}

type knownRelation struct {
	subject, object int // classes
	relation        *relation
}

// read makes k what the image's captions say.
func (k *known) read(w *words, img *Image) {
	k.objects, k.attributes, k.relations = k.objects[:0], k.attributes[:0], k.relations[:0]
	k.first, k.firstRelation = k.first[:0], k.firstRelation[:0]
	if k.present.bits == nil {
		k.present, k.exact = newSynsets(w.lexicon), newSynsets(w.lexicon)
	}
	k.nouns, k.classes, k.names = k.nouns[:0], k.classes[:0], names{}
	k.present.reset()
	k.exact.reset()
	k.setting, k.kinds, k.several = setting{}, 0, k.several[:0]
	k.lemmas.reset()
	k.bare = false
	k.texts.reset()
	for c := range img.all {
		k.readGraph(w, c)
	}
}

func (k *known) readGraph(w *words, c *Caption) {
	g := &c.Graph
	first := len(k.objects)
	k.first, k.firstRelation = append(k.first, first), append(k.firstRelation, len(k.relations))
	for i := range g.Objects {
		s := speak(w, c, &g.Objects[i])
		class := k.class(s.noun)
		k.several = append(k.several, false)
		k.several[class] = k.several[class] || s.plural || s.another
		k.objects = append(k.objects, knownObject{s, class, len(k.attributes)})
		for _, a := range g.Objects[i].Attributes {
			k.attributes = append(k.attributes, knownAttribute{class, w.property(w.attributeText(c, s.noun, &a)), partitive(c, &a)})
		}
	}
	for i := range c.Tokens {
		t := &c.Tokens[i]
		k.bare = k.bare || contains(barely, strings.ToLower(c.Text[t.Begin:t.End]))
		if strings.HasPrefix(t.Tag, "N") || strings.HasPrefix(t.Tag, "V") {
			k.lemmas.add(int64(xxhash.Sum64String(t.Lemma)))
		}
	}
	for i, r := range g.Relations {
		k.relations = append(k.relations, knownRelation{
			k.objects[first+int(r.Subject)].class, k.objects[first+int(r.Object)].class, w.relationOf(relationWords(g, i)),
		})
	}
}

// object is object i of a caption.
func (k *known) object(caption int, i int32) *knownObject { return &k.objects[k.first[caption]+int(i)] }

// say makes n the noun phrase of an object of a graph with some of its attributes, bit i of mask being
// attribute i.
func (k *known) say(n *nounPhrase, object *knownObject, o *schemas.Object, mask uint64) {
	n.begin(&object.spoken)
	for i := range o.Attributes {
		a, is := &o.Attributes[i], &k.attributes[object.attributes+i]
		if i < 64 && mask>>i&1 != 0 && a.Text != "" && !is.unsaid {
			n.say(is.is, a.Form == schemas.Post)
		}
	}
	n.order(o)
}

// relation is relation i of a caption.
func (k *known) relation(caption int, i int32) *relation {
	return k.relations[k.firstRelation[caption]+int(i)].relation
}

// class is the class of the known objects that n may be the same thing as, or a
// new one.
func (k *known) class(n *noun) int {
	if i := slices.Index(k.nouns, n); i >= 0 {
		return k.classes[i]
	}
	class := len(k.objects)
	for i, o := range k.nouns {
		if sameThing(o, n) {
			class = k.classes[i]
			break
		}
	}
	k.nouns, k.classes = append(k.nouns, n), append(k.classes, class)
	k.names.add(n.keyHash)
	k.names.add(n.headHash)
	k.setting.add(n.setting)
	k.kinds |= 1 << n.kind
	for _, s := range n.kinds {
		k.present.add(s)
	}
	for _, s := range n.senses {
		k.present.add(s)
		k.exact.add(s)
	}
	return class
}

// classOf is the class of the known object that n names, −1 where there is none.
func (k *known) classOf(n *noun) int {
	for i, o := range k.nouns {
		if o.head == n.head || sameThing(o, n) {
			return k.classes[i]
		}
	}
	return -1
}

// mayBe holds where an object that n names may be in the image: a known one has
// its name, is a kind of it, or it is a kind of a known one.
func (k *known) mayBe(n *noun) bool {
	for _, s := range n.senses {
		if k.present.has(s) {
			return true
		}
	}
	for _, s := range n.kinds {
		if k.exact.has(s) {
			return true
		}
	}
	if k.names.has(n.keyHash) || k.names.has(n.headHash) {
		for _, o := range k.nouns {
			if o.letters == n.letters || o.head == n.head || o.head == n.key || o.key == n.head {
				return true
			}
		}
	}
	if n.general && k.kinds>>n.kind&1 != 0 || k.setting.mayHave(n.setting) || n.tableware && k.kinds>>food&1 != 0 || k.lemmas.has(int64(n.hash)) {
		return true
	}
	if n.kind == people {
		for _, o := range k.nouns {
			if samePerson(o, n) {
				return true
			}
		}
	}
	return false
}

// mayHave holds where an object of the class is known to have the attribute, or
// one that does not exclude it in its dimension, or a caption says that it is done.
func (k *known) mayHave(class int, attribute *property) bool {
	if attribute.verb != 0 && k.lemmas.has(attribute.verb) {
		return true
	}
	for i := range k.attributes {
		a := &k.attributes[i]
		if a.class == class && (a.is == attribute || sameValue(a.is.values, attribute.values) || contains(a.is.text, attribute.text)) {
			return true
		}
	}
	return false
}

// mayRelate holds where a relation that does not exclude r, as r itself, is known between the
// classes, other than the one that is replaced; nil where none is. Of one thing, of which exclusions.tsv
// says that r is false where that is said, what goes along with that says nothing.
func (k *known) mayRelate(w *words, subject, object int, r, replaced *relation, of actor) bool {
	settled := replaced != nil && !k.several[subject] && w.opposed(replaced, r, of)
	return k.relates(subject, object, func(x *relation) bool {
		switch {
		case replaced != nil && x.key == replaced.key, w.relationsExclude(x, r), w.opposed(x, r, of):
			return false
		}
		return !settled || x.key == r.key || x.verb != "" && x.verb == r.verb || w.relationsExclude(x, replaced)
	})
}

// relates holds where a relation of that sort is known between the classes.
func (k *known) relates(subject, object int, sort func(*relation) bool) bool {
	for i := range k.relations {
		x := &k.relations[i]
		if x.subject == subject && x.object == object && sort(x.relation) {
			return true
		}
	}
	return false
}

// names is a set of small hashes.
type names [4]uint64

func (s *names) add(hash uint8) { s[hash>>6] |= 1 << (hash & 63) }
func (s *names) meets(t *names) bool {
	return s[0]&t[0]|s[1]&t[1]|s[2]&t[2]|s[3]&t[3] != 0
}
func (s *names) has(hash uint8) bool { return s[hash>>6]>>(hash&63)&1 != 0 }

// synsets is a set of synsets.
type synsets struct {
	bits  []uint64 // bit x is set where x is in it
	words []int32  // of bits that are not 0
}

func newSynsets(lex *lexicon.Lexicon) synsets {
	return synsets{bits: make([]uint64, lex.Synsets()/64+1)}
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

func (s *synsets) has(x lexicon.Synset) bool { return s.bits[x>>6]>>(x&63)&1 != 0 }
