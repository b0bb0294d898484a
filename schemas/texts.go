package schemas

import "unsafe"

// Kinds of a positive text: the caption itself, one object with its attributes, two objects with their relation, a
// paraphrase of the positive before it, or a sentence of a longer caption (with the one before it if it refers to
// that).
const (
	KindCaption    = "caption"
	KindObject     = "object"
	KindRelation   = "relation"
	KindParaphrase = "paraphrase"
	KindSentence   = "sentence"
)

// The parts that a negative can change.
const (
	ChangedObject    = "object"
	ChangedAttribute = "attribute"
	ChangedRelation  = "relation"
	ChangedAction    = "action"
	ChangedOrder     = "order"
	ChangedJoin      = "join"
	ChangedNegation  = "negation"
)

// MosaiCLIP's sampling classes (MosaiCLIP §3.4).
const (
	CategoryObject    = "c_obj"
	CategoryRelation  = "c_rel"
	CategoryAttribute = "c_attr"
	CategoryNone      = "none"
)

// Positive is a text that is true of an image. ID is a hash of its normalised form: equal IDs mean equal texts.
//
// Confidence is the probability that a reader calls the text good (docs/negatives.md); it is 1 for a caption. Count is
// an upper bound of the number of captions in the corpus that state it, at least 1. Parts are the hashes of what it
// states (docs/format.md), ascending; none if unknown.
type Positive struct {
	Text, Kind string
	ID         int64
	Confidence float32
	Count      int64
	Parts      []int32
}

// HardNegative is a text that is false of an image and differs in one thing from the positive with index Of.
type HardNegative struct {
	Text                      string
	Of                        int16
	Method, Changed, Category string
	// Score is how recognisable the text is as a negative from text alone: a log-odds, 0 if nothing reveals it.
	Score float32
	// Parts are the hashes of what it states, as in Positive.
	Parts []int32
	// Sentence is the number, from 0, of the caption's sentence that it changes. Each sentence has its share of the
	// pool. It is in no column.
	Sentence int16
	// Good is the probability that a reader calls it good. It is in no column.
	Good float32
	// Concrete is the sum of the concreteness of the replaced noun and its replacement, 20 to 140; 0 if it replaces no noun.
	// It is in no column.
	Concrete uint8
	// Truth is set for a negative that adds something: the text with the true thing in place of the added one. It is in
	// no column.
	Truth string
}

// Pool has all texts of one caption. A draw takes some of them each epoch. Positives[0] is the cleaned caption.
type Pool struct {
	Positives []Positive
	Negatives []HardNegative
	kept      []byte
	keptParts []int32
}

// Beside returns the text with which a negative is compared word by word: its Truth, or else its positive.
func (p *Pool) Beside(n *HardNegative) string {
	if n.Truth != "" {
		return n.Truth
	}
	return p.Positives[n.Of].Text
}

// Reset empties p and keeps its memory.
func (p *Pool) Reset() {
	p.Positives = p.Positives[:0]
	p.Negatives = p.Negatives[:0]
	p.kept = p.kept[:0]
	p.keptParts = p.keptParts[:0]
}

// Keep copies a text into p's memory. The copy is valid until p is reset.
func (p *Pool) Keep(text []byte) string {
	begin := len(p.kept)
	p.kept = append(p.kept, text...)
	return unsafe.String(unsafe.SliceData(p.kept[begin:]), len(text))
}

// KeepParts copies hashes into p's memory. The copy is valid until p is reset.
func (p *Pool) KeepParts(parts []int32) []int32 {
	begin := len(p.keptParts)
	p.keptParts = append(p.keptParts, parts...)
	return p.keptParts[begin:len(p.keptParts):len(p.keptParts)]
}

// Count is how often a key of a kind occurs in a corpus. The counts of the parts of a corpus sum to those of the whole.
type Count struct {
	Kind, Key string
	N         int64
}
