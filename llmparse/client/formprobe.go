package client

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"capgraph/llmparse/replies"
)

// Parameters of the choice between the two forms of replies.
const (
	probes        = 8                     // texts asked in each form to compare them
	schemaTexts   = 3                     // number of texts that fail with a schema before the server counts as unable to use it
	probeAttempts = 3                     // attempts at each of those texts
	slowSchema    = 1.5                   // largest ratio of the times with a schema and without at which the schema is used
	leastGain     = 20 * time.Millisecond // plain replies are chosen only if they save more than this per request: less may be chance
)

// FormProbe finds the better form of replies for a model: with a JSON schema or without.
type FormProbe struct {
	client *Client
	frames Frames
	// ask returns the question about a text in a form of reply.
	ask func(text, form string) Question

	settling sync.Mutex // held while the form is being found
	mu       sync.Mutex
	form     string // empty until it is known
	failed   int    // number of texts that failed with a schema
}

// NewFormProbe returns a probe whose questions ask returns. If the settings name a form, ChooseForm returns that.
func (c *Client) NewFormProbe(f Frames, ask func(text, form string) Question) *FormProbe {
	s := &FormProbe{client: c, frames: f, ask: ask}
	if c.opts.Reply != ReplyAuto {
		s.form = c.opts.Reply
	}
	return s
}

// ChooseForm returns the form of replies that suits the endpoints. The first call finds it by asking about some of the
// texts texts[i], i in rest; their replies are used like any others. A server that refuses or ignores a schema is asked
// for plain replies. One that obeys it is asked for schema replies, unless plain ones are as often usable and faster by
// more than slowSchema. A call with few texts does not compare speeds. If all of its texts fail, a later call decides.
func (s *FormProbe) ChooseForm(ctx context.Context, texts []string, rest []int) (string, error) {
	if form, settled := s.Chosen(); settled {
		return form, nil
	}
	s.settling.Lock()
	defer s.settling.Unlock()
	if s.form != "" {
		return s.form, nil
	}
	form, err := s.bestForm(ctx, distinctTexts(texts, rest))
	if err != nil || form == "" {
		return ReplyPlain, err
	}
	s.mu.Lock()
	s.form = form
	s.mu.Unlock()
	return form, nil
}

// Chosen returns the form, or "" if it is not known. settled reports whether ChooseForm would ask nothing: the form is
// known, or there is no endpoint.
func (s *FormProbe) Chosen() (form string, settled bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.form, s.form != "" || len(s.client.pool.endpoints) == 0
}

// distinctTexts returns the distinct texts at indices, at most as many as ChooseForm asks about.
func distinctTexts(texts []string, indices []int) []string {
	seen := map[string]bool{}
	var out []string
	for _, i := range indices {
		if !seen[texts[i]] && len(out) < schemaTexts+2*probes {
			seen[texts[i]] = true
			out = append(out, texts[i])
		}
	}
	return out
}

// bestForm returns the better form for some texts, or "" if they do not decide.
func (s *FormProbe) bestForm(ctx context.Context, texts []string) (string, error) {
	kept, err := s.obeysSchema(ctx, texts[:min(schemaTexts, len(texts))])
	switch {
	case err != nil:
		return "", err
	case kept == nil && s.failed < schemaTexts:
		return "", nil
	case kept == nil || !*kept:
		return ReplyPlain, nil
	}
	texts = texts[min(schemaTexts, len(texts)):]
	if len(texts) < 2*probes {
		return ReplySchema, nil
	}
	schema, err := s.tryForm(ctx, texts[:probes], ReplySchema)
	if err != nil {
		return "", err
	}
	plain, err := s.tryForm(ctx, texts[probes:2*probes], ReplyPlain)
	if err != nil {
		return "", err
	}
	if len(schema.took) == 0 || len(plain.took) == 0 {
		return ReplySchema, nil // cached replies have no durations
	}
	gain := schema.median() - plain.median()
	if plain.valid >= schema.valid && gain > leastGain && schema.median() > time.Duration(slowSchema*float64(plain.median())) {
		return ReplyPlain, nil
	}
	return ReplySchema, nil
}

// obeysSchema reports whether the server obeys a JSON schema: whether its reply has a property that only the schema
// names. It asks about one text after another until one is answered, and returns nil if none is.
func (s *FormProbe) obeysSchema(ctx context.Context, texts []string) (*bool, error) {
	for _, text := range texts {
		q := s.ask(text, ReplySchema)
		q.Frame, q.TrialFrame = s.frames.marked, s.frames.plain
		r, err := s.client.attemptRequest(ctx, nil, q, probeAttempts, func(r *replies.Record) error {
			if !q.IsUsable(r) {
				return nil
			}
			return s.client.cache.Put(q.Key, r)
		})
		var t *TextError
		switch {
		case errors.As(err, &t):
			s.failed++
			continue
		case err != nil:
			return nil, err
		}
		var marked map[string]json.RawMessage
		err = replies.DecodeJSON(r.Content, &marked)
		kept := err == nil && marked[schemaMark] != nil
		return &kept, nil
	}
	return nil, nil
}

// trial is the result of asking some texts in one form: valid counts the usable replies.
type trial struct {
	valid int
	took  []time.Duration // of each reply that was not in the cache
}

// median returns the median duration of a request, which a few slow ones, such as the first, do not change.
func (t *trial) median() time.Duration {
	slices.Sort(t.took)
	return t.took[len(t.took)/2]
}

// tryForm asks about texts in a form, all at once, and returns the result.
func (s *FormProbe) tryForm(ctx context.Context, texts []string, form string) (trial, error) {
	questions := make([]Question, len(texts))
	for i, text := range texts {
		questions[i] = s.ask(text, form)
	}
	var mu sync.Mutex
	var sum trial
	err := s.client.AskAll(ctx, questions, func(i int, r *replies.Record, _ *TextError) error {
		mu.Lock()
		defer mu.Unlock()
		if r == nil {
			return nil
		}
		if r.Took > 0 {
			sum.took = append(sum.took, r.Took)
		}
		if questions[i].IsUsable(r) {
			sum.valid++
		}
		return nil
	})
	return sum, err
}
