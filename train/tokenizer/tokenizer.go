package tokenizer

// Tokenizer turns a text into ids for a text tower. It is safe for concurrent use.
type Tokenizer interface {
	// Encode appends to dst the start mark if there is one, the text's ids and the end mark: at
	// least 2 and at most Context ids. A longer text is cut before the end mark, as in open_clip.
	// Only Unigram pads texts.
	Encode(dst []int32, text string) []int32
	// Size returns the number of ids, which are 0 to Size-1.
	Size() int
	// Context returns the maximum number of ids of a text, including its marks.
	Context() int
}

// Marked is a tokenizer that adds a mark before a text and one after it.
type Marked interface {
	Tokenizer
	// Start returns the id of the mark before a text.
	Start() int32
	// End returns the id of the mark after a text, the highest one.
	End() int32
}

// DefaultContext is the maximum number of ids of a text for CLIP's text towers.
const DefaultContext = 77

// scratch is the maximum size of a text that is cleaned on the stack, in bytes.
const scratch = 512
