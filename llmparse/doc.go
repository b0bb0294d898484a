// Package llmparse makes scene graphs of captions by asking a language model behind an
// OpenAI-compatible endpoint, as OC-CLIP does (App. A.6).
//
//	p, err := llmparse.New(opts, rules)
//	err = p.Parse(ctx, texts, out) // out[i] is a graph, or a reject with its reason
//	err = p.Close()
//
// A text becomes a request (prompt.go). The request is answered from the cache (cache.go, and
// objectcache.go in an object store), else by an endpoint (client.go), once a run for equal texts.
// limiter.go limits how many requests an endpoint gets at a time. A reply is read (reply.go), its
// names are found in the caption (ground.go), and it becomes a graph (decode.go). What cannot be
// mended goes to the rule parser, or becomes a reject (Options.OnBad).
package llmparse
