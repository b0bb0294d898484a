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

// facts are all that the captions of an image state together. They are all that is known of the image.
type facts struct {
	dict       *dictionary
	objects    []knownObject
	attributes []knownAttribute
	relations  []knownRelation
	// Object i of caption c is objects[first[c]+i], and its relation i is
	// relations[firstRelation[c]+i].
	first, firstRelation []int
	// nouns are the distinct nouns of the objects, classes their classes by the same index, and names the hashes of
	// their keys and heads.
	nouns   []*words.Noun
	classes []int
	names   words.Names
	// present are the senses of the objects' nouns and all their hypernyms; exact are the senses alone.
	present, exact synsets
	// setting is where the scene is. kinds has a bit for the kind of each noun.
	setting truth.Setting
	kinds   uint32
	// several is true for classes of which a caption has more than one object.
	several []bool
	// lemmas are the hashes of the captions' nouns and verbs.
	lemmas idSet
	// bare reports whether a caption shows somebody with few clothes.
	bare bool
	// written has the quoted text on each object of the caption that is being read.
	written []string
}

// knownObject is an object of a caption. Objects of the same class may be the same thing.
type knownObject struct {
	say.Spoken
	class int
	// attributes is the index of its first attribute in facts.attributes.
	attributes int
}

type knownAttribute struct {
	class int
	is    *words.Property
	// unsaid is set if the attribute is in fact a part of the object ("slice").
	unsaid bool
}

type knownRelation struct {
	subject, object int // classes
	relation        *words.Relation
}

// readCaptions sets f to what the image's captions state.
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

// readGraph adds the objects, attributes and relations of a caption to f.
func (f *facts) readGraph(c *Caption) {
	g, w := &c.Graph, f.dict.words
	first := len(f.objects)
	f.first, f.firstRelation = append(f.first, first), append(f.firstRelation, len(f.relations))
	f.written = grammar.WrittenOn(f.written[:0], c)
	for i := range g.Objects {
		s := say.Speak(w, c, &g.Objects[i])
		s.Written = f.written[i]
		class := f.classFor(s.Noun)
		f.several = append(f.several, false)
		f.several[class] = f.several[class] || s.Plural || s.Another
		f.objects = append(f.objects, knownObject{s, class, len(f.attributes)})
		for _, a := range g.Objects[i].Attributes {
			f.attributes = append(f.attributes, knownAttribute{class, w.AttributeOf(c, s.Noun, &a), grammar.Partitive(c, &a)})
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
			f.objects[first+int(r.Subject)].class, f.objects[first+int(r.Object)].class, w.RelationOf(grammar.RelationWords(g, i)),
		})
	}
}

// objectAt returns object i of a caption.
func (f *facts) objectAt(caption int, i int32) *knownObject {
	return &f.objects[f.first[caption]+int(i)]
}

// fillNounPhrase sets n to the noun phrase of an object of a graph, with the attributes in mask: bit i is attribute i.
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

// readNounPhrase is fillNounPhrase for the object with an index in a caption's graph.
func (f *facts) readNounPhrase(n *say.NounPhrase, caption int, object int32, gr *schemas.SceneGraph, mask uint64) {
	f.fillNounPhrase(n, f.objectAt(caption, object), &gr.Objects[object], mask)
}

// relationAt returns relation i of a caption.
func (f *facts) relationAt(caption int, i int32) *words.Relation {
	return f.relations[f.firstRelation[caption]+int(i)].relation
}

// classFor returns the class of a known noun that may name the same thing as n, or a new class. It adds n to the nouns
// of the image.
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
	f.nouns, f.classes = append(f.nouns, n), append(f.classes, class)
	f.kinds |= 1 << n.Kind
	f.names.Add(n.KeyHash)
	f.names.Add(n.HeadHash)
	of := &noNoun
	if i := strings.LastIndexByte(n.Key, ' '); i > 0 && wordclass.Has(partNouns, n.Head) { // "apple slices" are fruit
		of = f.dict.words.Noun(n.Key[:i])
	}
	f.setting.Add(n.Setting)
	for _, list := range [...][]lexicon.Synset{n.Kinds, n.Senses, of.Kinds, of.Senses} {
		for _, s := range list {
			f.present.add(s)
		}
	}
	for _, s := range n.Senses {
		f.exact.add(s)
	}
	return class
}

// noNoun has nothing.
var noNoun words.Noun

// classOf returns the class of the known objects that n may name, or −1.
func (f *facts) classOf(n *words.Noun) int {
	for i, o := range f.nouns {
		if o.Head == n.Head || words.SameThing(o, n) {
			return f.classes[i]
		}
	}
	return -1
}
