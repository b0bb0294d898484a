package negatives

import (
	"strings"
	"unsafe"

	"capgraph/negatives/say"
	"capgraph/negatives/words"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// emitPhrase says a phrase and adds it as a negative. It says whether it did.
func (g *Generator) emitPhrase(pl *plan, p *say.Phrase, changed, category string) bool {
	p, ok := g.inWords(pl.said, p)
	if !ok {
		g.dropPhrase(pl, p, ReasonGrammar)
		return false
	}
	g.text = say.AppendPhrase(g.text[:0], p)
	switch caption := g.out.Positives[0].Text; {
	case pl.of() != 0:
	case pl.method.Replaces():
		g.normal = append(g.normal[:0], g.text...)
		said := string(say.AppendPhrase(nil, &pl.said.phrase))
		var fits bool
		if g.text, fits = g.respell.Apply(g.text[:0], caption, said, view(g.normal), g.caption.text == caption && g.caption.titled()); !fits {
			g.drop(pl, view(g.normal), ReasonGrammar)
			return false
		}
	default:
		g.text = say.AppendAsCaption(g.text, caption)
	}
	return g.emitText(pl, changed, category)
}

// emitText adds g.text as a negative, unless a word in it follows itself. It says
// whether it did.
func (g *Generator) emitText(pl *plan, changed, category string) bool {
	if say.Doubled(g.text) {
		g.drop(pl, view(g.text), ReasonGrammar)
		return false
	}
	return g.emit(pl, changed, category)
}

// emit adds g.text as a negative, unless it is known or there already. It says
// whether it did.
func (g *Generator) emit(pl *plan, changed, category string) bool {
	reason := noReason
	switch {
	case !g.judge(pl):
		reason = ReasonImplausible
	case !g.admit(schemas.HardNegative{
		Of: pl.of(), Method: pl.method.String(), Changed: changed, Category: category, Sentence: pl.sentence, Truth: g.truthOf(pl),
	}):
		reason = ReasonKnownText
	default:
		return true
	}
	g.drop(pl, view(g.text), reason)
	return false
}

// admit adds n with g.text as its text, unless that is known or there already. It says
// whether it did.
func (g *Generator) admit(n schemas.HardNegative) bool {
	g.normal = scenegraph.AppendNormalized(g.normal[:0], view(g.text))
	if !g.known.texts.add(scenegraph.NormalizedID(g.normal)) {
		return false
	}
	n.Text = g.out.Keep(g.text)
	g.out.Negatives = append(g.out.Negatives, n)
	return true
}

// dropPhrase says that a phrase came to nothing.
func (g *Generator) dropPhrase(pl *plan, p *say.Phrase, reason Reason) {
	if g.text = g.text[:0]; g.drops.Each != nil {
		g.text = say.AppendPhrase(g.text, p)
	}
	g.drop(pl, view(g.text), reason)
}

// drop says that a candidate came to nothing: a text, or a word for a slot before
// it was said.
func (g *Generator) drop(pl *plan, candidate string, reason Reason) {
	g.dropBy(pl.method.String(), pl.caption, candidate, reason)
}

// dropBy is drop for a method that has no plan.
func (g *Generator) dropBy(method string, caption int, candidate string, reason Reason) {
	g.drops.N[reason]++
	if g.drops.Each != nil {
		g.drops.Each(Dropped{Caption: caption, Text: strings.Clone(candidate), Method: method, Reason: reason})
	}
}

// dropChoice says that a choice for a slot came to nothing.
func (g *Generator) dropChoice(pl *plan, c words.Choice, reason Reason) {
	word := ""
	if g.drops.Each != nil { // which spares a look at the word
		word = c.Text()
	}
	g.drop(pl, word, reason)
}

// view is b as a string for as long as b is not written.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
