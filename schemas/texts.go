package schemas

import "unsafe"

// Kinds of a positive text: the caption itself, one object with its attributes, two objects with the
// relation between them, one of the two in other words than the positive before it, or a sentence of a
// longer caption (two, if the second needs the first).
const (
	KindCaption    = "caption"
	KindObject     = "object"
	KindRelation   = "relation"
	KindParaphrase = "paraphrase"
	KindSentence   = "sentence"
)

// What a negative changes.
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

// Positive is a text that is true of an image. ID is the stable hash of its
// normalised form: two positives with one ID say the same.
//
// Confidence is how likely a reader calls the text good, from 0 to 1 (docs/negatives.md); 1 of a
// caption. Count bounds how many captions of the corpus state it, at least 1. Parts are the hashes
// of what it states (docs/format.md), ascending; none if that is not known.
type Positive struct {
	Text, Kind string
	ID         int64
	Confidence float32
	Count      int64
	Parts      []int32
}

// HardNegative is a text that is false of an image and differs in one thing
// from the positive at index Of.
type HardNegative struct {
	Text                      string
	Of                        int16
	Method, Changed, Category string
	// Score is how recognisable the text is as a negative from text alone: a
	// log-odds, 0 if nothing tells it.
	Score float32
	// Parts are the hashes of the parts that it states, as of a positive.
	Parts []int32
	// Sentence is which one of the caption's it changes, from 0, by which it has its share
	// of the pool. No column has it.
	Sentence int16
	// Good is how likely a reader calls it good, from 0 to 1. No column has it.
	Good float32
	// Concrete is how concrete the nouns are that it changes, 20 to 140; 0 if it changes none. No column has it.
	Concrete uint8
	// Truth is, of a negative that adds something, what it says with what is there in truth in the
	// place of what it adds; empty of others. No column has it.
	Truth string
}

// Pool is all texts of one caption, from which a draw takes some each epoch.
// Positives[0] is the cleaned caption.
type Pool struct {
	Positives []Positive
	Negatives []HardNegative
	kept      []byte
	keptParts []int32
}

// Beside is the text that a negative differs from in its words alone: the positive, or where the
// negative adds something, what is there in truth.
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

// Count says how often a key of a kind occurs in a corpus. Counts of the parts of a corpus add up to the counts of the whole.
type Count struct {
	Kind, Key string
	N         int64
}
