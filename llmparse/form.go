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

// settleForm returns the form of replies that the endpoints do best, found at
// the first call with some of its texts; their replies count like any others.
// A server that refuses a schema, or ignores it, is asked for plain replies.
// One that keeps to it is asked for schema replies, unless plain ones are as
// often valid and faster by more than slowSchema: holding a reply to a schema
// has cost some servers most of their speed.
func (p *Parser) settleForm(ctx context.Context, texts []string, rest []int) (string, error) {
	p.mu.Lock()
	form := p.form
	p.mu.Unlock()
	if form != "" || len(p.client.pool.endpoints) == 0 {
		return form, nil
	}
	p.settling.Lock()
	defer p.settling.Unlock()
	if p.form != "" {
		return p.form, nil
	}
	form, err := p.bestForm(ctx, distinct(texts, rest))
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	p.form = form
	p.mu.Unlock()
	return form, nil
}

// distinct are the texts at indices, each once, as many as a comparison needs.
func distinct(texts []string, indices []int) []string {
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

func (p *Parser) bestForm(ctx context.Context, texts []string) (string, error) {
	kept, err := p.keepsToSchema(ctx, texts[:min(schemaTexts, len(texts))])
	if err != nil || !kept {
		return ReplyPlain, err
	}
	texts = texts[min(schemaTexts, len(texts)):]
	if len(texts) < 2*probes {
		return ReplySchema, nil
	}
	schema, err := p.try(ctx, texts[:probes], ReplySchema)
	if err != nil {
		return "", err
	}
	plain, err := p.try(ctx, texts[probes:2*probes], ReplyPlain)
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
// the schema that the prompt does not speak of.
func (p *Parser) keepsToSchema(ctx context.Context, texts []string) (bool, error) {
	for _, text := range texts {
		q := p.question(text, ReplySchema)
		q.frame, q.safe = p.frames.marked, p.frames.plain
		r, err := p.client.attempt(ctx, nil, q, probeAttempts, func(r *Record) error {
			if !q.valid(r) {
				return nil
			}
			return p.client.cache.Put(q.key, r)
		})
		var t *textError
		switch {
		case errors.As(err, &t):
			continue
		case err != nil:
			return false, err
		}
		var marked map[string]json.RawMessage
		err = json.NewDecoder(strings.NewReader(r.Content)).Decode(&marked)
		return err == nil && marked[schemaMark] != nil, nil
	}
	return false, nil
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

// try asks for texts at once in a form.
func (p *Parser) try(ctx context.Context, texts []string, form string) (trial, error) {
	questions := make([]question, len(texts))
	for i, text := range texts {
		questions[i] = p.question(text, form)
	}
	var mu sync.Mutex
	var sum trial
	err := p.client.ask(ctx, questions, func(i int, r *Record, _ *textError) error {
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
