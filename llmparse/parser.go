package llmparse

import (
	"context"
	"fmt"
	"sync"

	"capgraph/internal/portable"
	"capgraph/schemas"

	"github.com/prometheus/client_golang/prometheus"
	openai "github.com/sashabaranov/go-openai"
)

// Name is the name and version of the decoder of replies; the parser column
// adds model and prompt.
const Name = "llmparse/3"

// Parser makes graphs by asking a model. It implements schemas.Parser.
type Parser struct {
	client *Client
	rules  Rules
	hybrid bool
	frames frames
	form   *formatProbe // of replies
	name   string
	work   sync.Pool // of *grounder
}

// New makes a parser that asks the model for every text. Close it.
func New(opts Options, rules Rules) (*Parser, error) {
	client, err := NewClient(opts)
	if err != nil {
		return nil, err
	}
	p := &Parser{
		client: client, rules: rules, frames: newCaptionFrames(client.sampling),
		name: Name + " " + opts.Model + " " + PromptVersion,
	}
	p.form = newFormatProbe(client, p.frames, p.newQuestion)
	p.work.New = func() any { return &grounder{rules: rules} }
	return p, nil
}

// NewHybrid makes a parser that asks the model only if the rule parser's confidence is below
// opts.Threshold, and else returns the rule parser's graph.
func NewHybrid(opts Options, rules Rules) (*Parser, error) {
	p, err := New(opts, rules)
	if err != nil {
		return nil, err
	}
	p.hybrid = true
	return p, nil
}

// SetWarn sets the function that gets warnings for the user, such as "http://gpu1:8000/v1 does not
// answer". Call it before Parse.
func (p *Parser) SetWarn(warn func(text string)) { p.client.SetWarn(warn) }

// Metrics are the counts of its client for Prometheus.
func (p *Parser) Metrics() prometheus.Gatherer { return p.client.Metrics() }

// Close closes the cache and the connections. No Parse may be running.
func (p *Parser) Close() error { return p.client.Close() }

// Stats returns what the parser has done so far.
func (p *Parser) Stats() Stats { return p.client.Stats() }

// Parse fills out[i] from texts[i]. It returns an error if ctx is done, if the cache fails, or if
// the endpoints fail more often than the settings allow.
func (p *Parser) Parse(ctx context.Context, texts []string, out []schemas.Parsed) error {
	if len(texts) != len(out) {
		return fmt.Errorf("%d texts and room for %d graphs", len(texts), len(out))
	}
	rest, err := p.fromCache(ctx, texts, out)
	if err != nil || len(rest) == 0 {
		return err
	}
	form, err := p.form.chooseForm(ctx, texts, rest)
	if err != nil {
		return err
	}
	questions := make([]question, len(rest))
	for n, i := range rest {
		questions[n] = p.newQuestion(texts[i], form)
	}
	return p.client.askAll(ctx, questions, func(n int, r *Record, why *textError) error {
		i := rest[n]
		if why == nil {
			return p.decodeReply(&questions[n], r, &out[i])
		}
		out[i].Tokens = p.rules.Tokens(texts[i], out[i].Tokens)
		p.client.bad.add(why.reason, texts[i], why.cause.Error(), nil)
		p.fallBack(texts[i], why.reason, why.cause.Error(), &out[i])
		return nil
	})
}

// fromCache fills what needs no request and returns the indices of the rest.
func (p *Parser) fromCache(ctx context.Context, texts []string, out []schemas.Parsed) ([]int, error) {
	var rest []int
	var questions []question
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i].Reset()
		if p.hybrid {
			p.rules.ParseText(text, &out[i])
			if float64(out[i].Confidence) >= p.client.opts.Threshold {
				p.client.meter.texts.Add(1)
				continue
			}
		}
		rest = append(rest, i)
		questions = append(questions, question{key: p.keyOf(text), prompt: PromptVersion, text: text})
	}
	missing := rest[:0]
	err := p.client.eachCached(questions, func(n int, r *Record) error {
		i := rest[n]
		if !r.isSufficient(replyTokens(texts[i], p.client.opts.MaxTokens), p.client.opts.MaxTokens) {
			missing = append(missing, i)
			return nil
		}
		p.client.meter.cacheHits.Add(1)
		return p.decodeReply(&questions[n], r, &out[i])
	})
	return missing, err
}

// keyOf is the cache key of text.
func (p *Parser) keyOf(text string) Key {
	return newKey(p.client.opts.Model, PromptVersion, p.client.sampling, text)
}

// newQuestion asks for the graph of text.
func (p *Parser) newQuestion(text, form string) question {
	return question{
		key: p.keyOf(text), prompt: PromptVersion, text: text, form: form,
		frame: p.frames.forForm(form), safe: p.frames.forForm(form), tail: captionTail(text),
		room: replyTokens(text, p.client.opts.MaxTokens), valid: (*Record).isReadable,
	}
}

// decodeReply fills out with the graph of a reply to q, or with its fallback. It returns an error
// if the failure budget is spent.
func (p *Parser) decodeReply(q *question, r *Record, out *schemas.Parsed) error {
	out.Reset()
	out.Tokens = p.rules.Tokens(q.text, out.Tokens)
	if err := p.decodeGraph(q.text, r, out); err != nil {
		p.fallBack(q.text, err, "", out)
		return p.client.recordUnusable(q, r, err)
	}
	p.client.recordUsable(r)
	out.Parser = p.name
	p.client.meter.texts.Add(1)
	return nil
}

// decodeGraph fills graph and confidence of out from a reply.
func (p *Parser) decodeGraph(text string, r *Record, out *schemas.Parsed) error {
	rep, err := r.decodeReply()
	switch {
	case r.Finish == string(openai.FinishReasonContentFilter):
		return errRefused
	case err != nil && err != errOnlyThought && r.Finish == string(openai.FinishReasonLength):
		return errTruncated
	case err != nil:
		return err
	}
	g := p.work.Get().(*grounder)
	defer p.work.Put(g)
	g.reset(text, out.Tokens)
	var fixed repairs
	err = g.buildGraph(rep, &out.Graph, &fixed)
	for k, n := range fixed {
		p.client.meter.repairs[k].Add(int64(n))
	}
	if err != nil {
		return err
	}
	parts := len(rep.Entities) + len(rep.Statements)
	out.Confidence = 1
	if parts > 0 {
		out.Confidence = float32(max(0, 1-float64(fixed.total())/float64(parts)))
	}
	if r.LogProb != nil {
		out.Confidence *= float32(portable.Exp(*r.LogProb))
	}
	out.Graph.SetConfidence(out.Confidence)
	return nil
}

// fallBack gives a text without a usable reply to the rule parser, or rejects
// it. detail says more of the reason in words.
func (p *Parser) fallBack(text string, reason error, detail string, out *schemas.Parsed) {
	p.client.meter.bad[reasonIndex(reason)].Add(1)
	if p.client.opts.OnBad == OnBadReject {
		tokens := out.Tokens
		out.Reset()
		out.Tokens, out.Parser, out.Reject, out.Detail = tokens, p.name, "llm_"+reason.Error(), detail
	} else {
		p.rules.ParseText(text, out)
		out.Parser += " (" + Name + ": " + reason.Error() + ")"
		out.FellBack = reason.Error()
	}
	p.client.meter.texts.Add(1)
}
