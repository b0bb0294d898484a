package llmparse

import (
	"strings"

	"capgraph/schemas"
)

// grounder finds the entities and predicates of a reply in its caption.
type grounder struct {
	rules  Rules
	text   string
	lower  string // text in lower case; empty if that changes its length
	tokens []schemas.Token
	words  []string // tokens in lower case
	taken  []bool   // whether each token belongs to an object already
	phrase []schemas.Token
}

// reset prepares g for the caption text with its tokens.
func (g *grounder) reset(text string, tokens []schemas.Token) {
	g.text, g.tokens = text, tokens
	if g.lower = strings.ToLower(text); len(g.lower) != len(text) {
		g.lower = ""
	}
	g.words = g.words[:0]
	for _, t := range tokens {
		if g.lower != "" {
			g.words = append(g.words, g.lower[t.Begin:t.End])
		} else {
			g.words = append(g.words, strings.ToLower(text[t.Begin:t.End]))
		}
	}
	g.taken = append(g.taken[:0], make([]bool, len(tokens))...)
}

// finding is the result of the search for an entity in the caption.
type finding struct {
	said    bool  // the caption names it
	taken   bool  // it does, but only with tokens of other objects
	at      int32 // byte of the caption where the name begins
	missing int   // number of the entity's attributes that the caption does not say
}

// run is the tokens [from, to) of the caption.
type run struct{ from, to int }

// groundObject searches the caption for an entity: for the same letters, then for the same words or
// lemmas. If it finds tokens that belong to no other object, it fills out.
func (g *grounder) groundObject(entity string, out *schemas.Object) finding {
	entity = withoutArticle(entity)
	first, free := g.findMatches(entity)
	switch {
	case free.to > 0:
		g.analyseRun(free, out)
		g.markTaken(out.Begin, out.End)
		return finding{said: true, at: out.Begin}
	case first.to > 0:
		g.analyseRun(first, out)
		return finding{said: true, taken: true, at: out.Begin}
	}
	return g.groundScattered(entity, out)
}

// withoutArticle returns entity without a leading article.
func withoutArticle(entity string) string {
	entity = strings.TrimSpace(entity)
	for _, article := range []string{"a ", "an ", "the "} {
		if len(entity) > len(article) && strings.EqualFold(entity[:len(article)], article) {
			return strings.TrimSpace(entity[len(article):])
		}
	}
	return entity
}

// findMatches returns the first occurrence of phrase in the caption, and the first that overlaps no object found so far.
// Each is the zero run if there is none.
func (g *grounder) findMatches(phrase string) (first, free run) {
	g.eachMatch(phrase, func(r run) bool {
		if first.to == 0 {
			first = r
		}
		if !g.overlaps(r.from, r.to) {
			free = r
		}
		return free.to == 0
	})
	return first, free
}

// eachMatch calls visit with each occurrence of phrase in the caption, from left to right, until
// visit returns false. Occurrences with the same letters come alone if there are any, else those
// with the same words or lemmas.
func (g *grounder) eachMatch(phrase string, visit func(run) bool) {
	low := strings.ToLower(phrase)
	if low == "" {
		return
	}
	literal := false
	for from := range g.tokens {
		if to, ok := g.matchLiteral(from, low); ok {
			literal = true
			if !visit(run{from, to}) {
				return
			}
		}
	}
	if literal {
		return
	}
	g.phrase = g.rules.Tokens(phrase, g.phrase)
	if len(g.phrase) == 0 {
		return
	}
	for from := 0; from+len(g.phrase) <= len(g.tokens); from++ {
		if g.matchLemmas(from, g.phrase, low) && !visit(run{from, from + len(g.phrase)}) {
			return
		}
	}
}

// matchLiteral reports whether the caption has low, in lower case, from the start of token from to
// the end of a token; to is the index after that token.
func (g *grounder) matchLiteral(from int, low string) (to int, ok bool) {
	begin := g.tokens[from].Begin
	if g.lower == "" || !strings.HasPrefix(g.lower[begin:], low) {
		return 0, false
	}
	end := begin + int32(len(low))
	for to := from; to < len(g.tokens) && g.tokens[to].End <= end; to++ {
		if g.tokens[to].End == end {
			return to + 1, true
		}
	}
	return 0, false
}

// matchLemmas reports whether each of the caption's tokens from at on equals the word at its place
// in words, or has its lemma.
func (g *grounder) matchLemmas(at int, words []schemas.Token, low string) bool {
	for i, w := range words {
		word := ""
		if int(w.End) <= len(low) { // low may be shorter than the phrase
			word = low[w.Begin:w.End]
		}
		if (word == "" || g.words[at+i] != word) && (w.Lemma == "" || g.tokens[at+i].Lemma != w.Lemma) {
			return false
		}
	}
	return true
}

func (g *grounder) overlaps(from, to int) bool {
	for _, t := range g.taken[from:to] {
		if t {
			return true
		}
	}
	return false
}

func (g *grounder) markTaken(begin, end int32) {
	for i, t := range g.tokens {
		if t.Begin >= begin && t.End <= end {
			g.taken[i] = true
		}
	}
}

// groundScattered searches for an entity whose words are apart or in another order in the caption:
// "brown box" in "a box that is brown".
func (g *grounder) groundScattered(entity string, out *schemas.Object) finding {
	nounPhrase(g.rules, entity, g.rules.Tokens(entity, nil), 0, out)
	first, free := g.findMatches(out.Name)
	switch {
	case first.to == 0:
		return finding{}
	case free.to == 0:
		return finding{said: true, taken: true, at: g.tokens[first.from].Begin}
	}
	out.Begin, out.End = g.byteRange(free)
	g.markTaken(out.Begin, out.End)
	missing := 0
	kept := out.Attributes[:0]
	for _, a := range out.Attributes {
		r, ok := g.nearestMatch(a.Text, free.from)
		if !ok {
			missing++
			continue
		}
		a.Begin, a.End = g.byteRange(r)
		if a.Begin > out.Begin {
			a.Form = schemas.Post
		}
		kept = append(kept, a)
	}
	out.Attributes = kept
	if _, ok := g.nearestMatch(out.Quantity, free.from); out.Quantity != "" && !ok {
		out.Quantity = ""
		missing++
	}
	return finding{said: true, at: out.Begin, missing: missing}
}

// nearestMatch returns the occurrence of phrase in the caption that begins nearest to token near.
func (g *grounder) nearestMatch(phrase string, near int) (best run, ok bool) {
	g.eachMatch(phrase, func(r run) bool {
		if !ok || distance(r.from, near) < distance(best.from, near) {
			best, ok = r, true
		}
		return true
	})
	return best, ok
}

func distance(a, b int) int { return max(a-b, b-a) }

// byteRange returns the offsets of the begin and the end of a run in the caption.
func (g *grounder) byteRange(r run) (begin, end int32) {
	return g.tokens[r.from].Begin, g.tokens[r.to-1].End
}

// tokenAt returns the index of the first token that ends after byte at.
func (g *grounder) tokenAt(at int32) int {
	for i, t := range g.tokens {
		if t.End > at {
			return i
		}
	}
	return len(g.tokens)
}

// analyseRun fills out with the object that the words of a run name.
func (g *grounder) analyseRun(r run, out *schemas.Object) {
	begin, end := g.byteRange(r)
	nounPhrase(g.rules, g.text[begin:end], g.tokens[r.from:r.to], begin, out)
	out.Begin += begin
	out.End += begin
	for i := range out.Attributes {
		out.Attributes[i].Begin += begin
		out.Attributes[i].End += begin
	}
}

// nounPhrase fills out with the object that phrase names. ts are its tokens, with offsets in a text
// in which phrase begins at base. A preposition or participle after the noun begins an attribute:
// "in blue" in "woman in blue".
func nounPhrase(rules Rules, phrase string, ts []schemas.Token, base int32, out *schemas.Object) {
	for i, t := range ts {
		if i == 0 || t.Lemma == "of" || !ts[i-1].IsNoun() {
			continue
		}
		if t.Tag == "IN" || t.Tag == "TO" || t.Tag == "WDT" || t.Tag == "VBG" && i+1 < len(ts) {
			rules.NounPhrase(phrase[:ts[i-1].End-base], out)
			out.Attributes = append(out.Attributes, schemas.Attribute{
				Text: strings.ToLower(phrase[t.Begin-base:]), Form: schemas.Post, Begin: t.Begin - base, End: int32(len(phrase)),
			})
			return
		}
	}
	rules.NounPhrase(phrase, out)
}
