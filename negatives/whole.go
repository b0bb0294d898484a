package negatives

import (
	"context"
	"fmt"

	"capgraph/negatives/whole"
	"capgraph/schemas"
)

// wholeEditor adds the negatives that an author writes as whole captions.
type wholeEditor struct {
	author whole.Author // nil if there is none
	reader whole.Reader // of what it writes
	opts   *whole.Options
	dict   *dictionary
	facts  *facts
	sink   *sink

	captions []string
	of       []int // which caption of the image each is
	texts    [][]whole.Negative
	// words are the tokens of the current caption, and change is the author's change of it.
	words  *captionWords
	change whole.Change
}

// WithAuthor has a generator also make whole negatives: written by a, and read by r.
// Of the captions those are asked for that opts.Whole takes.
func (g *Generator) WithAuthor(a whole.Author, r whole.Reader) *Generator {
	g.whole = wholeEditor{author: a, reader: r, opts: &g.opts.Whole, dict: g.dict, facts: &g.facts, sink: &g.sink}
	return g
}

// addAll adds the whole negatives of an image's captions.
func (e *wholeEditor) addAll(ctx context.Context, jobs []captionJob) error {
	if e.author == nil {
		return nil
	}
	e.captions, e.of = e.captions[:0], e.of[:0]
	for i := range jobs {
		if j := &jobs[i]; len(j.caption.Tokens) > 0 && e.opts.Selects(j.seed, j.caption.Text) {
			e.captions, e.of = append(e.captions, j.caption.Text), append(e.of, i)
		}
	}
	if len(e.captions) == 0 {
		return nil
	}
	e.texts = schemas.Resize(e.texts, len(e.captions))
	clear(e.texts)
	if err := e.author.Write(ctx, e.captions, e.texts); err != nil {
		return fmt.Errorf("write negatives of %s: %w", jobs[0].image, err)
	}
	for n, i := range e.of {
		e.words = &jobs[i].words
		e.sink.beginCaption(i, jobs[i].pool, e.words, nil)
		e.change.Begin(e.dict.words, e.captions[n], e.reader)
		for _, t := range e.texts[n] {
			e.add(&t)
		}
	}
	return nil
}

// add adds one text of the author to the negatives of the caption, or reports why not.
func (e *wholeEditor) add(t *whole.Negative) {
	reason, text := ReasonOtherChange, t.Text
	if e.change.Read(t.Text, e.reader) {
		text = e.change.Text()
		reason = e.check(t.Type)
	}
	e.sink.text = append(e.sink.text[:0], text...)
	if reason == noReason && !e.isPlausible(t.Type) {
		reason = ReasonImplausible
	}
	method := whole.Prefix + t.Type
	if reason == noReason {
		if e.sink.admit(schemas.HardNegative{Method: method, Changed: whole.Changes(t.Type), Category: schemas.CategoryNone, Good: goodUnjudged}) {
			return
		}
		reason = ReasonKnownText
	}
	e.sink.dropBy(method, text, reason)
}

// check returns the reason why the current text is no negative of a type. It does not call the
// judge.
func (e *wholeEditor) check(kind string) Reason {
	switch e.change.Check(e.dict.words, kind) {
	case whole.SameText:
		return ReasonKnownText
	case whole.SameMeaning:
		return ReasonSynonym
	case whole.OtherChange:
		return ReasonOtherChange
	case whole.BadGrammar:
		return ReasonGrammar
	}
	return e.checkTruth(kind)
}
