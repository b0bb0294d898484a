package negatives

import (
	"fmt"
	"iter"

	"capgraph/internal/ngrams"
	"capgraph/internal/text"
	"capgraph/negatives/methods"
	"capgraph/negatives/textonly"
	"capgraph/scenegraph"
)

// Options are the options of an evaluation.
type Options struct {
	// Pairs bounds the pairs that the text-only classifier sees: a sample by hash.
	Pairs int
	// Captions restricts the evaluation to rows with one of these captions, normalised, unless it
	// is nil.
	Captions map[string]bool
	// Siblings are captions of the images that the generator did not see, for the false-negative
	// estimate; nil leaves that out.
	Siblings Siblings
	// Tables, unless nil, judges negatives by the lexicon's tables of words that exclude each
	// other.
	Tables *Tables
	// Likelihood says that negatives and positives are also compared by a language model.
	Likelihood bool
	// Fault is called for negatives with a fault, unless it is nil.
	Fault func(fault, positive, negative string)
}

// The faults of single negatives.
const (
	FaultEqual    = "equal to a true text"
	FaultRepeated = "repeated"
	FaultSaid     = "said by another caption"
	FaultTables   = "may be true as well"
	FaultGrammar  = "grammar"
)

// Evaluate measures all negatives of rows. Rows of one image should be adjacent: negatives are
// compared with the positives of all of them and with the image's siblings. One image and the
// sample of pairs are held in memory. An error of rows is returned unchanged. Rows without
// negatives are an error.
func Evaluate(rows iter.Seq2[Row, error], opt Options) (*Report, error) {
	e := evaluation{opt: opt, sample: textonly.NewSample(opt.Pairs), groups: map[string]*tally{}}
	var image []Row
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		if opt.Captions != nil && !opt.Captions[scenegraph.NormalizeText(row.Positives[0])] {
			continue
		}
		if len(image) > 0 && image[0].Image != row.Image {
			e.measureImage(image)
			image = image[:0]
		}
		image = append(image, row)
	}
	if len(image) > 0 {
		e.measureImage(image)
	}
	if e.groups[totalName] == nil {
		return nil, fmt.Errorf("no negatives among %d %s", e.captions, text.Plural(e.captions, "caption", "captions"))
	}
	pairs := e.sample.Pairs()
	words, written := textonly.CrossValidate(pairs, ngrams.Words), textonly.CrossValidate(pairs, ngrams.AsWritten)
	if opt.Likelihood {
		for i, told := range compareLikelihoods(pairs) {
			for _, t := range e.talliesFor(pairs[i].Method, pairs[i].Changed) {
				t.compared++
				t.unlikely += told
			}
		}
	}
	for i, p := range pairs {
		for _, t := range e.talliesFor(p.Method, p.Changed) {
			t.addPrediction(words[i], written[i])
		}
	}
	return e.newReport(), nil
}

// evaluation accumulates tallies.
type evaluation struct {
	opt              Options
	sample           *textonly.Sample
	groups           map[string]*tally
	captions, images int
	previousSiblings [][]string // sibling captions of the previous image, which show how often words agree by chance
}

const (
	totalName    = "total"
	changedLabel = "changed: "
	methodLabel  = "method: "
)

// talliesFor returns the tallies in which a negative counts.
func (e *evaluation) talliesFor(method, changed string) []*tally {
	names := []string{totalName}
	if changed != "" {
		names = append(names, changedLabel+changed)
	}
	if method != "" {
		names = append(names, methodLabel+method)
	}
	all := make([]*tally, len(names))
	for i, name := range names {
		if e.groups[name] == nil {
			e.groups[name] = &tally{}
		}
		all[i] = e.groups[name]
	}
	return all
}

// measureImage measures the negatives of all captions of one image.
func (e *evaluation) measureImage(rows []Row) {
	e.images++
	known, seen := map[int64]bool{}, map[string]bool{}
	siblings := e.opt.Siblings.Captions(rows[0].Image)
	for _, text := range siblings {
		known[scenegraph.TextID(text)] = true
	}
	for _, row := range rows {
		for _, text := range row.Positives {
			known[scenegraph.TextID(text)] = true
		}
	}
	var lastOther [][]string
	for _, row := range rows {
		e.captions++
		others := siblingWords(siblings, row.Positives[0])
		for _, n := range row.Negatives {
			positive := row.Positives[n.Of]
			f := measureSurface(positive, n.Text)
			f.equal = known[scenegraph.TextID(n.Text)]
			f.repeated = seen[n.Text]
			seen[n.Text] = true
			f.isReplacement = methods.ReplacesOne(n.Method)
			f.changesMore = f.isReplacement && !methods.ChangesOne(positive, n.Text)
			f.judgeTruth(positive, n.Text, others, e.previousSiblings)
			if e.opt.Tables != nil {
				f.known, f.mayHold = e.opt.Tables.Judge(positive, n.Text)
			}
			e.showFaults(f, positive, n.Text)
			for _, t := range e.talliesFor(n.Method, n.Changed) {
				t.addFinding(f)
			}
			e.sample.Add(textonly.Pair{Image: row.Image, Method: n.Method, Changed: n.Changed, Positive: positive, Negative: n.Text})
		}
		lastOther = others
	}
	if len(lastOther) > 0 {
		e.previousSiblings = lastOther
	}
}

// showFaults calls Options.Fault for each fault of a negative.
func (e *evaluation) showFaults(f finding, positive, negative string) {
	if e.opt.Fault == nil {
		return
	}
	for _, c := range []struct {
		name string
		has  bool
	}{
		{FaultEqual, f.equal}, {FaultRepeated, f.repeated}, {FaultSaid, f.said}, {FaultTables, f.mayHold},
		{FaultGrammar, f.stray || f.doubled || f.article && !f.positiveArticle},
	} {
		if c.has {
			e.opt.Fault(c.name, positive, negative)
		}
	}
}

// siblingWords returns the content words of each sibling that is not the caption itself.
func siblingWords(siblings []string, caption string) [][]string {
	var words [][]string
	for _, s := range siblings {
		if scenegraph.TextID(s) != scenegraph.TextID(caption) {
			words = append(words, contentWords(s))
		}
	}
	return words
}
