package negatives

import (
	"context"
	"fmt"

	"capgraph/negatives/whole"
	"capgraph/schemas"
)

// wholeEditor adds whole negatives: captions that an author, such as a language model, wrote.
type wholeEditor struct {
	author whole.Author // nil: no whole negatives
	reader whole.Reader // parses the author's texts
	opts   *whole.Options
	dict   *dictionary
	facts  *facts
	sink   *sink

	captions []string
	of       []int // for each of captions, its index in the image
	texts    [][]whole.Negative
	// words are the tokens of the current caption, and change is its difference from the author's
	// text.
	words  *captionWords
	change whole.Change
}

// WithAuthor makes the generator also add whole negatives, which a writes and r parses. It asks for
// the captions that opts.Whole selects.
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

// add adds one text of the author to the negatives of the caption, or drops it.
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

// check returns the reason why the current text is no negative of a type, or noReason. It does not
// ask the judge.
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
