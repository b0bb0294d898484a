package llmparse

import "capgraph/schemas"

// Rules is the part of a rule parser that llmparse needs: the tokens of all rows, the analysis of a
// noun phrase, and graphs for texts that the model is not asked about or fails at. Implementations
// are safe for concurrent use.
type Rules interface {
	// Tokens appends the tokens of text, with tags and lemmas, to out[:0].
	Tokens(text string, out []schemas.Token) []schemas.Token
	// NounPhrase fills out with text as one object. Offsets are into text.
	NounPhrase(text string, out *schemas.Object)
	// ParseText fills out from one text.
	ParseText(text string, out *schemas.Parsed)
}
