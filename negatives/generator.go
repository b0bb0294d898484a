package negatives

import (
	"context"
	"fmt"
	"math"
	"slices"

	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
	"capgraph/negatives/say"
	"capgraph/negatives/slots"
	"capgraph/negatives/words"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// Generator makes the texts of images. It is not safe for concurrent use: make
// one for each worker; they share the vocabulary.
type Generator struct {
	opts    Options
	shares  [len(methods.Names)]float64 // of the captions, that each method is for; 0 of one that is off
	enabled [len(methods.Names)]bool    // for the caption that is planned
	seed    uint64
	dict    *dictionary
	source  source

	// What follows is of the image at hand, or scratch memory.
	facts     facts
	image     random
	parts     []scenegraph.SubGraph
	said      [][]statedPart // of each caption
	plain     []statedPart   // of one, before some is said in other words
	before    []schemas.Positive
	plans     []plan
	slots     []slot
	firstSlot int // of the caption that is planned
	proposed  []*words.Candidates
	choices   [][2]*words.Choices // of each slot, those that are drawn first and those that are drawn then
	hearsay   hearsay
	elsewhere schemas.Pool // of a caption that lies elsewhere
	text      []byte
	normal    []byte
	captions  []captionWords
	caption   *captionWords // the one that is edited
	whole     wholeEditor
	sink      sink
}

// statedPart is a sub-graph that is a positive of its caption. Its negatives are said
// by the template of its phrase.
type statedPart struct {
	part scenegraph.SubGraph
	of   int16
	way  say.Way
	// sentence is that of the caption by which it has its share of the pool, from 0.
	sentence int16
	phrase   say.Phrase
}

// New makes a generator with the proposer of opts.Replacements.
func New(opts Options, vocab *Vocabulary, seed uint64) (*Generator, error) {
	if err := opts.Validate(); err != nil {
		return nil, fmt.Errorf("negatives.%w", err)
	}
	g := newGenerator(opts, vocab, seed)
	var err error
	if g.source, err = newSource(&opts, g.dict.words); err != nil {
		return nil, err
	}
	return g, nil
}

// NewWithProposer makes a generator whose replacements come from p. As many as
// among of them, which wait for p at once, share the memory of one.
func NewWithProposer(opts Options, vocab *Vocabulary, p slots.Proposer, among int, seed uint64) (*Generator, error) {
	if err := opts.Validate(); err != nil {
		return nil, fmt.Errorf("negatives.%w", err)
	}
	g := newGenerator(opts, vocab, seed)
	g.dict.words.Bound = words.MaxKept / among
	g.source = externalSource{p, g.dict.words}
	return g, nil
}

func newGenerator(opts Options, vocab *Vocabulary, seed uint64) *Generator {
	g := &Generator{opts: opts, seed: seed, dict: newDictionary(&opts, vocab)}
	g.facts.dict, g.sink.other = g.dict, &g.dict.other
	g.sink.judge = judge{attested: vocab.attested, judgement: vocab.judgement, enabled: g.dict.filter.plausible}
	all := slices.Contains(opts.Methods, methods.All)
	for m, name := range methods.Names {
		if slices.Contains(opts.Methods, name) || all && methods.Method(m).ChangesOne() {
			g.shares[m] = opts.shareOf(name)
		}
	}
	return g
}

// Texts fills pools[i] with the texts of img.Captions[i]: as positives the
// caption, then the texts of its sub-graphs, some of them in other words too, at most MaxPositives; as negatives
// every candidate that passes the filters, with Score 0. Both have the same
// length; the texts are valid until the pools are reset. drops hears of the
// candidates that do not pass. An error comes from the proposer.
func (g *Generator) Texts(ctx context.Context, img *Image, pools []schemas.Pool, drops *Drops) error {
	g.sink.beginImage(drops)
	if g.dict.words.Kept >= g.dict.words.Bound {
		g.dict.words.Forget()
		g.hearsay.forget()
	}
	var from *Elsewhere
	if img.Elsewhere != nil {
		var err error
		if from, err = img.Elsewhere(g); err != nil {
			return err
		}
	}
	g.image = grammar.NewRandom(g.seed, img.Key, "")
	g.facts.readCaptions(img)
	g.hearsay.begin(from, img.Captions)
	g.facts.loadCaptions(&g.hearsay)
	g.said = schemas.Resize(g.said, len(img.Captions))
	for i := range img.Captions {
		g.decompose(img, i, &pools[i])
	}
	for i := range pools {
		for _, p := range pools[i].Positives {
			g.sink.texts.add(p.ID)
		}
	}
	g.hearsay.addTexts(&g.sink.texts)
	if g.hasParaphrases() {
		for i := range pools {
			g.addParaphrases(i, &pools[i], g.maxPositives(&img.Captions[i]))
		}
		g.hearsay.addWays(&g.sink.texts)
	}
	for i := range pools {
		g.share(i, &pools[i])
	}
	return g.addNegatives(ctx, img, pools)
}

// decompose makes the positives of a caption.
func (g *Generator) decompose(img *Image, caption int, pool *schemas.Pool) {
	c := &img.Captions[caption]
	pool.Reset()
	pool.Positives = append(pool.Positives, schemas.Positive{Text: c.Text, Kind: schemas.KindCaption, ID: scenegraph.TextID(c.Text)})
	all := g.said[caption][:0]
	many, most := hasSentences(c), g.maxPositives(c)
	g.parts = scenegraph.Decompose(&c.Graph, g.parts[:0])
	for _, part := range g.parts {
		if len(pool.Positives) >= most {
			break
		}
		if part.Relation != scenegraph.NoRelation && isProspective(c, &c.Graph.Relations[part.Relation]) || isMissingOrSimile(c, &c.Graph.Objects[part.Subject]) || g.facts.dropsCoColour(caption, part, &c.Graph) || g.facts.isUninformative(caption, part, &c.Graph) {
			continue
		}
		n := len(all)
		all = schemas.Resize(all, n+1) // for it to be made in place
		s := &all[n]
		s.part, s.way, s.sentence = part, say.AsIs, 0
		if many {
			s.sentence = sentenceOf(c, part)
		}
		g.readPhrase(&s.phrase, img, caption, part)
		if !g.realize(&s.phrase) {
			all = all[:n]
			continue
		}
		g.normal = scenegraph.AppendNormalized(g.normal[:0], viewString(g.text))
		id := scenegraph.NormalizedID(g.normal)
		of := slices.IndexFunc(pool.Positives, func(p schemas.Positive) bool { return p.ID == id })
		if of < 0 {
			kind := schemas.KindRelation
			if part.Relation == scenegraph.NoRelation {
				kind = schemas.KindObject
			}
			of = len(pool.Positives)
			pool.Positives = append(pool.Positives, schemas.Positive{Text: pool.Keep(g.text), Kind: kind, ID: id})
		} else if slices.ContainsFunc(all[:n], func(s statedPart) bool { return int(s.of) == of }) {
			all = all[:n]
			continue
		}
		s.of = int16(of)
	}
	g.said[caption] = all
}

// maxPositives is how many positives a caption may have before each of its sentences has its share.
func (g *Generator) maxPositives(c *Caption) int {
	if hasSentences(c) {
		return math.MaxInt16
	}
	return g.opts.MaxPositives
}

// realize puts the text of a phrase into g.text, by a template that it chooses; it
// reports whether the phrase can be said.
func (g *Generator) realize(p *say.Phrase) bool {
	if !p.Subject.Sayable() || p.Relation != nil && (!p.Relation.Sayable || !p.Object.Sayable()) {
		return false
	}
	if g.opts.Templates == TemplatesNatural {
		list := say.ObjectTemplates
		if p.Relation != nil {
			list = say.RelationTemplates
		}
		r := g.image ^ random(p.Hash())
		p.Template = say.ChooseTemplate(list, r.Next())
	}
	g.text = say.AppendPhrase(g.text[:0], p)
	return !say.Doubled(g.text)
}

// readPhrase makes p the phrase of a sub-graph.
func (g *Generator) readPhrase(p *say.Phrase, img *Image, caption int, part scenegraph.SubGraph) {
	gr := &img.Captions[caption].Graph
	g.readNounPhrase(&p.Subject, gr, caption, part.Subject, part.SubjectAttributes)
	if p.Relation = nil; part.Relation != scenegraph.NoRelation {
		p.Relation = g.facts.relationAt(caption, part.Relation)
		g.readNounPhrase(&p.Object, gr, caption, part.Object, part.ObjectAttributes)
		p.Subject.Idle()
	}
}

func (g *Generator) readNounPhrase(n *say.NounPhrase, gr *schemas.SceneGraph, caption int, object int32, mask uint64) {
	g.facts.fillNounPhrase(n, g.facts.objectAt(caption, object), &gr.Objects[object], mask)
}

// addNegatives makes the negatives of all captions.
func (g *Generator) addNegatives(ctx context.Context, img *Image, pools []schemas.Pool) error {
	g.plans, g.slots = g.plans[:0], g.slots[:0]
	g.captions = schemas.Resize(g.captions, len(img.Captions))
	for i := range img.Captions {
		g.firstSlot = len(g.slots)
		g.drawMethods(img.Captions[i].Text)
		g.planSubGraphs(img, i)
		g.planCaption(img, i)
		g.planHalfTruths(img, i)
		g.planNegations(i)
	}
	g.proposed = schemas.Resize(g.proposed, len(g.slots))
	if err := g.source.propose(ctx, g.slots, g.proposed); err != nil {
		return fmt.Errorf("propose replacements for %s: %w", img.Key, err)
	}
	g.choices = g.choices[:0]
	for i := range g.slots {
		s := &g.slots[i]
		both := [2]*words.Choices{nil, g.dict.chooseCandidates(s, g.proposed[i])}
		if _, ok := g.source.(corpusSource); ok {
			both[0] = g.dict.filter.candidatesFor(s, s.oppositesOf(g.dict.words))
		}
		g.choices = append(g.choices, both)
	}
	for from := 0; from < len(g.plans); {
		caption := g.plans[from].caption
		to := from + 1
		for to < len(g.plans) && g.plans[to].caption == caption {
			to++
		}
		g.caption = &g.captions[caption]
		g.sink.beginCaption(caption, &pools[caption], g.caption)
		g.runPlans(img, from, to)
		from = to
	}
	return g.addWholes(ctx, img, pools)
}

// drawMethods takes the methods whose share has a caption.
func (g *Generator) drawMethods(text string) {
	for m, share := range g.shares {
		g.enabled[m] = share >= 1 || share > 0 && grammar.IsInShare(share, grammar.NewRandom(g.seed, methods.Names[m], text))
	}
}

// runPlans makes the edits that are planned from one to another, of one caption.
func (g *Generator) runPlans(img *Image, from, to int) {
	r := grammar.NewRandom(g.seed, img.Key, img.Captions[g.plans[from].caption].Text)
	for i := from; i < to; i++ {
		own := r + random(i) // of this plan
		switch pl := &g.plans[i]; {
		case pl.said == nil:
			g.editCaption(img, pl, &own)
		case pl.method.Adds():
			g.editHalfTruth(&img.Captions[pl.caption].Graph, pl, &own)
		case pl.method == methods.Negate:
			g.negate(pl, &own)
		default:
			g.editSubGraph(pl, &own)
		}
	}
}

// plan is an edit to be made, once for each replacement that fits.
type plan struct {
	method  methods.Method
	caption int
	// said is the sub-graph that is edited, nil if it is the caption itself.
	said *statedPart
	// slot indexes the slots, −1 if nothing is replaced.
	slot int
	// second says that the object of the relation is edited, not its subject.
	second bool
	// a and b are words of a caption; a is what a half-truth was made of, an attribute or a relation.
	a, b int
	// sentence is the one that is changed.
	sentence int16
}

// positiveIndex is the positive that the plan perturbs.
func (p *plan) positiveIndex() int16 {
	if p.said == nil {
		return 0
	}
	return p.said.of
}

// noSlot is the slot of a plan that replaces nothing.
const noSlot = -1

// addPlan plans an edit with a replacement.
func (g *Generator) addPlan(pl plan, s *slot) {
	pl.slot = len(g.slots)
	g.slots = append(g.slots, *s)
	g.plans = append(g.plans, pl)
}

// addPlanOnce is add for a slot of a sub-graph, which others may have too.
func (g *Generator) addPlanOnce(pl plan, s *slot) {
	for i := g.firstSlot; i < len(g.slots); i++ {
		if g.slots[i] == *s {
			pl.slot = i
			g.plans = append(g.plans, pl)
			return
		}
	}
	g.addPlan(pl, s)
}
