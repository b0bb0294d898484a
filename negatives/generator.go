package negatives

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"capgraph/scenegraph"
	"capgraph/schemas"
)

// Generator makes the texts of images. It is not safe for concurrent use: make
// one for each worker; they share the vocabulary.
type Generator struct {
	opts     Options
	enabled  [len(methodNames)]bool
	seed     uint64
	words    *words
	source   source
	filtered filtered
	author   Author // of whole negatives; nil for none
	reader   Reader // of what it writes

	// What follows is of the image at hand, or scratch memory.
	known     known
	image     random
	parts     []scenegraph.SubGraph
	said      [][]said // of each caption
	plans     []plan
	slots     []slot
	firstSlot int // of the caption that is planned
	proposed  []*candidates
	choices   []*choices // of each slot
	drops     *Drops
	out       *schemas.Pool
	far       schemas.Pool // of a caption that lies elsewhere
	text      []byte
	normal    []byte
	captions  []captionWords
	caption   *captionWords // the one that is edited
	respell   respell
	written   written
}

// said is a sub-graph that is a positive of its caption. Its negatives are said
// by the template of its phrase.
type said struct {
	part   scenegraph.SubGraph
	of     int16
	phrase phrase
}

// New makes a generator with the proposer of opts.Replacements.
func New(opts Options, vocab *Vocabulary, seed uint64) (*Generator, error) {
	if err := opts.Validate(); err != nil {
		return nil, fmt.Errorf("negatives.%w", err)
	}
	g := newGenerator(opts, vocab, seed)
	var err error
	if g.source, err = newSource(&opts, g.words); err != nil {
		return nil, err
	}
	return g, nil
}

// NewWithProposer makes a generator whose replacements come from p. As many as
// among of them, which wait for p at once, share the memory of one.
func NewWithProposer(opts Options, vocab *Vocabulary, p Proposer, among int, seed uint64) (*Generator, error) {
	if err := opts.Validate(); err != nil {
		return nil, fmt.Errorf("negatives.%w", err)
	}
	g := newGenerator(opts, vocab, seed)
	g.words.bound = maxKept / among
	g.source = proposed{p, g.words}
	return g, nil
}

func newGenerator(opts Options, vocab *Vocabulary, seed uint64) *Generator {
	g := &Generator{opts: opts, seed: seed, words: newWords(vocab)}
	for m, name := range methodNames {
		g.enabled[m] = slices.Contains(opts.Methods, name)
	}
	g.filtered = filtered{words: g.words, any: opts.AnyDimension, plausible: opts.Replacements == FromCorpus}
	return g
}

// Texts fills pools[i] with the texts of img.Captions[i]: as positives the
// caption, then the texts of its sub-graphs, at most MaxPositives; as negatives
// every candidate that passes the filters, with Score 0. Both have the same
// length; the texts are valid until the pools are reset. drops hears of the
// candidates that do not pass. An error comes from the proposer.
func (g *Generator) Texts(ctx context.Context, img *Image, pools []schemas.Pool, drops *Drops) error {
	g.drops = drops
	if g.words.kept >= g.words.bound {
		g.words.forget()
	}
	g.image = newRandom(g.seed, img.Key, "")
	g.known.read(g.words, img)
	g.said = schemas.Resize(g.said, len(img.Captions)+len(img.Far))
	for i := range img.Captions {
		g.decompose(img, i, &pools[i])
	}
	for i := range pools {
		for _, p := range pools[i].Positives {
			g.known.texts.add(p.ID)
		}
	}
	for i := range img.Far {
		g.decompose(img, len(pools)+i, &g.far)
		for _, p := range g.far.Positives {
			g.known.texts.add(p.ID)
		}
	}
	return g.negate(ctx, img, pools)
}

// decompose makes the positives of a caption.
func (g *Generator) decompose(img *Image, caption int, pool *schemas.Pool) {
	c := img.at(caption)
	pool.Reset()
	pool.Positives = append(pool.Positives, schemas.Positive{Text: c.Text, Kind: schemas.KindCaption, ID: scenegraph.TextID(c.Text)})
	all := g.said[caption][:0]
	g.parts = scenegraph.Decompose(&c.Graph, g.parts[:0])
	for _, part := range g.parts {
		if len(pool.Positives) >= g.opts.MaxPositives {
			break
		}
		if part.Relation != scenegraph.NoRelation && intended(c, &c.Graph.Relations[part.Relation]) || unreal(c, &c.Graph.Objects[part.Subject]) || g.halved(caption, part, &c.Graph) || g.goesWithoutSaying(caption, part, &c.Graph) {
			continue
		}
		n := len(all)
		all = schemas.Resize(all, n+1) // for it to be made in place
		s := &all[n]
		s.part = part
		g.read(&s.phrase, img, caption, part)
		if !g.say(&s.phrase) {
			all = all[:n]
			continue
		}
		g.normal = scenegraph.AppendNormalized(g.normal[:0], view(g.text))
		id := scenegraph.NormalizedID(g.normal)
		of := slices.IndexFunc(pool.Positives, func(p schemas.Positive) bool { return p.ID == id })
		if of < 0 {
			kind := schemas.KindRelation
			if part.Relation == scenegraph.NoRelation {
				kind = schemas.KindObject
			}
			of = len(pool.Positives)
			pool.Positives = append(pool.Positives, schemas.Positive{Text: pool.Keep(g.text), Kind: kind, ID: id})
		} else if slices.ContainsFunc(all[:n], func(s said) bool { return int(s.of) == of }) {
			all = all[:n]
			continue
		}
		s.of = int16(of)
	}
	g.said[caption] = all
}

// say puts the text of a phrase into g.text, by a template that it chooses; it
// says whether the phrase can be said.
func (g *Generator) say(p *phrase) bool {
	if !p.subject.sayable() || p.relation != nil && (!p.relation.sayable || !p.object.sayable()) {
		return false
	}
	if g.opts.Templates == TemplatesNatural {
		list := objectTemplates
		if p.relation != nil {
			list = relationTemplates
		}
		r := g.image ^ random(p.hash())
		p.template = chooseTemplate(list, r.Next())
	}
	g.text = appendPhrase(g.text[:0], p)
	return !doubled(g.text)
}

// read makes p the phrase of a sub-graph.
func (g *Generator) read(p *phrase, img *Image, caption int, part scenegraph.SubGraph) {
	gr := &img.at(caption).Graph
	g.readNounPhrase(&p.subject, gr, caption, part.Subject, part.SubjectAttributes)
	if p.relation = nil; part.Relation != scenegraph.NoRelation {
		p.relation = g.known.relation(caption, part.Relation)
		g.readNounPhrase(&p.object, gr, caption, part.Object, part.ObjectAttributes)
		p.subject.idle()
	}
}

func (g *Generator) readNounPhrase(n *nounPhrase, gr *schemas.SceneGraph, caption int, object int32, mask uint64) {
	o := g.known.object(caption, object)
	n.read(&o.spoken, &gr.Objects[object], g.known.attributes[o.attributes:], mask)
}

// negate makes the negatives of all captions.
func (g *Generator) negate(ctx context.Context, img *Image, pools []schemas.Pool) error {
	g.plans, g.slots = g.plans[:0], g.slots[:0]
	g.captions = schemas.Resize(g.captions, len(img.Captions))
	for i := range img.Captions {
		g.firstSlot = len(g.slots)
		g.planSubGraphs(img, i)
		g.planCaption(img, i)
	}
	g.proposed = schemas.Resize(g.proposed, len(g.slots))
	if err := g.source.propose(ctx, g.slots, g.proposed); err != nil {
		return fmt.Errorf("propose replacements for %s: %w", img.Key, err)
	}
	demands := []demand{nothing}
	if g.filtered.plausible {
		demands = []demand{much, little, nothing}
	}
	g.choices = g.choices[:0]
	for i := range g.slots {
		g.choices = append(g.choices, g.choose(&g.slots[i], g.proposed[i]))
	}
	for from := 0; from < len(g.plans); {
		caption := g.plans[from].caption
		to := from + 1
		for to < len(g.plans) && g.plans[to].caption == caption {
			to++
		}
		g.out, g.caption = &pools[caption], &g.captions[caption]
		for i, d := range demands {
			g.filtered.demand = d
			g.edit(img, from, to, func(pl *plan) bool { return i == 0 || g.lacks(pl) })
		}
		from = to
	}
	return g.write(ctx, img, pools)
}

// edit makes those edits that are planned from one to another, of one caption, and are
// asked for.
func (g *Generator) edit(img *Image, from, to int, asked func(*plan) bool) {
	r := newRandom(g.seed, img.Key, img.Captions[g.plans[from].caption].Text)
	for i := from; i < to; i++ {
		own := r + random(i) // of this plan
		switch pl := &g.plans[i]; {
		case !asked(pl):
		case pl.said == nil:
			g.editCaption(img, pl, &own)
		default:
			g.editSubGraph(pl, &own)
		}
	}
}

// plan is an edit to be made, once for each replacement that fits.
type plan struct {
	method  Method
	caption int
	// said is the sub-graph that is edited, nil where it is the caption itself.
	said *said
	// slot indexes the slots, −1 where nothing is replaced.
	slot int
	// second says that the object of the relation is edited, not its subject.
	second bool
	// a and b are attributes of a sub-graph, or words of a caption.
	a, b int
}

// of is the positive that the plan perturbs.
func (p *plan) of() int16 {
	if p.said == nil {
		return 0
	}
	return p.said.of
}

// noSlot is the slot of a plan that replaces nothing.
const noSlot = -1

// add plans an edit with a replacement.
func (g *Generator) add(pl plan, s *slot) {
	pl.slot = len(g.slots)
	g.slots = append(g.slots, *s)
	g.plans = append(g.plans, pl)
}

// addOnce is add for a slot of a sub-graph, which others may have too.
func (g *Generator) addOnce(pl plan, s *slot) {
	for i := g.firstSlot; i < len(g.slots); i++ {
		if g.slots[i] == *s {
			pl.slot = i
			g.plans = append(g.plans, pl)
			return
		}
	}
	g.add(pl, s)
}

// emitPhrase says a phrase and adds it as a negative. It says whether it did.
func (g *Generator) emitPhrase(pl *plan, p *phrase, changed, category string) bool {
	g.text = appendPhrase(g.text[:0], p)
	switch caption := g.out.Positives[0].Text; {
	case pl.of() != 0:
	case pl.method.replaces():
		g.normal = append(g.normal[:0], g.text...)
		said := string(appendPhrase(nil, &pl.said.phrase))
		var fits bool
		if g.text, fits = g.respell.apply(g.text[:0], caption, said, view(g.normal), g.caption.text == caption && g.caption.titled()); !fits {
			g.drop(pl, view(g.normal), ReasonGrammar)
			return false
		}
	default:
		g.text = appendAsCaption(g.text, caption)
	}
	return g.emitText(pl, changed, category)
}

// appendAsCaption gives text the capital and the full stop that a caption has.
func appendAsCaption(text []byte, caption string) []byte {
	if c := caption[0]; c >= 'A' && c <= 'Z' && text[0] >= 'a' && text[0] <= 'z' {
		text[0] -= 'a' - 'A'
	}
	return append(text, caption[len(strings.TrimRight(caption, ".!?")):]...)
}

// emitText adds g.text as a negative, unless a word in it follows itself. It says
// whether it did.
func (g *Generator) emitText(pl *plan, changed, category string) bool {
	if doubled(g.text) {
		g.drop(pl, view(g.text), ReasonGrammar)
		return false
	}
	return g.emit(pl, changed, category)
}

// emit adds g.text as a negative, unless it is known or there already. It says
// whether it did.
func (g *Generator) emit(pl *plan, changed, category string) bool {
	g.normal = scenegraph.AppendNormalized(g.normal[:0], view(g.text))
	id := scenegraph.NormalizedID(g.normal)
	if !g.known.texts.add(id) {
		g.drop(pl, view(g.text), ReasonKnownText)
		return false
	}
	g.out.Negatives = append(g.out.Negatives, schemas.HardNegative{
		Text: g.out.Keep(g.text), Of: pl.of(), Method: pl.method.String(), Changed: changed, Category: category,
	})
	return true
}

// dropPhrase says that a phrase came to nothing.
func (g *Generator) dropPhrase(pl *plan, p *phrase, reason Reason) {
	if g.text = g.text[:0]; g.drops.Each != nil {
		g.text = appendPhrase(g.text, p)
	}
	g.drop(pl, view(g.text), reason)
}

// drop says that a candidate came to nothing: a text, or a word for a slot before
// it was said.
func (g *Generator) drop(pl *plan, candidate string, reason Reason) {
	g.drops.N[reason]++
	if g.drops.Each != nil {
		g.drops.Each(Dropped{Caption: pl.caption, Text: strings.Clone(candidate), Method: pl.method.String(), Reason: reason})
	}
}

// dropChoice says that a choice for a slot came to nothing.
func (g *Generator) dropChoice(pl *plan, c choice, reason Reason) {
	word := ""
	if g.drops.Each != nil { // which spares a look at the word
		word = c.text()
	}
	g.drop(pl, word, reason)
}

// view is b as a string for as long as b is not written.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// doubled holds where a word follows itself ("on on").
func doubled(text []byte) bool {
	from, length := 0, 0 // the word before
	begin := 0
	for i := 0; ; i++ {
		if i < len(text) && text[i] != ' ' {
			continue
		}
		if n := i - begin; n == length && n > 0 && text[begin] >= 'A' && sameFold(text[begin:i], text[from:from+n]) {
			return true
		}
		if i >= len(text) {
			return false
		}
		from, length, begin = begin, i-begin, i+1
	}
}

// sameFold is bytes.EqualFold, quick where the first letters differ.
func sameFold(a, b []byte) bool {
	return (a[0]|0x20 == b[0]|0x20 || a[0] >= utf8.RuneSelf) && bytes.EqualFold(a, b)
}
