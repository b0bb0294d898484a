package negatives

import (
	"capgraph/negatives/methods"
	"capgraph/scenegraph"
)

// Reason is why a candidate is dropped.
type Reason uint8

const (
	ReasonKnownText    Reason = iota // equals a caption or positive of the image
	ReasonMayBeTrue                  // may be true of the image, as maybetrue.go says: "known_graph"
	ReasonSynonym                    // says the same, or something that it implies or is implied by
	ReasonDimension                  // both attributes can hold
	ReasonSymmetric                  // true in both directions
	ReasonImplausible                // the corpus has no such thing
	ReasonGrammar                    // cannot be said well
	ReasonNoCandidates               // nothing to replace it by
	ReasonBalance                    // told from text alone
	ReasonCap                        // over max_negatives
	ReasonOtherChange                // a whole negative that changes something else than it was asked to, or is no caption
	ReasonRestated                   // the rest of the text still says what was changed
	noReason                         // no reason
)

var reasonNames = [noReason]string{
	"known_text", "known_graph", "synonym", "dimension", "symmetric", "implausible", "grammar", "no_candidates", "balance", "cap", "other_change", "restated",
}

func (r Reason) String() string { return reasonNames[r] }

// Dropped is a candidate that did not become a negative, and why.
type Dropped struct {
	// Caption indexes Image.Captions.
	Caption int
	// Text is the candidate; if it was dropped before it was said, what it would
	// have put in the place of a word, or that word where there is nothing to put there.
	Text   string
	Method string
	Reason Reason
}

// Drops takes the candidates that did not become negatives.
type Drops struct {
	// N counts them by Reason.
	N [noReason]int64
	// Attributes counts those of sub-graphs that a replacement is looked for, Unchanged those of them
	// that nothing is known to exclude.
	Attributes, Unchanged int64
	// Each, if it is not nil, hears of every one.
	Each func(Dropped)
	// Judged, if it is not nil, hears of every candidate that the judge of plausibility
	// was asked about.
	Judged func(Judged)
	// Said, if it is not nil, hears of every positive that says a part of a graph, also of those
	// that are too likely bad to be kept.
	Said func(SaidPart)
	// Unsaid, if it is not nil, hears of every sentence that no positive but the caption says anything of.
	Unsaid func(UnsaidSentence)
}

// UnsaidSentence is a sentence of a longer caption that no positive says anything of.
type UnsaidSentence struct {
	// Caption indexes Image.Captions.
	Caption int
	Text    string
	// Why is what keeps it from being a positive itself: "short", "no verb", "shows little", "needs another"
	// that it is about, "not seen: " and the word that says so, or "cut off". It is empty if other texts of the
	// caption were preferred.
	Why string
}

// SaidPart is a part of a caption's graph in words.
type SaidPart struct {
	// Caption indexes Image.Captions.
	Caption int
	Text    string
	Part    scenegraph.SubGraph
	// Quality is how likely a reader calls it good, by the features that it has.
	Quality  float64
	Features []uint32
}

// Judged is what the judge of plausibility says of a candidate.
type Judged struct {
	// Caption indexes Image.Captions.
	Caption        int
	Positive, Text string
	// Method is the one that made it, As the one whose weights and cut it is judged by: itself, or
	// of a whole negative the one that changes the same.
	Method string
	As     methods.Method
	// Score is the log-odds that a reader would call it good, Cut the least for it to be
	// taken.
	Score, Cut float64
	// Evidence is what the score is made of, in the order of EvidenceNames.
	Evidence []float64
}

// Add adds the numbers of others.
func (d *Drops) Add(others *Drops) {
	for reason, n := range others.N {
		d.N[reason] += n
	}
	d.Attributes += others.Attributes
	d.Unchanged += others.Unchanged
}
