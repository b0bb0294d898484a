package grammar

import "capgraph/schemas"

// Caption is one caption with its graph. Text is the cleaned caption; Tokens
// may be empty, and then the caption itself is not perturbed.
type Caption struct {
	Key, Text string
	Tokens    []schemas.Token
	Graph     schemas.SceneGraph
}
