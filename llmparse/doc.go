// Package llmparse makes scene graphs of captions by asking a language model behind an
// OpenAI-compatible endpoint, as OC-CLIP does (App. A.6).
//
//	p, err := llmparse.New(opts, rules)
//	err = p.Parse(ctx, texts, out) // out[i] is a graph, or a reject with its reason
//	err = p.Close()
//
// A text becomes a question (prompt.go), which package client asks, or finds in the cache of package
// replies. A reply is decoded (reply.go), its names are found in the caption (ground.go), and it becomes
// a graph (decode.go). If it cannot be corrected, the rule parser parses the text, or it becomes a reject
// (client.Options.OnBad).
package llmparse
