package llmparse

import "capgraph/schemas"

// Rules is the part of the rule parser that llmparse needs: it splits texts into tokens, analyses
// noun phrases, and parses texts that the model is not asked about or fails at. Implementations are
// safe for concurrent use.
type Rules interface {
	// Tokens appends the tokens of text, with tags and lemmas, to out[:0].
	Tokens(text string, out []schemas.Token) []schemas.Token
	// NounPhrase fills out with the object that text names. Offsets are into text.
	NounPhrase(text string, out *schemas.Object)
	// ParseText fills out with the parse of text.
	ParseText(text string, out *schemas.Parsed)
}
