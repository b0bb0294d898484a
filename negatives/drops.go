package negatives

import (
	"capgraph/negatives/methods"
	"capgraph/scenegraph"
)

// Reason is why a candidate is dropped.
type Reason uint8

const (
	ReasonKnownText    Reason = iota // equals a caption or positive of the image
	ReasonMayBeTrue                  // may be true of the image, by the rules in maybetrue.go; printed as "known_graph"
	ReasonSynonym                    // means the same as the original, or one implies the other
	ReasonDimension                  // one thing can have both attributes
	ReasonSymmetric                  // the relation is true in both directions
	ReasonImplausible                // the corpus has no such combination
	ReasonGrammar                    // cannot be worded well
	ReasonNoCandidates               // no replacement was found
	ReasonBalance                    // a text-only model would recognise it
	ReasonCap                        // over max_negatives
	ReasonOtherChange                // a negative of a language model that changes more or other words than it should, or is not a caption
	ReasonRestated                   // the rest of the text still states what was changed
	noReason                         // no reason
)

var reasonNames = [noReason]string{
	"known_text", "known_graph", "synonym", "dimension", "symmetric", "implausible", "grammar", "no_candidates", "balance", "cap", "other_change", "restated",
}

func (r Reason) String() string { return reasonNames[r] }

// Dropped is a candidate that did not become a negative, with the reason.
type Dropped struct {
	// Caption indexes Image.Captions.
	Caption int
	// Text is the candidate. If it was dropped before it had a wording, Text is the replacement, or
	// the replaced word if there is no replacement.
	Text   string
	Method string
	Reason Reason
}

// Drops counts, and passes to its functions, the candidates that did not become negatives.
type Drops struct {
	// N has their number for each Reason.
	N [noReason]int64
	// Attributes counts the attributes in sub-graphs that were to be replaced; Unchanged counts
	// those for which no excluding attribute is known.
	Attributes, Unchanged int64
	// Each, unless nil, is called with every dropped candidate.
	Each func(Dropped)
	// Judged, unless nil, is called with every candidate that the judge of plausibility rated.
	Judged func(Judged)
	// Said, unless nil, is called with the text of every sub-graph, also if its quality is too low
	// for a positive.
	Said func(SaidPart)
	// Unsaid, unless nil, is called with every sentence that only the caption itself states.
	Unsaid func(UnsaidSentence)
}

// UnsaidSentence is a sentence of a longer caption that no positive but the caption states.
type UnsaidSentence struct {
	// Caption indexes Image.Captions.
	Caption int
	Text    string
	// Why is the reason why the sentence is no positive: "short", "no verb", "shows little", "needs
	// another", "not seen: " and a word, or "cut off". It is empty if other texts of the caption
	// were preferred.
	Why string
}

// SaidPart is a sub-graph of a caption with its text.
type SaidPart struct {
	// Caption indexes Image.Captions.
	Caption int
	Text    string
	Part    scenegraph.SubGraph
	// Quality is the probability that a reader calls the text good, computed from Features.
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

// Add adds the counts of others.
func (d *Drops) Add(others *Drops) {
	for reason, n := range others.N {
		d.N[reason] += n
	}
	d.Attributes += others.Attributes
	d.Unchanged += others.Unchanged
}
