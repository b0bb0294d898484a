package llmparse

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"
)

// How the form of replies is chosen.
const (
	probes        = 8                     // texts asked in each form to compare them
	schemaTexts   = 3                     // texts that fail with a schema before the server counts as one that does not know it
	probeAttempts = 3                     // attempts at each of them
	slowSchema    = 1.5                   // times slower than plain that a schema may be
	leastGain     = 20 * time.Millisecond // a request, that a choice is made by: less may be chance
)

// formatProbe finds out whether a model is asked with a JSON schema or without one.
type formatProbe struct {
	client *Client
	frames frames
	// ask makes the question of a text, for a reply in a form.
	ask func(text, form string) question

	settling sync.Mutex // held while the form is being found
	mu       sync.Mutex
	form     string // empty until it is known
	failed   int    // texts that failed with a schema
}

// newFormatProbe takes the form from the settings, where they name one.
func newFormatProbe(c *Client, f frames, ask func(text, form string) question) *formatProbe {
	s := &formatProbe{client: c, frames: f, ask: ask}
	if c.opts.Reply != ReplyAuto {
		s.form = c.opts.Reply
	}
	return s
}

// chooseForm returns the form of replies that the endpoints do best, found at
// the first call with some of its texts; their replies count like any others.
// A server that refuses a schema, or ignores it, is asked for plain replies.
// One that keeps to it is asked for schema replies, unless plain ones are as
// often valid and faster by more than slowSchema: holding a reply to a schema
// has cost some servers most of their speed. Of a call with few texts no times
// are taken; where all of them fail it is left to a later one.
func (s *formatProbe) chooseForm(ctx context.Context, texts []string, rest []int) (string, error) {
	if form, settled := s.chosenForm(); settled {
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

// chosenForm reports whether nothing is to be found out: the form is known, or there is nobody to
// ask.
func (s *formatProbe) chosenForm() (form string, settled bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.form, s.form != "" || len(s.client.pool.endpoints) == 0
}

// distinctTexts are the texts at indices, each once, as many as a comparison needs.
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

// bestForm is the form that some texts tell; empty if they tell none.
func (s *formatProbe) bestForm(ctx context.Context, texts []string) (string, error) {
	kept, err := s.keepsToSchema(ctx, texts[:min(schemaTexts, len(texts))])
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
		return ReplySchema, nil // replies that were there already tell no times
	}
	gain := schema.median() - plain.median()
	if plain.valid >= schema.valid && gain > leastGain && schema.median() > time.Duration(slowSchema*float64(plain.median())) {
		return ReplyPlain, nil
	}
	return ReplySchema, nil
}

// keepsToSchema asks for the first of texts that is answered, with a property in
// the schema that the prompt does not speak of; nil if none is.
func (s *formatProbe) keepsToSchema(ctx context.Context, texts []string) (*bool, error) {
	for _, text := range texts {
		q := s.ask(text, ReplySchema)
		q.frame, q.safe = s.frames.marked, s.frames.plain
		r, err := s.client.attemptRequest(ctx, nil, q, probeAttempts, func(r *Record) error {
			if !q.valid(r) {
				return nil
			}
			return s.client.cache.Put(q.key, r)
		})
		var t *textError
		switch {
		case errors.As(err, &t):
			s.failed++
			continue
		case err != nil:
			return nil, err
		}
		var marked map[string]json.RawMessage
		body, err := extractJSON(r.Content)
		if err == nil {
			err = json.NewDecoder(strings.NewReader(body)).Decode(&marked)
		}
		kept := err == nil && marked[schemaMark] != nil
		return &kept, nil
	}
	return nil, nil
}

// trial is how a form did.
type trial struct {
	valid int
	took  []time.Duration // of each reply that the model made for it
}

// median is how long a request took: a few slow ones, as the first ones at a
// server are, do not matter.
func (t *trial) median() time.Duration {
	slices.Sort(t.took)
	return t.took[len(t.took)/2]
}

// tryForm asks for texts at once in a form.
func (s *formatProbe) tryForm(ctx context.Context, texts []string, form string) (trial, error) {
	questions := make([]question, len(texts))
	for i, text := range texts {
		questions[i] = s.ask(text, form)
	}
	var mu sync.Mutex
	var sum trial
	err := s.client.askAll(ctx, questions, func(i int, r *Record, _ *textError) error {
		mu.Lock()
		defer mu.Unlock()
		if r == nil {
			return nil
		}
		if r.took > 0 {
			sum.took = append(sum.took, r.took)
		}
		if questions[i].valid(r) {
			sum.valid++
		}
		return nil
	})
	return sum, err
}
