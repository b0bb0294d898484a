package negatives

import (
	"strings"
	"unsafe"

	"capgraph/negatives/say"
	"capgraph/negatives/words"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// emitPhrase says a phrase and adds it as a negative. It reports whether it did.
func (g *Generator) emitPhrase(pl *plan, p *say.Phrase, changed, category string) bool {
	p, ok := g.inWordsOf(pl.said, p)
	if !ok {
		g.dropPhrase(pl, p, ReasonGrammar)
		return false
	}
	g.text = say.AppendPhrase(g.text[:0], p)
	switch caption := g.out.Positives[0].Text; {
	case pl.positiveIndex() != 0:
	case pl.method.Replaces():
		g.normal = append(g.normal[:0], g.text...)
		said := string(say.AppendPhrase(nil, &pl.said.phrase))
		var fits bool
		if g.text, fits = g.respell.Apply(g.text[:0], caption, said, viewString(g.normal), g.caption.text == caption && g.caption.isTitle()); !fits {
			g.reportDrop(pl, viewString(g.normal), ReasonGrammar)
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
		g.reportDrop(pl, viewString(g.text), ReasonGrammar)
		return false
	}
	return g.emitNegative(pl, changed, category)
}

// emitNegative adds g.text as a negative, unless it is known or there already. It says
// whether it did.
func (g *Generator) emitNegative(pl *plan, changed, category string) bool {
	reason := noReason
	switch {
	case !g.passesJudge(pl):
		reason = ReasonImplausible
	case !g.addUnlessKnown(schemas.HardNegative{
		Of: pl.positiveIndex(), Method: pl.method.String(), Changed: changed, Category: category, Sentence: pl.sentence, Truth: g.halfTruthText(pl),
	}):
		reason = ReasonKnownText
	default:
		return true
	}
	g.reportDrop(pl, viewString(g.text), reason)
	return false
}

// addUnlessKnown adds n with g.text as its text, unless that is known or there already. It says
// whether it did.
func (g *Generator) addUnlessKnown(n schemas.HardNegative) bool {
	g.normal = scenegraph.AppendNormalized(g.normal[:0], viewString(g.text))
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
	g.reportDrop(pl, viewString(g.text), reason)
}

// reportDrop says that a candidate came to nothing: a text, or a word for a slot before
// it was said.
func (g *Generator) reportDrop(pl *plan, candidate string, reason Reason) {
	g.reportDropOf(pl.method.String(), pl.caption, candidate, reason)
}

// reportDropOf is drop for a method that has no plan.
func (g *Generator) reportDropOf(method string, caption int, candidate string, reason Reason) {
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
	g.reportDrop(pl, word, reason)
}

// viewString is b as a string for as long as b is not written.
func viewString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
