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

// sink takes the candidates of an image one by one. It adds each to the pool of its caption or drops it with a reason.
// It is the only way in which editors make negatives.
type sink struct {
	drops *Drops
	// texts are the ids of the image's positives and negatives, so that no text is made twice.
	texts idSet
	// caption is the index of the current caption, pool has its texts, and words its tokens.
	caption int
	pool    *schemas.Pool
	words   *captionWords
	// sentences are the sentences of the caption that are positives.
	sentences []statedSentence
	// ofCaption is the highest confidence of the caption's other positives.
	ofCaption float32
	// leastGood is the least probability that a negative is good. A negative that makes no sense is worse than none.
	leastGood float32
	// strictness is added to the cuts of the judge.
	strictness float64

	other   *say.OtherWords
	respell say.Respell
	judge   judge
	// unjudgedSwaps is set if swaps of words are kept even if they may be true or make no sense.
	unjudgedSwaps bool
	// text is the text of the current candidate, truth that of the true text beside a half-truth. normal is scratch
	// memory. Strings that view them are valid until the next write.
	text, truth, normal []byte
	// parts are the hashes of the parts that the current phrase states; empty for other texts.
	parts []int32
}

// beginCaption makes a caption and its pool the current ones.
func (s *sink) beginCaption(caption int, pool *schemas.Pool, words *captionWords, sentences []statedSentence) {
	s.caption, s.pool, s.words, s.sentences, s.strictness = caption, pool, words, sentences, 0
	s.ofCaption = goodOfUnparsed
	for _, p := range pool.Positives[1:] {
		s.ofCaption = max(s.ofCaption, p.Confidence)
	}
}

// goodOfUnparsed is ofCaption for a caption whose only positive is itself.
const goodOfUnparsed = 0.8

// emitPhrase puts an edited phrase into words and adds it as a negative. It reports whether it was added.
func (s *sink) emitPhrase(pl *plan, edited *say.Phrase, changed, category string) bool {
	p, ok := s.rephraseLike(pl.said, edited)
	if !ok || !p.FitsTemplate() {
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

// rephraseLike returns an edited phrase in the paraphrase that its sub-graph has. ok is false if the phrase has no such
// paraphrase.
func (s *sink) rephraseLike(part *statedPart, p *say.Phrase) (*say.Phrase, bool) {
	if part.way == say.AsIs {
		return p, true
	}
	q := *p
	ok := s.other.Paraphrase(&q, part.way)
	if !ok && (part.way == say.EndedWay || part.way == say.RenamedWay) { // the word with a synonym was replaced
		return p, true
	}
	return &q, ok
}

// emitSplices adds the caption with the splices as a negative. If the sentence with the splices is a positive of its
// own, it adds that sentence instead. It reports whether a negative was added.
func (s *sink) emitSplices(pl *plan, changed string, splices ...splice) bool {
	pl.sentence, pl.whole = sentenceAt(s.words.tokens, s.words.tokens[splices[0].first].Begin), 0
	sentence := slices.IndexFunc(s.sentences, func(x statedSentence) bool {
		return x.first+x.named <= splices[0].first && splices[len(splices)-1].last <= x.last
	})
	if sentence < 0 && splices[0].first >= maxWholeTokens {
		s.drop(pl, splices[0].text, ReasonCap)
		return false
	}
	s.text = s.words.applySplices(s.text[:0], splices)
	from, end := 0, len(s.words.tokens)
	if sentence >= 0 {
		from, end = s.sentences[sentence].first, s.sentences[sentence].last+1
	}
	if !s.unjudgedSwaps && s.words.isRestated(pl.method, from, end, splices) {
		s.drop(pl, viewString(s.text), ReasonRestated)
		return false
	}
	if s.words.repeatsNeighbour(splices) {
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

// maxWholeTokens is how many tokens at the beginning of a long caption may be changed in the whole caption. The text
// encoders of most models cut off later ones, since they hold 77 of their own tokens.
const maxWholeTokens = 56

// categoryIn returns the category of a negative of a sentence, given what changed.
func categoryIn(changed string) string {
	if changed == schemas.ChangedAttribute {
		return schemas.CategoryAttribute
	}
	return schemas.CategoryRelation
}

// emitSwap adds the caption with two splices as a negative. It drops it if there is a reason, unless unjudgedSwaps is
// set. It reports whether a negative was added.
func (s *sink) emitSwap(pl *plan, reason Reason, splices func() [2]splice) bool {
	if reason == noReason || s.unjudgedSwaps {
		both := splices()
		return s.emitSplices(pl, schemas.ChangedOrder, both[:]...)
	}
	if s.text = s.text[:0]; s.drops.Each != nil {
		both := splices()
		s.text = s.words.applySplices(s.text, both[:])
	}
	s.drop(pl, viewString(s.text), reason)
	return false
}

// dropSplice drops the caption with a splice for a reason.
func (s *sink) dropSplice(pl *plan, x splice, reason Reason) {
	if s.text = s.text[:0]; s.drops.Each != nil {
		s.text = s.words.applySplices(s.text, []splice{x})
	}
	s.drop(pl, viewString(s.text), reason)
}

// emitText adds s.text as a negative, unless it has the same word twice in a row. It reports whether it was added.
func (s *sink) emitText(pl *plan, changed, category string) bool {
	if say.Doubled(s.text) {
		s.drop(pl, viewString(s.text), ReasonGrammar)
		return false
	}
	return s.emitNegative(pl, changed, category)
}

// emitNegative adds s.text as a negative if the judge accepts it and the image does not have that text yet. It reports
// whether it was added.
func (s *sink) emitNegative(pl *plan, changed, category string) bool {
	reason, truth := ReasonImplausible, ""
	if good, passes := s.rateNegative(pl); passes {
		if pl.method.IsHalfTruth() {
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

// concretenessOf returns the sum of the concreteness of the replaced noun and its replacement, or 0.
func (s *sink) concretenessOf(pl *plan) uint8 {
	if c := &s.judge.claim; s.judge.claimant == pl && c.Was != nil && c.Is != nil {
		return c.Was.Concrete + c.Is.Concrete
	}
	return 0
}

// admit adds n with s.text as its text, unless the image has that text already. It reports whether it was added.
func (s *sink) admit(n schemas.HardNegative) bool {
	s.normal = scenegraph.AppendNormalized(s.normal[:0], viewString(s.text))
	if !s.texts.add(scenegraph.NormalizedID(s.normal)) {
		return false
	}
	n.Text, n.Parts = s.pool.Keep(s.text), s.pool.KeepParts(s.parts)
	s.pool.Negatives = append(s.pool.Negatives, n)
	return true
}

// shareOfClaim is the part of a negative's least probability of being good that is due to its claim; the other part is
// due to its positive.
const shareOfClaim = 0.9

// goodUnjudged is the probability that a negative is good which the judge does not rate, given that its positive is.
const goodUnjudged = 0.9

// rateNegative returns the probability that the negative of a plan is good, and whether to keep it. It is good if its
// positive is good and its claim is false and plausible.
func (s *sink) rateNegative(pl *plan) (good float32, keep bool) {
	positive := s.ofCaption
	if pl.method == methods.FillObject || pl.method.Counts() { // it depends on a second part of the caption, which may be as good
		positive *= positive
	}
	if of := pl.positiveIndex(); of > 0 {
		positive = s.pool.Positives[of].Confidence
	}
	switch {
	case s.unjudgedSwaps && pl.method.SwapsWords() || !s.judge.enabled:
		return positive * goodUnjudged, true
	case pl.method.Counts() || s.judge.claimant != pl || s.judge.claim.Settled: // no claim that may be implausible
		if s.drops.Judged != nil && pl.method.Counts() && s.judge.claimant == pl { // the judge of whole negatives is trained on counts too
			s.rateClaim(pl.method, pl.method.String(), pl.positiveIndex())
		}
		good = positive * goodUnjudged
		return good, good >= s.leastGood || pl.method.Exchanges()
	case s.judge.claim.Certain:
		return positive * goodUnjudged, !s.judge.isOneSided(minMissingOfExchange)
	}
	as := pl.method
	if as == methods.FillRelation {
		as = methods.ReplaceRelation // its claims are of the same form
	}
	claim, keep := s.rateClaim(as, pl.method.String(), pl.positiveIndex())
	good = positive * float32(claim)
	return good, keep && good >= s.leastGood && !s.judge.isOneSided(minMissing)
}

// rateClaim returns the probability that the current claim, stated by s.text, is good, and whether that is enough. It
// uses the weights and the cut of method as. method is the name of the negative's own method, and positive the index of
// its positive.
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

// dropPhrase drops a phrase for a reason.
func (s *sink) dropPhrase(pl *plan, p *say.Phrase, reason Reason) {
	if s.text = s.text[:0]; s.drops.Each != nil {
		s.text = say.AppendPhrase(s.text, p)
	}
	s.drop(pl, viewString(s.text), reason)
}

// dropChoice drops a candidate for a slot for a reason.
func (s *sink) dropChoice(pl *plan, c choice, reason Reason) {
	word := ""
	if s.drops.Each != nil { // only then is the word needed
		word = c.text()
	}
	s.drop(pl, word, reason)
}

// drop drops a candidate of a plan for a reason. candidate is its text, or the word for the slot if there is no text
// yet.
func (s *sink) drop(pl *plan, candidate string, reason Reason) {
	s.dropBy(pl.method.String(), candidate, reason)
}

// dropBy drops a candidate of a method for a reason.
func (s *sink) dropBy(method, candidate string, reason Reason) {
	s.drops.N[reason]++
	if s.drops.Each != nil {
		s.drops.Each(Dropped{Caption: s.caption, Text: strings.Clone(candidate), Method: method, Reason: reason})
	}
}

// viewString returns b as a string, without a copy. It is valid until b changes.
func viewString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
