package llmparse

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"capgraph/internal/portable"
	"capgraph/llmparse/client"
	"capgraph/llmparse/replies"
	"capgraph/schemas"

	"github.com/prometheus/client_golang/prometheus"
)

// Name is the name and version of the decoder of replies. Column parser holds it with the model and the prompt.
const Name = "llmparse/3"

// Parser asks a model for the graphs of texts. It implements schemas.Parser.
type Parser struct {
	client  *client.Client
	opts    client.Options
	rules   Rules
	hybrid  bool
	frames  client.Frames
	form    *client.FormProbe
	name    string
	work    sync.Pool // of *grounder
	repairs [numRepairs]atomic.Int64
}

// New returns a parser that asks the model about every text. Close it.
func New(opts client.Options, rules Rules) (*Parser, error) {
	c, err := client.New(opts)
	if err != nil {
		return nil, err
	}
	return NewParser(c, rules), nil
}

// NewParser returns a parser that asks the model through c. Closing the parser closes c.
func NewParser(c *client.Client, rules Rules) *Parser {
	opts := c.Options()
	p := &Parser{client: c, opts: opts, rules: rules, frames: c.NewFrames(&captionTask), name: Name + " " + opts.Model + " " + PromptVersion}
	p.form = c.NewFormProbe(p.frames, p.newQuestion)
	p.work.New = func() any { return &grounder{rules: rules} }
	return p
}

// NewHybrid returns a parser that asks the model only if the rule parser's confidence is below
// opts.Threshold, and else returns the rule parser's graph.
func NewHybrid(opts client.Options, rules Rules) (*Parser, error) {
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

// Close closes the cache and the connections. No Parse may be running.
func (p *Parser) Close() error { return p.client.Close() }

// Stats returns the counts of the client and of the corrections of replies.
func (p *Parser) Stats() client.Stats {
	s := p.client.Stats()
	s.Repairs = map[string]int64{}
	for k := range p.repairs {
		if n := p.repairs[k].Load(); n > 0 {
			s.Repairs[repair(k).String()] = n
		}
	}
	return s
}

// Metrics returns the counts of Stats for Prometheus.
func (p *Parser) Metrics() prometheus.Gatherer {
	own := prometheus.NewRegistry()
	for k := range p.repairs {
		own.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "capgraph_llm_reply_repairs_total", Help: "Things mended in replies.", ConstLabels: prometheus.Labels{"kind": repair(k).String()},
		}, func() float64 { return float64(p.repairs[k].Load()) }))
	}
	return prometheus.Gatherers{p.client.Metrics(), own}
}

// DescribeUnusable is client.Client.DescribeUnusable.
func (p *Parser) DescribeUnusable() string { return p.client.DescribeUnusable() }

// RetryUnusable is client.Client.RetryUnusable.
func (p *Parser) RetryUnusable() { p.client.RetryUnusable() }

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
	form, err := p.form.ChooseForm(ctx, texts, rest)
	if err != nil {
		return err
	}
	questions := make([]client.Question, len(rest))
	for n, i := range rest {
		questions[n] = p.newQuestion(texts[i], form)
	}
	return p.client.AskAll(ctx, questions, func(n int, r *replies.Record, why *client.TextError) error {
		i := rest[n]
		if why == nil {
			return p.decodeReply(&questions[n], r, &out[i])
		}
		out[i].Tokens = p.rules.Tokens(texts[i], out[i].Tokens)
		p.client.CountUnanswered(&questions[n], why)
		p.fallBack(texts[i], why.Reason, why.Cause.Error(), &out[i])
		return nil
	})
}

// fromCache fills out for the texts that need no request, and returns the indices of the others.
func (p *Parser) fromCache(ctx context.Context, texts []string, out []schemas.Parsed) ([]int, error) {
	var rest []int
	var questions []client.Question
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i].Reset()
		if p.hybrid {
			p.rules.ParseText(text, &out[i])
			if float64(out[i].Confidence) >= p.opts.Threshold {
				p.client.CountText()
				continue
			}
		}
		rest = append(rest, i)
		questions = append(questions, client.Question{Key: p.keyOf(text), Prompt: PromptVersion, Text: text})
	}
	missing := rest[:0]
	err := p.client.EachCached(questions, func(n int, r *replies.Record) error {
		i := rest[n]
		if !r.IsSufficient(replyTokens(texts[i], p.opts.MaxTokens), p.opts.MaxTokens) {
			missing = append(missing, i)
			return nil
		}
		p.client.CountCached()
		return p.decodeReply(&questions[n], r, &out[i])
	})
	return missing, err
}

// keyOf returns the cache key of text.
func (p *Parser) keyOf(text string) replies.Key { return p.client.KeyOf(PromptVersion, text) }

// Question returns the question that asks for the graph of text, in the form of reply of the settings.
func (p *Parser) Question(text string) client.Question {
	form, _ := p.form.Chosen()
	return p.newQuestion(text, form)
}

// newQuestion returns the question that asks for the graph of text in a form of reply.
func (p *Parser) newQuestion(text, form string) client.Question {
	return client.Question{
		Key: p.keyOf(text), Prompt: PromptVersion, Text: text, Form: form,
		Frame: p.frames.ForForm(form), TrialFrame: p.frames.ForForm(form), Tail: replies.CaptionTail(text),
		MaxTokens: replyTokens(text, p.opts.MaxTokens), IsUsable: Usable,
	}
}

// decodeReply fills out from the reply r to q: with its graph, or by fallBack if r has no usable one. It returns an
// error if too many replies have failed.
func (p *Parser) decodeReply(q *client.Question, r *replies.Record, out *schemas.Parsed) error {
	out.Reset()
	out.Tokens = p.rules.Tokens(q.Text, out.Tokens)
	if err := p.decodeGraph(q.Text, r, out); err != nil {
		p.fallBack(q.Text, err, "", out)
		return p.client.CountUnusable(q, r, err)
	}
	p.client.CountUsable(r)
	out.Parser = p.name
	p.client.CountText()
	return nil
}

// decodeGraph fills the graph and the confidence of out from a reply.
func (p *Parser) decodeGraph(text string, r *replies.Record, out *schemas.Parsed) error {
	rep, err := readReply(r.Content)
	switch {
	case r.Finish == replies.FinishFilter:
		return replies.ErrRefused
	case err != nil && err != replies.ErrOnlyThought && r.Finish == replies.FinishLength:
		return replies.ErrTruncated
	case err != nil:
		return err
	}
	g := p.work.Get().(*grounder)
	defer p.work.Put(g)
	g.reset(text, out.Tokens)
	var fixed repairs
	err = g.buildGraph(rep, &out.Graph, &fixed)
	for k, n := range fixed {
		p.repairs[k].Add(int64(n))
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

// fallBack fills out for a text without a usable reply: with the rule parser's graph, or with a reject for reason.
// detail explains the reason.
func (p *Parser) fallBack(text string, reason error, detail string, out *schemas.Parsed) {
	if p.opts.OnBad == client.OnBadReject {
		tokens := out.Tokens
		out.Reset()
		out.Tokens, out.Parser, out.Reject, out.Detail = tokens, p.name, "llm_"+reason.Error(), detail
	} else {
		p.rules.ParseText(text, out)
		out.Parser += " (" + Name + ": " + reason.Error() + ")"
		out.FellBack = reason.Error()
	}
	p.client.CountText()
}

// Settings returns the options that the graphs depend on, for the plan of a parse pass. The others affect only speed.
func Settings(o *client.Options) any {
	return struct {
		Model     string         `yaml:"model"`
		Prompt    string         `yaml:"prompt"`
		Sampling  map[string]any `yaml:"sampling"`
		MaxTokens int            `yaml:"max_tokens"`
		LogProbs  bool           `yaml:"logprobs"`
		OnBad     string         `yaml:"on_bad_reply"`
		Threshold float64        `yaml:"threshold"`
	}{o.Model, PromptVersion, o.SentSampling(), o.MaxTokens, o.LogProbs, o.OnBad, o.Threshold}
}
