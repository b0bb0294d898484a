// Package llmparse makes scene graphs of captions by asking a language model
// behind an OpenAI-compatible endpoint, as OC-CLIP does (App. A.6).
//
// A text becomes a request (prompt.go) that is answered from the cache
// (cache.go; shelf.go where that lies in an object store) or, once a run however often the text occurs, by an endpoint
// (client.go). How many requests an endpoint is sent at a time follows what it
// bears (limiter.go). A reply is read (reply.go), and what it names is looked
// for in the caption (ground.go) before it becomes a graph (decode.go). What
// cannot be mended goes to the rule parser or becomes a reject, as configured.
package llmparse
