package negatives

import (
	"context"
	"fmt"

	"capgraph/negatives/say"
	"capgraph/schemas"
)

// written is what the generator makes of what an author writes.
type written struct {
	captions      []string
	of            []int // which caption of the image each is
	texts         [][]Whole
	revision      revision
	before, after statements
	difference    difference
}

// write adds the whole negatives of an image's captions.
func (g *Generator) write(ctx context.Context, img *Image, pools []schemas.Pool) error {
	if g.author == nil {
		return nil
	}
	w := &g.written
	w.captions, w.of = w.captions[:0], w.of[:0]
	for i := range img.Captions {
		if c := &img.Captions[i]; len(c.Tokens) > 0 && g.opts.Whole.Takes(g.seed, c.Text) {
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
		g.out, g.caption = &pools[i], &g.captions[i]
		w.revision.begin(w.captions[n], g.reader)
		w.before.read(g.words, &w.revision.before.Graph)
		for _, t := range w.texts[n] {
			g.weigh(i, &t)
		}
	}
	return nil
}

// weigh adds one whole negative of a caption, or tells why not.
func (g *Generator) weigh(caption int, t *Whole) {
	w, method := &g.written, wholePrefix+t.Type
	r := &w.revision
	reason, text := ReasonOtherChange, t.Text
	if r.revise(t.Text, g.reader) {
		text = ended(r.text, g.out.Positives[0].Text)
		reason = g.faults(t.Type)
	}
	g.text = append(g.text[:0], text...)
	if reason == noReason && !g.judgeWhole(t.Type, caption) {
		reason = ReasonImplausible
	}
	if reason == noReason {
		if g.admit(schemas.HardNegative{Method: method, Changed: wholeChanges(t.Type), Category: schemas.CategoryNone}) {
			return
		}
		reason = ReasonKnownText
	}
	g.dropBy(method, caption, text, reason)
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

// faults says why the text of the revision is no negative of a type.
func (g *Generator) faults(kind string) Reason {
	w, r := &g.written, &g.written.revision
	w.after.read(g.words, &r.after.Graph)
	w.difference.read(&w.before, &w.after)
	switch {
	case r.places() == 0:
		return ReasonKnownText
	case r.sameOrder(), w.difference.none() && r.sameWords():
		return ReasonSynonym
	case !w.difference.changes(kind, g.words, r, &w.before):
		return ReasonOtherChange
	case !r.agrees(), say.Doubled([]byte(r.text)):
		return ReasonGrammar
	}
	return g.mayBeTrue(kind)
}
