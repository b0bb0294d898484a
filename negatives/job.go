package negatives

import (
	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
	"capgraph/negatives/say"
	"capgraph/negatives/words"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// captionJob has the state of the work on one caption of an image: its positives, and the edits
// that make its negatives. Editors read facts and dictionary, and write to the sink.
type captionJob struct {
	dict   *dictionary
	facts  *facts
	sink   *sink
	wanted int // number of replacements to make for each slot

	seed    uint64
	image   string // its key
	index   int    // of the caption in the image
	caption *Caption
	pool    *schemas.Pool
	enabled [len(methods.Names)]bool // whether each method edits this caption: its share decides

	// parts are the sub-graphs that became positives, sentences the caption's sentences that did,
	// and words the caption's tokens.
	parts     []statedPart
	sentences []statedSentence
	words     captionWords

	plans []plan
	slots []slot
	// choices has two lists for each slot: candidates that are drawn first, and the others.
	choices [][2]*choices

	// lifts are the replacements of nouns that were made in sub-graphs.
	lifts []lift

	random random // of the current plan
}

// statedPart is a sub-graph that is a positive of its caption. Its negatives use the same template
// as its phrase.
type statedPart struct {
	part scenegraph.SubGraph
	of   int16
	way  say.Way
	// sentence is the number, from 0, of the sentence in whose share of the pool it counts.
	sentence int16
	phrase   say.Phrase
}

// plan is an edit to be made, once for each replacement that fits its slot.
type plan struct {
	method methods.Method
	// said is the sub-graph to edit; nil for the caption.
	said *statedPart
	// slot is the index of the slot, or noSlot.
	slot int
	// second is set if the object of the relation is edited, not its subject.
	second bool
	// a and b are tokens of the caption. For a half-truth, a is the index of the true attribute or
	// relation.
	a, b int
	// sentence is the number of the changed sentence, and whole the index of the positive with it:
	// 0 is the caption.
	sentence, whole int16
	// relation is the index of the relation whose preposition is replaced.
	relation int32
}

// positiveIndex returns the index of the positive that the plan edits.
func (p *plan) positiveIndex() int16 {
	if p.said == nil {
		return p.whole
	}
	return p.said.of
}

// noSlot is the slot of a plan that replaces nothing.
const noSlot = -1

// begin resets job for caption index of img.
func (job *captionJob) begin(g *Generator, img *Image, index int, pool *schemas.Pool) {
	job.dict, job.facts, job.sink, job.wanted = g.dict, &g.facts, &g.sink, g.opts.Candidates
	job.seed, job.image, job.index, job.caption, job.pool = g.seed, img.Key, index, &img.Captions[index], pool
	job.plans, job.slots, job.lifts = job.plans[:0], job.slots[:0], job.lifts[:0]
	for m, share := range g.shares {
		job.enabled[m] = share >= 1 || share > 0 && grammar.IsInShare(share, grammar.NewRandom(g.seed, methods.Names[m], job.caption.Text))
	}
}

// objectAt returns object i of the caption.
func (job *captionJob) objectAt(i int32) *knownObject { return job.facts.objectAt(job.index, i) }

// relationAt returns relation i of the caption.
func (job *captionJob) relationAt(i int32) *words.Relation { return job.facts.relationAt(job.index, i) }

// classesOf returns the classes of the subject and the object of a plan's sub-graph.
func (job *captionJob) classesOf(pl *plan) (subject, object int) {
	return job.objectAt(pl.said.part.Subject).class, job.objectAt(pl.said.part.Object).class
}

// readNounPhrase sets n to the noun phrase of an object of the caption, with the attributes whose
// bits are set.
func (job *captionJob) readNounPhrase(n *say.NounPhrase, object int32, attributes uint64) {
	job.facts.readNounPhrase(n, job.index, object, &job.caption.Graph, attributes)
}

// addPlan adds a plan with a new slot, which its replacements fill.
func (job *captionJob) addPlan(pl plan, s *slot) {
	pl.slot = len(job.slots)
	job.slots = append(job.slots, *s)
	job.plans = append(job.plans, pl)
}

// addWithSharedSlot is as add, but uses an equal slot if there is one: several sub-graphs may have the same
// object.
func (job *captionJob) addWithSharedSlot(pl plan, s *slot) {
	for i := range job.slots {
		if job.slots[i] == *s {
			pl.slot = i
			job.plans = append(job.plans, pl)
			return
		}
	}
	job.addPlan(pl, s)
}

// chooseForSlots sets the choices for each slot: the candidates that the source proposes. If the
// source is the corpus, those that exclusions.tsv opposes to the word in the slot are drawn first.
func (job *captionJob) chooseForSlots(from source) {
	_, opposites := from.(corpusSource)
	job.choices = job.choices[:0]
	for i := range job.slots {
		s := &job.slots[i]
		both := [2]*choices{nil, job.dict.chooseCandidates(s, from.candidatesFor(s))}
		if opposites {
			both[0] = job.dict.filter.candidatesFor(s, s.oppositesOf(job.dict.words))
		}
		job.choices = append(job.choices, both)
	}
}

// makePositives makes the positives of all captions of an image. It makes all texts of sub-graphs
// before the first paraphrase, so that no paraphrase repeats a text.
func makePositives(d *decomposer, jobs []captionJob, known *idSet) {
	for i := range jobs {
		j := &jobs[i]
		j.parts = d.decompose(j.caption, i, j.parts[:0], j.pool)
	}
	for i := range jobs {
		for _, p := range jobs[i].pool.Positives {
			known.add(p.ID)
		}
	}
	for i := range jobs {
		j := &jobs[i]
		j.parts = d.addParaphrases(j.parts, j.pool, d.maxPositives(j.caption), known)
	}
	for i := range jobs {
		j := &jobs[i]
		j.sentences = d.stateSentences(j.caption, i, j.sentences[:0], j.pool, known)
		j.parts, j.sentences = d.cutToLimit(grammar.IsLong(j.caption), j.parts, j.sentences, j.pool)
		d.reportUnsaid(i, j)
	}
}
