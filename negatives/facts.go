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

// facts are what the captions of an image say together, and nothing else is
// known of it.
type facts struct {
	dict       *dictionary
	objects    []knownObject
	attributes []knownAttribute
	relations  []knownRelation
	// Object i of caption c is objects[first[c]+i], and its relation i is
	// relations[firstRelation[c]+i].
	first, firstRelation []int
	// nouns are the distinct nouns of the objects, with their classes and a set of their keys and
	// heads.
	nouns   []*words.Noun
	classes []int
	names   words.Names
	// present are the synsets that a known object is or is a kind of, exact those
	// that one is.
	present, exact synsets
	// setting is where the scene is, kinds has a bit of each kind of a noun.
	setting truth.Setting
	kinds   uint32
	// several has the classes with more than one object in a caption.
	several []bool
	// lemmas are the hashes of the captions' nouns and verbs.
	lemmas idSet
	// bare reports whether a caption is of somebody with little on.
	bare bool
	// written has the words on things that the caption says which is read.
	written []grammar.Written
}

// knownObject is an object of a caption. Objects of one class may be the same
// thing.
type knownObject struct {
	say.Spoken
	class int
	// attributes is where its first attribute is in facts.attributes.
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

// readCaptions makes f what the image's own captions say.
func (f *facts) readCaptions(img *Image) {
	f.objects, f.attributes, f.relations = f.objects[:0], f.attributes[:0], f.relations[:0]
	f.first, f.firstRelation = f.first[:0], f.firstRelation[:0]
	if f.present.bits == nil {
		f.present, f.exact = newSynsets(f.dict.words.Lexicon), newSynsets(f.dict.words.Lexicon)
	}
	f.nouns, f.classes, f.names = f.nouns[:0], f.classes[:0], words.Names{}
	f.present.reset()
	f.exact.reset()
	f.setting, f.kinds, f.several = truth.Setting{}, 0, f.several[:0]
	f.lemmas.reset()
	f.bare = false
	for i := range img.Captions {
		f.readGraph(&img.Captions[i])
	}
}

func (f *facts) readGraph(c *Caption) {
	g, w := &c.Graph, f.dict.words
	first := len(f.objects)
	f.first, f.firstRelation = append(f.first, first), append(f.firstRelation, len(f.relations))
	f.written = grammar.FindWritten(f.written[:0], c)
	for i := range g.Objects {
		s := say.Speak(w, c, &g.Objects[i])
		s.Written = f.findWritten(c, &g.Objects[i])
		class := f.classFor(s.Noun)
		f.several = append(f.several, false)
		f.several[class] = f.several[class] || s.Plural || s.Another
		f.objects = append(f.objects, knownObject{s, class, len(f.attributes)})
		for _, a := range g.Objects[i].Attributes {
			f.attributes = append(f.attributes, knownAttribute{class, w.Property(w.AttributeText(c, s.Noun, &a)), grammar.Partitive(c, &a)})
		}
	}
	for i := range c.Tokens {
		t := &c.Tokens[i]
		f.bare = f.bare || wordclass.Has(barely, strings.ToLower(c.Text[t.Begin:t.End]))
		if strings.HasPrefix(t.Tag, "N") || strings.HasPrefix(t.Tag, "V") {
			f.lemmas.add(int64(xxhash.Sum64String(t.Lemma)))
		}
	}
	for i, r := range g.Relations {
		f.relations = append(f.relations, knownRelation{
			f.objects[first+int(r.Subject)].class, f.objects[first+int(r.Object)].class, w.RelationOf(sayDressed(grammar.RelationWords(g, i))),
		})
	}
}

// findWritten returns the words that a caption quotes as written on an object: after its noun, or
// after the noun where it occurs again, if only one thing has that name.
func (f *facts) findWritten(c *Caption, o *schemas.Object) string {
	for _, w := range f.written {
		if w.Noun < 0 {
			continue
		}
		t := &c.Tokens[w.Noun]
		same := 0
		for i := range c.Graph.Objects {
			if c.Graph.Objects[i].Head == o.Head {
				same++
			}
		}
		if t.End == o.End || o.End < t.Begin && t.Lemma == o.Head && same == 1 {
			return w.Text(c)
		}
	}
	return ""
}

// sayDressed says "donned in", which is no English, as "dressed in".
func sayDressed(predicate, lemma string) (string, string) {
	if predicate == "donned in" {
		return "dressed in", "dress in"
	}
	return predicate, lemma
}

// objectAt is object i of a caption.
func (f *facts) objectAt(caption int, i int32) *knownObject {
	return &f.objects[f.first[caption]+int(i)]
}

// fillNounPhrase makes n the noun phrase of an object of a graph with some of its attributes, bit i
// of mask being attribute i.
func (f *facts) fillNounPhrase(n *say.NounPhrase, object *knownObject, o *schemas.Object, mask uint64) {
	n.Begin(&object.Spoken)
	for i := range o.Attributes {
		a, is := &o.Attributes[i], &f.attributes[object.attributes+i]
		if i < 64 && mask>>i&1 != 0 && a.Text != "" && !is.unsaid {
			n.Say(is.is, a.Form == schemas.Post)
		}
	}
	n.Order(o)
}

// readNounPhrase is fillNounPhrase for an object of a caption, by its index in the caption's graph.
func (f *facts) readNounPhrase(n *say.NounPhrase, caption int, object int32, gr *schemas.SceneGraph, mask uint64) {
	f.fillNounPhrase(n, f.objectAt(caption, object), &gr.Objects[object], mask)
}

// relationAt is relation i of a caption.
func (f *facts) relationAt(caption int, i int32) *words.Relation {
	return f.relations[f.firstRelation[caption]+int(i)].relation
}

// classFor is the class of the known objects that n may be the same thing as, or a
// new one.
func (f *facts) classFor(n *words.Noun) int {
	if i := slices.Index(f.nouns, n); i >= 0 {
		return f.classes[i]
	}
	class := len(f.objects)
	for i, o := range f.nouns {
		if words.SameThing(o, n) {
			class = f.classes[i]
			break
		}
	}
	f.addNoun(n, class)
	return class
}

// addNoun adds a noun that no known object has yet.
func (f *facts) addNoun(n *words.Noun, class int) {
	f.nouns, f.classes = append(f.nouns, n), append(f.classes, class)
	f.names.Add(n.KeyHash)
	f.names.Add(n.HeadHash)
	f.setting.Add(n.Setting)
	f.kinds |= 1 << n.Kind
	for _, s := range n.Kinds {
		f.present.add(s)
	}
	for _, s := range n.Senses {
		f.present.add(s)
		f.exact.add(s)
	}
	if i := strings.LastIndexByte(n.Key, ' '); i > 0 && wordclass.Has(partNouns, n.Head) { // "apple slices", which are fruit
		of := f.dict.words.Noun(n.Key[:i])
		for _, s := range slices.Concat(of.Kinds, of.Senses) {
			f.present.add(s)
		}
	}
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

// classOf is the class of the known object that n names, −1 if there is none.
func (f *facts) classOf(n *words.Noun) int {
	for i, o := range f.nouns {
		if o.Head == n.Head || words.SameThing(o, n) {
			return f.classes[i]
		}
	}
	return -1
}
