package negatives

import (
	"context"
	"fmt"

	"capgraph/negatives/say"
	"capgraph/schemas"
)

// wholeState is what the generator makes of what an author writes.
type wholeState struct {
	captions      []string
	of            []int // which caption of the image each is
	texts         [][]Whole
	revision      revision
	before, after statements
	difference    difference
}

// addWholes adds the whole negatives of an image's captions.
func (g *Generator) addWholes(ctx context.Context, img *Image, pools []schemas.Pool) error {
	if g.author == nil {
		return nil
	}
	w := &g.written
	w.captions, w.of = w.captions[:0], w.of[:0]
	for i := range img.Captions {
		if c := &img.Captions[i]; len(c.Tokens) > 0 && g.opts.Whole.Selects(g.seed, c.Text) {
			w.captions, w.of = append(w.captions, c.Text), append(w.of, i)
		}
	}
	if len(w.captions) == 0 {
		return nil
	}
	w.texts = schemas.Resize(w.texts, len(w.captions))
	clear(w.texts)
	if err := g.author.Write(ctx, w.captions, w.texts); err != nil {
		return fmt.Errorf("write negatives of %s: %w", img.Key, err)
	}
	for n, i := range w.of {
		g.caption = &g.captions[i]
		g.sink.beginCaption(i, &pools[i], g.caption)
		w.revision.begin(w.captions[n], g.reader)
		w.before.read(g.dict.words, &w.revision.before.Graph)
		for _, t := range w.texts[n] {
			g.addWhole(&t)
		}
	}
	return nil
}

// addWhole adds one whole negative of a caption, or tells why not.
func (g *Generator) addWhole(t *Whole) {
	w, method := &g.written, wholePrefix+t.Type
	r := &w.revision
	reason, text := ReasonOtherChange, t.Text
	if r.revise(t.Text, g.reader) {
		text = withFinalStop(r.text, g.sink.pool.Positives[0].Text)
		reason = g.checkWhole(t.Type)
	}
	g.sink.text = append(g.sink.text[:0], text...)
	if reason == noReason && !g.judgeWhole(t.Type) {
		reason = ReasonImplausible
	}
	if reason == noReason {
		if g.sink.admit(schemas.HardNegative{Method: method, Changed: wholeChanges(t.Type), Category: schemas.CategoryNone}) {
			return
		}
		reason = ReasonKnownText
	}
	g.sink.dropBy(method, text, reason)
}

// wholeChanges is what a type changes.
func wholeChanges(kind string) string {
	for _, t := range wholeTypes {
		if t.name == kind {
			return t.changed
		}
	}
	return ""
}

// checkWhole says why the text of the revision is no negative of a type.
func (g *Generator) checkWhole(kind string) Reason {
	w, r := &g.written, &g.written.revision
	w.after.read(g.dict.words, &r.after.Graph)
	w.difference.read(&w.before, &w.after)
	switch {
	case r.countChanges() == 0:
		return ReasonKnownText
	case r.hasSameOrder(), w.difference.isEmpty() && r.hasSameWords():
		return ReasonSynonym
	case !w.difference.changesOnly(kind, g.dict.words, r, &w.before):
		return ReasonOtherChange
	case !r.articlesFit(), say.Doubled([]byte(r.text)):
		return ReasonGrammar
	}
	return g.mayBeTrue(kind)
}
