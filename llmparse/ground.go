package llmparse

import (
	"strings"

	"capgraph/schemas"
)

// grounder finds the parts of a reply in its caption.
type grounder struct {
	rules  Rules
	text   string
	lower  string // text in lower case; empty if that changes its length
	tokens []schemas.Token
	words  []string // tokens in lower case
	taken  []bool   // tokens that name an object already
	phrase []schemas.Token
}

// reset makes g ready for a text with its tokens.
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

// finding is the place at which the caption names an entity.
type finding struct {
	said    bool  // the caption names it
	taken   bool  // but every place that does is another entity's
	at      int32 // byte at which it is named
	missing int   // how many of its attributes the caption does not say
}

// run is the tokens [from, to) of the caption.
type run struct{ from, to int }

// groundObject looks for an entity in the caption, first letter for letter, then word by word and
// by lemma. It fills out if the caption names the entity and no other has that place.
func (g *grounder) groundObject(entity string, out *schemas.Object) finding {
	entity = withoutArticle(entity)
	var first, free run
	g.eachMatch(entity, func(r run) bool {
		if first.to == 0 {
			first = r
		}
		if !g.overlaps(r.from, r.to) {
			free = r
		}
		return free.to == 0
	})
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

// withoutArticle is an entity without the article that it should not have.
func withoutArticle(entity string) string {
	entity = strings.TrimSpace(entity)
	for _, article := range []string{"a ", "an ", "the "} {
		if len(entity) > len(article) && strings.EqualFold(entity[:len(article)], article) {
			return strings.TrimSpace(entity[len(article):])
		}
	}
	return entity
}

// eachMatch calls visit with each place that says phrase, in the caption's order,
// until visit returns false: places that say it letter for letter, or else
// places that say it word by word, by form or lemma.
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

// matchLiteral reports whether the caption says low from token from to the end of a
// token.
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

// matchLemmas reports whether the caption's tokens from at are words, by form or lemma.
func (g *grounder) matchLemmas(at int, words []schemas.Token, low string) bool {
	for i, w := range words {
		word := ""
		if int(w.End) <= len(low) { // a change of case may have shortened it
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

// groundScattered finds an entity whose words the caption says apart or in another
// order: "brown box" in "a box that is brown".
func (g *grounder) groundScattered(entity string, out *schemas.Object) finding {
	nounPhrase(g.rules, entity, g.rules.Tokens(entity, nil), 0, out)
	var first, free run
	g.eachMatch(out.Name, func(r run) bool {
		if first.to == 0 {
			first = r
		}
		if !g.overlaps(r.from, r.to) {
			free = r
		}
		return free.to == 0
	})
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

// nearestMatch returns the place of phrase in the caption that begins nearest to token near.
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

// byteRange returns the bytes at which a run begins and ends.
func (g *grounder) byteRange(r run) (begin, end int32) {
	return g.tokens[r.from].Begin, g.tokens[r.to-1].End
}

// tokenAt is the first token that ends after byte offset at.
func (g *grounder) tokenAt(at int32) int {
	for i, t := range g.tokens {
		if t.End > at {
			return i
		}
	}
	return len(g.tokens)
}

// analyseRun makes an object of the noun phrase in a run.
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

// nounPhrase makes an object of a phrase with its tokens, whose offsets count
// from base. What follows the noun with a preposition or a participle is an
// attribute ("in blue" in "woman in blue").
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
