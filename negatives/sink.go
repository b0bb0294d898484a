package negatives

import (
	"slices"
	"strings"
	"unsafe"

	"capgraph/internal/portable"
	"capgraph/negatives/methods"
	"capgraph/negatives/say"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// sink takes the candidates of an image, one by one: it admits them to the pool of their caption or
// drops them with a reason. Editors write nothing else.
type sink struct {
	drops *Drops
	// texts are the ids of the positives and negatives of the image, so that none is made twice.
	texts idSet
	// caption is the index of the current caption, pool its texts and words its tokens.
	caption int
	pool    *schemas.Pool
	words   *captionWords
	// sentences are the sentences that are positives.
	sentences []statedSentence
	// ofCaption is how likely the best part of the caption is good.
	ofCaption float32
	// leastGood is how likely a reader calls a negative good at least: a caption without one is better than with one
	// that makes no sense.
	leastGood float32
	// strictness is added to the cuts of the judge.
	strictness float64

	other   *say.OtherWords
	respell say.Respell
	judge   judge
	// unjudgedSwaps keeps swaps of words that may be true or make no sense.
	unjudgedSwaps bool
	// text is the current candidate, truth the half-truth's text with the true part, and normal is
	// scratch memory. Strings that view them are valid until the next write.
	text, truth, normal []byte
	// parts are the parts that the current phrase states, none for other texts.
	parts []int32
}

// beginCaption directs what follows to the pool of a caption.
func (s *sink) beginCaption(caption int, pool *schemas.Pool, words *captionWords, sentences []statedSentence) {
	s.caption, s.pool, s.words, s.sentences, s.strictness = caption, pool, words, sentences, 0
	s.ofCaption = goodOfUnparsed
	for _, p := range pool.Positives[1:] {
		s.ofCaption = max(s.ofCaption, p.Confidence)
	}
}

// goodOfUnparsed is how likely the best part of a caption is good that has no positive but itself.
const goodOfUnparsed = 0.8

// emitPhrase says a phrase and adds it as a negative. It reports whether it did.
func (s *sink) emitPhrase(pl *plan, edited *say.Phrase, changed, category string) bool {
	p, ok := s.inWordsOf(pl.said, edited)
	if !ok || !p.Reads() {
		s.dropPhrase(pl, p, ReasonGrammar)
		return false
	}
	s.parts = sortParts(appendParts(s.parts, edited, false))
	defer func() { s.parts = s.parts[:0] }()
	s.text = say.AppendPhrase(s.text[:0], p)
	switch caption := s.pool.Positives[0].Text; {
	case pl.positiveIndex() != 0:
	case pl.method.Replaces():
		s.normal = append(s.normal[:0], s.text...)
		said := string(say.AppendPhrase(nil, &pl.said.phrase))
		var fits bool
		if s.text, fits = s.respell.Apply(s.text[:0], caption, said, viewString(s.normal), s.words.text == caption && s.words.isTitle()); !fits {
			s.drop(pl, viewString(s.normal), ReasonGrammar)
			return false
		}
	default:
		s.text = say.AppendAsCaption(s.text, caption)
	}
	return s.emitText(pl, changed, category)
}

// inWordsOf returns an edited phrase in the words of its sub-graph; false if they cannot express
// it.
func (s *sink) inWordsOf(part *statedPart, p *say.Phrase) (*say.Phrase, bool) {
	if part.way == say.AsIs {
		return p, true
	}
	q := *p
	ok := s.other.Otherwise(&q, part.way)
	if !ok && (part.way == say.EndedWay || part.way == say.RenamedWay) { // the word that has another was replaced
		return p, true
	}
	return &q, ok
}

// emitSplices adds the caption with the splices as a negative, or the sentence that they are in if it is a
// positive. It reports whether it did.
func (s *sink) emitSplices(pl *plan, changed string, splices ...splice) bool {
	pl.sentence, pl.whole = sentenceAt(s.words.tokens, s.words.tokens[splices[0].first].Begin), 0
	sentence := slices.IndexFunc(s.sentences, func(x statedSentence) bool {
		return x.first+x.named <= splices[0].first && splices[len(splices)-1].last <= x.last
	})
	if sentence < 0 && splices[0].first >= maxWholeTokens {
		s.drop(pl, splices[0].text, ReasonCap)
		return false
	}
	s.text = s.words.apply(s.text[:0], splices)
	from, end := 0, len(s.words.tokens)
	if sentence >= 0 {
		from, end = s.sentences[sentence].first, s.sentences[sentence].last+1
	}
	if !s.unjudgedSwaps && s.words.isRestated(pl.method, from, end, splices) {
		s.drop(pl, viewString(s.text), ReasonRestated)
		return false
	}
	if s.words.doubled(splices) {
		s.drop(pl, viewString(s.text), ReasonGrammar)
		return false
	}
	if sentence < 0 {
		return s.emitNegative(pl, changed, schemas.CategoryNone)
	}
	x := &s.sentences[sentence]
	pl.whole = x.of
	s.normal = append(s.normal[:0], s.text...)
	s.text = x.textOf(s.text[:0], viewString(s.normal), s.words.text, s.words.tokens)
	return s.emitNegative(pl, changed, categoryIn(changed))
}

// maxWholeTokens is how many tokens of a long caption are changed in the whole caption. What
// comes later is cut off by the text encoders of most models, which hold 77 of their tokens.
const maxWholeTokens = 56

// categoryIn is the category of a negative of a sentence.
func categoryIn(changed string) string {
	if changed == schemas.ChangedAttribute {
		return schemas.CategoryAttribute
	}
	return schemas.CategoryRelation
}

// emitSwap adds the caption with two splices as a negative, unless there is a reason against it that
// counts. It reports whether it did.
func (s *sink) emitSwap(pl *plan, reason Reason, splices func() [2]splice) bool {
	if reason == noReason || s.unjudgedSwaps {
		both := splices()
		return s.emitSplices(pl, schemas.ChangedOrder, both[:]...)
	}
	if s.text = s.text[:0]; s.drops.Each != nil {
		both := splices()
		s.text = s.words.apply(s.text, both[:])
	}
	s.drop(pl, viewString(s.text), reason)
	return false
}

// dropSplice reports that the caption with a splice is no negative, and why.
func (s *sink) dropSplice(pl *plan, x splice, reason Reason) {
	if s.text = s.text[:0]; s.drops.Each != nil {
		s.text = s.words.apply(s.text, []splice{x})
	}
	s.drop(pl, viewString(s.text), reason)
}

// emitText adds s.text as a negative, unless a word in it follows itself. It reports whether it did.
func (s *sink) emitText(pl *plan, changed, category string) bool {
	if say.Doubled(s.text) {
		s.drop(pl, viewString(s.text), ReasonGrammar)
		return false
	}
	return s.emitNegative(pl, changed, category)
}

// emitNegative adds s.text as a negative if the judge passes it and no text of the image equals it. It
// reports whether it did.
func (s *sink) emitNegative(pl *plan, changed, category string) bool {
	reason, truth := ReasonImplausible, ""
	if good, passes := s.rateNegative(pl); passes {
		if pl.method.Adds() {
			truth = s.pool.Keep(s.truth)
		}
		if s.admit(schemas.HardNegative{Of: pl.positiveIndex(), Method: pl.method.String(), Changed: changed, Category: category, Sentence: pl.sentence, Good: good, Concrete: s.concretenessOf(pl), Truth: truth}) {
			return true
		}
		reason = ReasonKnownText
	}
	s.drop(pl, viewString(s.text), reason)
	return false
}

// concretenessOf returns how concrete the noun that a plan replaces and the new one are together.
func (s *sink) concretenessOf(pl *plan) uint8 {
	if c := &s.judge.claim; s.judge.claimant == pl && c.Was != nil && c.Is != nil {
		return c.Was.Concrete + c.Is.Concrete
	}
	return 0
}

// admit adds n with s.text as its text, unless the image has that text already. It reports whether
// it did.
func (s *sink) admit(n schemas.HardNegative) bool {
	s.normal = scenegraph.AppendNormalized(s.normal[:0], viewString(s.text))
	if !s.texts.add(scenegraph.NormalizedID(s.normal)) {
		return false
	}
	n.Text, n.Parts = s.pool.Keep(s.text), s.pool.KeepParts(s.parts)
	s.pool.Negatives = append(s.pool.Negatives, n)
	return true
}

// shareOfClaim is how likely a negative is good at least, beside the least of a positive.
const shareOfClaim = 0.9

// goodUnjudged is how likely a reader calls a negative good that is not judged.
const goodUnjudged = 0.9

// rateNegative returns how likely a reader calls the negative of a plan good, and whether it is kept. It is good
// if its positive is and if what it claims is false and plausible.
func (s *sink) rateNegative(pl *plan) (good float32, keep bool) {
	positive := s.ofCaption
	if pl.method == methods.FillObject || pl.method.Counts() { // which depends on another part too, that may be as good
		positive *= positive
	}
	if of := pl.positiveIndex(); of > 0 {
		positive = s.pool.Positives[of].Confidence
	}
	switch {
	case s.unjudgedSwaps && pl.method.SwapsWords() || !s.judge.enabled:
		return positive * goodUnjudged, true
	case pl.method.Counts() || s.judge.claimant != pl || s.judge.claim.Settled: // nothing is claimed that may be implausible
		if s.drops.Judged != nil && pl.method.Counts() && s.judge.claimant == pl { // the judge of whole negatives learns from counts too
			s.rateClaim(pl.method, pl.method.String(), pl.positiveIndex())
		}
		good = positive * goodUnjudged
		return good, good >= s.leastGood || pl.method.Exchanges()
	case s.judge.claim.Certain:
		return positive * goodUnjudged, !s.judge.isOneSided(minMissingOfExchange)
	}
	as := pl.method
	if as == methods.FillRelation {
		as = methods.ReplaceRelation // whose claims are the same
	}
	claim, keep := s.rateClaim(as, pl.method.String(), pl.positiveIndex())
	good = positive * float32(claim)
	return good, keep && good >= s.leastGood && !s.judge.isOneSided(minMissing)
}

// rateClaim returns how likely a reader calls the current claim good, which s.text makes, and whether that is enough, by the
// weights and the cut of a method. method is the name of the one that made it, of a positive.
func (s *sink) rateClaim(as methods.Method, method string, positive int16) (good float64, enough bool) {
	score, cut, judged := s.judge.score(as, s.pool.Positives[positive].Text, viewString(s.text))
	cut += s.strictness
	if judged && s.drops.Judged != nil {
		s.drops.Judged(Judged{
			Caption: s.caption, Positive: s.pool.Positives[positive].Text, Text: string(s.text), Method: method, As: as, Score: score, Cut: cut,
			Evidence: slices.Clone(s.judge.evidence),
		})
	}
	if !judged {
		return goodUnjudged, true
	}
	return 1 / (1 + portable.Exp(-score)), score >= cut
}

// dropPhrase reports that a phrase is no negative, and why.
func (s *sink) dropPhrase(pl *plan, p *say.Phrase, reason Reason) {
	if s.text = s.text[:0]; s.drops.Each != nil {
		s.text = say.AppendPhrase(s.text, p)
	}
	s.drop(pl, viewString(s.text), reason)
}

// dropChoice reports that a choice for a slot is no negative, and why.
func (s *sink) dropChoice(pl *plan, c choice, reason Reason) {
	word := ""
	if s.drops.Each != nil { // which spares a look at the word
		word = c.text()
	}
	s.drop(pl, word, reason)
}

// drop reports that a candidate of a plan is no negative: a text, or a word for a slot before it
// has a text.
func (s *sink) drop(pl *plan, candidate string, reason Reason) {
	s.dropBy(pl.method.String(), candidate, reason)
}

// dropBy reports that a candidate of a method is no negative, and why.
func (s *sink) dropBy(method, candidate string, reason Reason) {
	s.drops.N[reason]++
	if s.drops.Each != nil {
		s.drops.Each(Dropped{Caption: s.caption, Text: strings.Clone(candidate), Method: method, Reason: reason})
	}
}

// viewString is b as a string for as long as b is not written.
func viewString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
