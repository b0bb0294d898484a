package llmparse

import (
	"context"
	"math"

	"capgraph/llmparse/client"
	"capgraph/llmparse/replies"
	"capgraph/schemas"
)

// checkTexts are the captions that CheckServer asks about.
var checkTexts = []string{
	"a man in a red shirt holding a small dog",
	"two women walk along a beach with their surfboards",
	"A plate with eggs, toast and a glass of juice on a wooden table.",
	"an old train crossing a stone bridge over a river",
	"a cat asleep on top of a laptop next to a window",
	"Several people ride bicycles down a busy street in the rain.",
	"a yellow bus parked behind a white van",
	"a girl with long hair blowing out candles on a cake",
	"mountains covered in snow under a blue sky",
	"A tall clock tower stands in the middle of the square.",
}

// ServerCheck is the result of a few requests to a server.
type ServerCheck struct {
	Form       string // form of replies: client.ReplySchema if the server keeps to JSON schemas, else client.ReplyPlain
	LogProbs   bool   // whether replies have log-probabilities
	Asked      int    // captions
	Usable     int    // replies that became graphs
	Unanswered string // why a request failed; empty if none failed
	Stats      client.Stats
}

// HoursFor returns the hours that the server needs for a number of captions, at the rate measured
// by CheckServer.
func (c *ServerCheck) HoursFor(captions int64) float64 {
	if c.Usable == 0 {
		return math.Inf(1)
	}
	return float64(captions) * c.Stats.Elapsed.Hours() / float64(c.Asked)
}

// CheckServer asks a server for the graphs of ten captions. opts.Cache holds the replies.
func CheckServer(ctx context.Context, opts client.Options, rules Rules) (*ServerCheck, error) {
	opts.OnBad = client.OnBadReject
	p, err := New(opts, rules)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	out := make([]schemas.Parsed, len(checkTexts))
	if err := p.Parse(ctx, checkTexts, out); err != nil {
		return nil, err
	}
	form, _ := p.form.Chosen()
	c := &ServerCheck{Form: form, Asked: len(out), Stats: p.Stats()}
	c.Unanswered = c.Stats.LastFailure
	for i := range out {
		if out[i].Reject == "" {
			c.Usable++
		}
	}
	var questions []client.Question
	for _, text := range checkTexts {
		questions = append(questions, p.newQuestion(text, form))
	}
	return c, p.client.EachCached(questions, func(_ int, r *replies.Record) error {
		c.LogProbs = c.LogProbs || r != nil && r.LogProb != nil
		return nil
	})
}
