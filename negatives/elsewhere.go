package negatives

import (
	"sync/atomic"

	"capgraph/negatives/grammar"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// MostElsewhere is how many captions that lie elsewhere are known of an image at most: those
// with the lowest hashes of their texts.
const MostElsewhere = 1024

// Elsewhere is what captions of an image say that lie elsewhere. It is made once for all rows of
// the image and does not change. Generators with the same options, vocabulary and seed make the
// same and may share it: words are kept as texts, since each generator looks up its own.
type Elsewhere struct {
	number uint64 // no other has it

	texts []uint64 // the hashes of the captions' texts, sorted
	ends  []ends   // of each caption

	nouns      []string
	alike      [][]int32 // of each noun, the others of which SameThing holds
	properties []string
	relations  []relationWords

	// What the captions say, one after the other, by the numbers of these words.
	objects    []heardObject
	attributes []heardAttribute
	relates    []heardRelation
	lemmas     []int64
	positives  []int64   // the ids of texts
	ways       [][]int64 // of a sub-graph that is said again, the ids of its texts in other words
}

// elsewheres is how many were made.
var elsewheres atomic.Uint64

// ends are where the parts of a caption end in each list.
type ends struct {
	objects, attributes, relates, lemmas, positives, ways int32
	bare                                                  bool
}

type (
	relationWords  struct{ predicate, lemma string }
	heardObject    struct{ noun, several int32 } // several is 0 for one
	heardAttribute struct{ noun, property int32 }
	heardRelation  struct{ subject, object, relation int32 }
)

// saidElsewhere is what one caption says.
type saidElsewhere struct {
	objects    []heardObject
	attributes []heardAttribute
	relates    []heardRelation
	lemmas     []int64
	positives  []int64
	ways       [][]int64
	bare       bool
}

func (e *Elsewhere) at(caption int32) saidElsewhere {
	var from ends
	if caption > 0 {
		from = e.ends[caption-1]
	}
	to := e.ends[caption]
	return saidElsewhere{
		e.objects[from.objects:to.objects], e.attributes[from.attributes:to.attributes], e.relates[from.relates:to.relates],
		e.lemmas[from.lemmas:to.lemmas], e.positives[from.positives:to.positives], e.ways[from.ways:to.ways], to.bare,
	}
}

// Bytes is about how much memory it takes, with the room that lists have left.
func (e *Elsewhere) Bytes() int {
	n := 100 + 40*len(e.ends) + 8*(len(e.objects)+len(e.attributes)+len(e.lemmas)+len(e.positives)) + 12*len(e.relates)
	for i, key := range e.nouns {
		n += 40 + len(key) + 4*len(e.alike[i])
	}
	for _, text := range e.properties {
		n += 16 + len(text)
	}
	for _, r := range e.relations {
		n += 32 + len(r.predicate) + len(r.lemma)
	}
	for _, ways := range e.ways {
		n += 24 + 8*len(ways)
	}
	return n + n/2
}

// ReadElsewhere makes what captions say that lie elsewhere than the row at hand of an image.
// texts are the hashes of their texts, sorted, each once; read gives the caption of each.
func (g *Generator) ReadElsewhere(image string, texts []uint64, read func(i int) (Caption, error)) (*Elsewhere, error) {
	r := elsewhereReader{
		to: &Elsewhere{number: elsewheres.Add(1), texts: texts}, generator: g,
		nouns: map[string]int32{}, properties: map[string]int32{}, relations: map[relationWords]int32{},
	}
	g.decomposer.random = grammar.NewRandom(g.seed, image, "")
	for i := range texts {
		c, err := read(i)
		if err != nil {
			return nil, err
		}
		r.add(&Image{Key: image, Captions: []Caption{c}})
	}
	r.compareNouns()
	return r.to, nil
}

// elsewhereReader makes an Elsewhere, whose words it numbers.
type elsewhereReader struct {
	to                *Elsewhere
	generator         *Generator
	nouns, properties map[string]int32
	relations         map[relationWords]int32
	parts             []statedPart // of the caption at hand
	pool              schemas.Pool
}

// number is the number of x in a list, to which a new one is added.
func number[T comparable](list *[]T, numbers map[T]int32, x T) int32 {
	n, ok := numbers[x]
	if !ok {
		n = int32(len(*list))
		numbers[x], *list = n, append(*list, x)
	}
	return n
}

// add adds what an image with one caption says.
func (r *elsewhereReader) add(img *Image) {
	e, g, gr := r.to, r.generator, &img.Captions[0].Graph
	k, first := &g.facts, len(e.objects)
	k.readCaptions(img)
	for i := range k.objects {
		o := &k.objects[i]
		is := heardObject{noun: number(&e.nouns, r.nouns, o.Noun.Key)}
		if o.Plural || o.Another {
			is.several = 1
		}
		e.objects = append(e.objects, is)
		for _, a := range k.attributes[o.attributes:][:len(gr.Objects[i].Attributes)] {
			e.attributes = append(e.attributes, heardAttribute{is.noun, number(&e.properties, r.properties, a.is.Text)})
		}
	}
	for i := range gr.Relations {
		predicate, lemma := sayDressed(grammar.RelationWords(gr, i))
		subject, object := e.objects[first+int(gr.Relations[i].Subject)], e.objects[first+int(gr.Relations[i].Object)]
		e.relates = append(e.relates, heardRelation{subject.noun, object.noun, number(&e.relations, r.relations, relationWords{predicate, lemma})})
	}
	e.lemmas = k.lemmas.appendTo(e.lemmas)
	r.addTexts(img)
	e.ends = append(e.ends, ends{
		int32(len(e.objects)), int32(len(e.attributes)), int32(len(e.relates)), int32(len(e.lemmas)), int32(len(e.positives)), int32(len(e.ways)), k.bare,
	})
}

// addTexts adds the texts of an image with one caption.
func (r *elsewhereReader) addTexts(img *Image) {
	e, d := r.to, &r.generator.decomposer
	r.parts = d.decompose(&img.Captions[0], 0, r.parts[:0], &r.pool)
	d.stateSentences(&img.Captions[0], 0, nil, &r.pool, new(idSet))
	for _, p := range r.pool.Positives {
		e.positives = append(e.positives, p.ID)
	}
	if !d.hasParaphrases() {
		return
	}
	for i := range r.parts {
		var ways []int64
		d.tryParaphrases(&r.parts[i], func(id int64) bool {
			ways = append(ways, id)
			return false
		})
		if len(ways) > 0 {
			e.ways = append(e.ways, ways)
		}
	}
}

// compareNouns finds the nouns that may be said of the same thing.
func (r *elsewhereReader) compareNouns() {
	e := r.to
	nouns := make([]*words.Noun, len(e.nouns))
	for i, key := range e.nouns {
		nouns[i] = r.generator.dict.words.Noun(key)
	}
	e.alike = make([][]int32, len(nouns))
	for i, n := range nouns {
		for j, before := range nouns {
			if i != j && words.SameThing(before, n) {
				e.alike[i] = append(e.alike[i], int32(j))
			}
		}
	}
}
