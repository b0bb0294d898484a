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
	ReasonGrammar                    // has no good wording
	ReasonNoCandidates               // nothing to replace it by
	ReasonBalance                    // recognisable from text alone
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
	// Text is the candidate. If it was dropped before it had a wording, Text is the replacement, or
	// the replaced word if there is no replacement.
	Text   string
	Method string
	Reason Reason
}

// Drops takes the candidates that did not become negatives.
type Drops struct {
	// N counts them by Reason.
	N [noReason]int64
	// Attributes counts the attributes in sub-graphs that need a replacement, Unchanged those
	// without a known excluding one.
	Attributes, Unchanged int64
	// Each, if it is not nil, is called with every drop.
	Each func(Dropped)
	// Judged, if it is not nil, is called with every candidate that the judge of plausibility
	// rated.
	Judged func(Judged)
	// Said, if it is not nil, is called with every positive about a part of a graph, also with
	// those that are too likely bad to be kept.
	Said func(SaidPart)
	// Unsaid, if it is not nil, is called with every sentence that has no positive but the caption.
	Unsaid func(UnsaidSentence)
}

// UnsaidSentence is a sentence of a longer caption that no positive says anything of.
type UnsaidSentence struct {
	// Caption indexes Image.Captions.
	Caption int
	Text    string
	// Why is the reason why the sentence is no positive: "short", "no verb", "shows little", "needs
	// another", "not seen: " and a word, or "cut off". It is empty if other texts of the caption
	// were preferred.
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

// Judged is the judge's rating of a candidate.
type Judged struct {
	// Caption indexes Image.Captions.
	Caption        int
	Positive, Text string
	// Method made the candidate. As is the method whose weights and cut the judge uses: Method, or
	// for a whole negative the method that makes the same change.
	Method string
	As     methods.Method
	// Score is the log-odds that a reader would call it good, Cut the least accepted score.
	Score, Cut float64
	// Evidence are the terms of the score, in the order of EvidenceNames.
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
