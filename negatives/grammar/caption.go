package grammar

import "capgraph/schemas"

// Caption is a caption with its graph. Text is the cleaned caption. Tokens may be empty: then the
// caption itself gets no negatives.
type Caption struct {
	Key, Text string
	Tokens    []schemas.Token
	Graph     schemas.SceneGraph
}

// IsLong reports whether a caption has more than two sentences.
func IsLong(c *Caption) bool {
	n := 0
	for i := range c.Tokens {
		if c.Tokens[i].Tag == "." && (i == 0 || c.Tokens[i-1].Tag != ".") {
			n++
		}
	}
	return n > 2 || n == 2 && c.Tokens[len(c.Tokens)-1].Tag != "."
}
