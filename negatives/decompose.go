package negatives

import (
	"math"
	"slices"
	"strings"

	"capgraph/negatives/grammar"
	"capgraph/negatives/quality"
	"capgraph/negatives/say"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// decomposer makes positives: it divides graphs into sub-graphs and puts these into words.
type decomposer struct {
	dict        *dictionary
	facts       *facts
	most        int     // the most positives of a caption
	paraphrases float64 // share of the sub-graphs that get a paraphrase
	natural     bool    // templates
	quality     *quality.Model
	least       float32 // least probability that a positive is good
	drops       *Drops

	random random // of the image
	// The following fields are reused between calls. realize writes text.
	subgraphs    []scenegraph.SubGraph
	plain        []statedPart // before paraphrases
	before       []schemas.Positive
	text, normal []byte
	features     quality.Features
	phrase       say.Phrase
	parts, own   []int32 // hashes: of the caption's sub-graphs, of one positive
	ranked       []rankedPart
	lower        []string // the tokens of the caption in lower case
	faults       []fault  // of the caption's sentences, by index
}

// decompose fills the pool with the positives of caption c, which has index caption in its image. It returns all with
// the sub-graphs that became positives appended.
func (d *decomposer) decompose(c *Caption, caption int, all []statedPart, pool *schemas.Pool) []statedPart {
	pool.Reset()
	d.features.ReadCaption(c)
	pool.Positives = append(pool.Positives, schemas.Positive{Text: c.Text, Kind: schemas.KindCaption, ID: scenegraph.TextID(c.Text), Confidence: 1})
	many, most := hasSentences(c), d.maxPositives(c)
	d.subgraphs = scenegraph.Decompose(&c.Graph, d.subgraphs[:0])
	d.setStatedParts(c, caption, &pool.Positives[0], pool, nil)
	long := grammar.IsLong(c)
	if long {
		d.rankParts(c, caption)
	}
	for _, part := range d.subgraphs {
		if len(pool.Positives) >= most {
			break
		}
		if isNotAsserted(c, part) || d.facts.omitsColour(caption, part, &c.Graph) || d.facts.isUninformative(caption, part, &c.Graph) || d.facts.isNotShown(c, caption, part) {
			continue
		}
		n := len(all)
		all = schemas.Resize(all, n+1) // the new element is filled in place
		s := &all[n]
		s.part, s.way, s.sentence = part, say.AsIs, 0
		if many {
			s.sentence = sentenceOf(c, part)
		}
		d.readPhrase(&s.phrase, c, caption, part)
		if long {
			d.addClothes(&s.phrase, c, caption, part)
		}
		if !d.realize(&s.phrase) || d.natural && isBareIdea(&s.phrase) {
			all = all[:n]
			continue
		}
		good := d.rateText(c, caption, part)
		if good < d.least {
			all = all[:n]
			continue
		}
		d.addWrittenWords(&s.phrase, caption, part)
		d.normal = scenegraph.AppendNormalized(d.normal[:0], viewString(d.text))
		id := scenegraph.NormalizedID(d.normal)
		of := slices.IndexFunc(pool.Positives, func(p schemas.Positive) bool { return p.ID == id })
		if of < 0 {
			kind := schemas.KindRelation
			if part.Relation == scenegraph.NoRelation {
				kind = schemas.KindObject
			}
			of = len(pool.Positives)
			d.own = sortParts(appendParts(d.own[:0], &s.phrase, false))
			pool.Positives = append(pool.Positives, schemas.Positive{
				Text: pool.Keep(d.text), Kind: kind, ID: id, Confidence: good, Count: rarestCount(d.dict.words.Vocab, &s.phrase), Parts: pool.KeepParts(d.own),
			})
		} else if slices.ContainsFunc(all[:n], func(s statedPart) bool { return int(s.of) == of }) {
			all = all[:n]
			continue
		}
		s.of = int16(of)
	}
	return all
}

// setStatedParts sets text.Parts, the hashes of the parts of the sub-graphs that a text states, and text.Count, an
// upper bound of how many captions of the corpus state them. has reports whether the text states a sub-graph; if it is
// nil, the text states all.
func (d *decomposer) setStatedParts(c *Caption, caption int, text *schemas.Positive, pool *schemas.Pool, has func(scenegraph.SubGraph) bool) {
	d.parts, text.Count = d.parts[:0], math.MaxInt64
	for _, part := range d.subgraphs {
		if has != nil && !has(part) || isNotAsserted(c, part) {
			continue
		}
		d.readPhrase(&d.phrase, c, caption, part)
		d.parts = appendParts(d.parts, &d.phrase, true)
		text.Count = min(text.Count, rarestCount(d.dict.words.Vocab, &d.phrase))
	}
	if len(d.parts) == 0 {
		text.Count = 1
	}
	d.parts = sortParts(d.parts)
	text.Parts = pool.KeepParts(d.parts)
}

// isNotAsserted reports whether the caption does not say that the sub-graph is true of the image, as in "about to
// jump".
func isNotAsserted(c *Caption, part scenegraph.SubGraph) bool {
	return part.Relation != scenegraph.NoRelation && isProspective(c, &c.Graph.Relations[part.Relation]) || isMissingOrSimile(c, &c.Graph.Objects[part.Subject]) || isInPlacedPicture(part, &c.Graph)
}

// rateText returns the probability that d.text, the text of a sub-graph, is good.
func (d *decomposer) rateText(c *Caption, caption int, part scenegraph.SubGraph) float32 {
	features := d.features.Collect(c, part, viewString(d.text))
	good := d.quality.Probability(&d.features)
	if d.drops != nil && d.drops.Said != nil {
		d.drops.Said(SaidPart{Caption: caption, Text: string(d.text), Part: part, Quality: good, Features: features})
	}
	return float32(good)
}

// maxPositives returns how many positives to make for a caption: as many as possible if it has several sentences, since
// cutToLimit then cuts them.
func (d *decomposer) maxPositives(c *Caption) int {
	if hasSentences(c) {
		return math.MaxInt16
	}
	return d.most
}

// realize sets d.text to the text of a phrase, with a template that it chooses. It reports whether the text is usable.
func (d *decomposer) realize(p *say.Phrase) bool {
	if !p.Subject.Sayable() || p.Relation != nil && (!p.Relation.Sayable || !p.Object.Sayable()) {
		return false
	}
	if d.natural {
		list := say.ObjectTemplates
		if p.Relation != nil {
			list = say.RelationTemplates
		}
		r := d.random ^ random(p.Hash())
		if p.Template = say.ChooseTemplate(list, r.Next()); !p.FitsTemplate() {
			p.Template = &list[0]
		}
	}
	d.text = say.AppendPhrase(d.text[:0], p)
	return !say.Doubled(d.text)
}

// addWrittenWords adds the quoted words that the caption gives for the phrase's last object, such as "a sign that says
// …", to d.text. It runs after rateText: these words do not tell how good the text is.
func (d *decomposer) addWrittenWords(p *say.Phrase, caption int, part scenegraph.SubGraph) {
	n, object := &p.Subject, part.Subject
	if p.Relation != nil {
		n, object = &p.Object, part.Object
	}
	if n.Written = d.facts.objectAt(caption, object).Written; n.Written != "" && d.natural && (p.Relation == nil || !p.Template.At()) {
		d.text = say.AppendPhrase(d.text[:0], p)
	} else {
		n.Written = ""
	}
}

// readPhrase fills p with the words of a sub-graph.
func (d *decomposer) readPhrase(p *say.Phrase, c *Caption, caption int, part scenegraph.SubGraph) {
	gr := &c.Graph
	d.facts.readNounPhrase(&p.Subject, caption, part.Subject, gr, part.SubjectAttributes)
	if p.Relation = nil; part.Relation != scenegraph.NoRelation {
		p.Relation = d.facts.relationAt(caption, part.Relation)
		d.facts.readNounPhrase(&p.Object, caption, part.Object, gr, part.ObjectAttributes)
		if q := strings.TrimSuffix(p.Object.Quantity, " of"); p.Relation.Key == "of" && q != p.Object.Quantity && headOf(q) == gr.Objects[part.Subject].Head {
			p.Object.Quantity = "" // "a loaf of bread", not "a loaf of a loaf of bread"
		}
		p.Subject.RemoveVerbs()
	}
}

// hasSentences reports whether a caption has more than one sentence.
func hasSentences(c *Caption) bool {
	end := slices.IndexFunc(c.Tokens, func(t schemas.Token) bool { return t.Tag == "." })
	return end >= 0 && slices.ContainsFunc(c.Tokens[end:], func(t schemas.Token) bool { return t.Tag != "." })
}

// cutToLimit leaves as many positives of a caption of several sentences as the limit allows. It
// takes one from each sentence in turn, the sentence itself first. Sentences are at the end of the
// pool.
func (d *decomposer) cutToLimit(long bool, all []statedPart, sentences []statedSentence, pool *schemas.Pool) ([]statedPart, []statedSentence) {
	if !long && len(pool.Positives) <= d.most {
		return all, sentences
	}
	sentence := make([]int, len(pool.Positives))
	for i := range all {
		sentence[all[i].of] = int(all[i].sentence)
	}
	kept := make([]int, 0, len(pool.Positives)-1)
	for _, s := range sentences {
		sentence[s.of] = int(s.sentence)
		kept = append(kept, int(s.of))
	}
	for i := 1; i < len(pool.Positives)-len(sentences); i++ {
		kept = append(kept, i)
	}
	var turns turns
	turns.takeTurns(kept, func(i int) int { return sentence[i] })
	if long {
		kept = dropObjects(all, kept, sentence)
	}
	kept = append(kept[:min(len(kept), d.most-1)], 0)
	slices.Sort(kept)
	for to, from := range kept {
		pool.Positives[to] = pool.Positives[from]
	}
	pool.Positives = pool.Positives[:len(kept)]
	left := all[:0]
	for i := range all {
		if at, stays := slices.BinarySearch(kept, int(all[i].of)); stays {
			all[i].of = int16(at)
			left = append(left, all[i])
		}
	}
	whole := sentences[:0]
	for _, s := range sentences {
		if at, stays := slices.BinarySearch(kept, int(s.of)); stays {
			s.of = int16(at)
			whole = append(whole, s)
		}
	}
	return left, whole
}
