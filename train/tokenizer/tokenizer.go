package tokenizer

// Tokenizer turns a text into the ids of a text tower. It is safe for
// concurrent use.
type Tokenizer interface {
	// Encode appends to dst the start mark, the text's ids and the end mark: at
	// least 2 and at most Context ids. Of a longer text the first ids are kept,
	// and the end mark still ends it, as in open_clip. Nothing is padded.
	Encode(dst []int32, text string) []int32
	// Size is the number of ids, which are 0 to Size-1.
	Size() int
	// Context is the most ids of a text, both marks among them.
	Context() int
	// Start is the id of the mark before a text.
	Start() int32
	// End is the id of the mark after a text, the highest one.
	End() int32
}

// DefaultContext is the most ids of a text that CLIP's text towers take.
const DefaultContext = 77

// scratch is how long a text may be, in bytes, to be cleaned on the stack.
const scratch = 512
