// Package client asks language models at OpenAI-compatible endpoints.
//
//	c, err := client.New(opts)
//	err = c.AskAll(ctx, questions, use) // calls use with each reply, or with the reason why there is none
//	err = c.Close()
//
// A question is answered from the cache (package replies), else by an endpoint, once in a run for equal
// questions (inflight.go). endpoint.go chooses the endpoint, limiter.go limits how many requests it gets
// at a time, failure.go classifies errors, and formprobe.go finds the form of replies that suits it.
package client
