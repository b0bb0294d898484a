package llmparse

import "capgraph/schemas"

// Rules is what llmparse asks of a rule parser: the tokens that every parser's
// rows carry, the analysis of a noun phrase, and graphs for the texts that the
// model is not asked for or fails at. Implementations are safe for concurrent
// use.
type Rules interface {
	// Tokens appends the tokens of text, with tags and lemmas, to out[:0].
	Tokens(text string, out []schemas.Token) []schemas.Token
	// NounPhrase fills out with text as one object. Offsets are into text.
	NounPhrase(text string, out *schemas.Object)
	// ParseText fills out from one text.
	ParseText(text string, out *schemas.Parsed)
}
