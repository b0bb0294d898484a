package negatives

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/scenegraph"
	"capgraph/schemas"
)

// A sentence of a longer caption is a positive of its own if it can be read without the others. So are two sentences in
// a row if the second refers to the first: "A dog lies on a rug. It has a red collar." Things that are not visible are
// cut off at the end: "…, adding a touch of warmth to the scene".

// statedSentence is a positive that consists of one sentence of its caption, or several in a row.
type statedSentence struct {
	of          int16
	first, last int    // tokens
	subject     string // replaces the first named tokens: "The fountain is" for "It's"
	named       int
	sentence    int16
}

// maxPairTokens is the most tokens that two joined sentences may have if a third is to be joined to them.
const maxPairTokens = 30

// minSentenceTokens is the least number of tokens of a sentence that is a positive.
const minSentenceTokens = 4

// stateSentences makes the positives of a caption that are sentences. It appends them to the pool, to dst and, as ids,
// to known.
func (d *decomposer) stateSentences(c *Caption, caption int, dst []statedSentence, pool *schemas.Pool, known *idSet) []statedSentence {
	d.faults = d.faults[:0]
	if !d.natural || !hasSentences(c) {
		return dst
	}
	d.subgraphs = scenegraph.Decompose(&c.Graph, d.subgraphs[:0])
	d.lower = d.lower[:0]
	for i := range c.Tokens {
		t := &c.Tokens[i]
		d.lower = append(d.lower, strings.ToLower(c.Text[t.Begin:t.End]))
	}
	s := newSentenceReader(c, d.lower)
	before := statedSentence{first: -1}
	for first, n := 0, int16(0); first < len(c.Tokens); n++ {
		last := first
		for last < len(c.Tokens)-1 && c.Tokens[last].Tag != "." {
			last++
		}
		next := last + 1
		for next < len(c.Tokens) && c.Tokens[next].Tag == "." {
			next++
		}
		now := statedSentence{first: first, last: last, sentence: n}
		why := s.trimSentence(&now)
		if c.Tokens[last].Tag != "." {
			why = faultCutOff
		}
		readable := why == noFault
		switch {
		case readable && s.standsAlone(&now):
			dst = d.stateSentence(c, caption, now, dst, pool, known)
		case readable && before.first >= 0 && now.named == 0 && now.first <= first+2 && !s.needsMore(&now, s.listContinuations(&before)): // a pronoun refers to it
			now.first, now.subject, now.named = before.first, before.subject, before.named
			dst = d.stateSentence(c, caption, now, dst, pool, known)
			readable = now.last-now.first < maxPairTokens
		case readable && (s.nameSubject(&now) || s.leaveOut(&now)):
			dst = d.stateSentence(c, caption, now, dst, pool, known)
		case readable:
			why, readable = faultNeedsMore, false
		}
		d.faults = append(d.faults, why)
		if before = now; !readable || now.last+2 < next { // the next sentence cannot be joined to it
			before.first = -1
		}
		first = next
	}
	return dst
}

// stateSentence adds a sentence to the pool as a positive and appends it to dst, unless the pool has the same text.
func (d *decomposer) stateSentence(c *Caption, caption int, s statedSentence, dst []statedSentence, pool *schemas.Pool, known *idSet) []statedSentence {
	d.text = appendSentence(d.text[:0], s.subject, c.Text[s.begin(c.Tokens):c.Tokens[s.last].End])
	d.normal = scenegraph.AppendNormalized(d.normal[:0], viewString(d.text))
	id := scenegraph.NormalizedID(d.normal)
	if slices.ContainsFunc(pool.Positives, func(p schemas.Positive) bool { return p.ID == id }) {
		return dst
	}
	known.add(id)
	text := schemas.Positive{Text: pool.Keep(d.text), Kind: schemas.KindSentence, ID: id, Confidence: sentenceConfidence}
	d.setStatedParts(c, caption, &text, pool, func(part scenegraph.SubGraph) bool {
		first, last := boundsOf(c, part)
		return c.Tokens[s.first].Begin <= first && last < c.Tokens[s.last].End
	})
	s.of = int16(len(pool.Positives))
	pool.Positives = append(pool.Positives, text)
	return append(dst, s)
}

// sentenceConfidence is the confidence of each sentence of a caption as a positive: about the share that readers called good.
const sentenceConfidence = 0.95

// appendSentence appends subject and text as a sentence, with a capital and a full stop.
func appendSentence(dst []byte, subject, text string) []byte {
	text = subject + text
	r, n := utf8.DecodeRuneInString(text)
	dst = append(utf8.AppendRune(dst, unicode.ToUpper(r)), text[n:]...)
	if last := dst[len(dst)-1]; last != '.' && last != '!' && last != '?' {
		dst = append(dst, '.')
	}
	return dst
}

// reportUnsaid passes the sentences that no positive states to Drops.Unsaid.
func (d *decomposer) reportUnsaid(caption int, j *captionJob) {
	if d.drops == nil || d.drops.Unsaid == nil {
		return
	}
	said := make([]bool, len(d.faults))
	for i := range j.parts {
		if n := int(j.parts[i].sentence); n < len(said) {
			said[n] = true
		}
	}
	c := j.caption
	for _, s := range j.sentences {
		for n := sentenceAt(c.Tokens, c.Tokens[s.first].Begin); n <= s.sentence; n++ {
			said[n] = true
		}
	}
	begin := 0
	for n, why := range d.faults {
		end := begin
		for end < len(c.Tokens) && int(sentenceAt(c.Tokens, c.Tokens[end].Begin)) == n {
			end++
		}
		if !said[n] && end > begin {
			d.drops.Unsaid(UnsaidSentence{caption, c.Text[c.Tokens[begin].Begin:c.Tokens[end-1].End], string(why)})
		}
		begin = end
	}
}

// textOf appends the negative of a sentence to dst. full is the negative of its whole caption.
func (x *statedSentence) textOf(dst []byte, full, caption string, tokens []schemas.Token) []byte {
	after := len(caption) - int(tokens[x.last].End)
	return appendSentence(dst, x.subject, full[x.begin(tokens):len(full)-after])
}

// begin returns the byte of the caption at which the sentence continues after its subject.
func (x *statedSentence) begin(tokens []schemas.Token) int32 {
	if x.named > 0 {
		return tokens[x.first+x.named-1].End
	}
	return tokens[x.first].Begin
}
