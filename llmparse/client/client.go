package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"capgraph/internal/direct"
	"capgraph/llmparse/replies"
)

// Question is a request for one reply.
type Question struct {
	Key    replies.Key
	Prompt string // version of the prompt
	Text   string // the caption or phrase, stored with the reply
	Form   string // ReplySchema or ReplyPlain
	Frame  *Frame // of the request, for this form
	// TrialFrame is the frame of a request that only tests whether an endpoint works.
	TrialFrame *Frame
	Tail       string // end of the message, after the frame's head; never empty
	MaxTokens  int    // limit of tokens for the reply
	// IsUsable reports whether a reply can be used. If not, the question is asked once more.
	IsUsable func(r *replies.Record) bool

	round int // of the reply
	late  int // how many of its requests have timed out
}

// asTrial returns a question that tests whether an endpoint works, in place of q: a text that no server refuses. Each
// is different, since a proxy may repeat a reply.
func (q Question) asTrial() Question {
	q.Frame, q.Tail = q.TrialFrame, replies.CaptionTail(fmt.Sprintf("a dog near number %d", time.Now().UnixNano()))
	return q
}

// TextError is the failure of one question. The run continues after it.
type TextError struct {
	Reason error // one of replies.Reasons
	Cause  error
}

func (e *TextError) Error() string { return e.Reason.Error() + ": " + e.Cause.Error() }
func (e *TextError) Unwrap() error { return e.Reason }

// Client asks a model questions and stores the replies in a cache, which answers equal questions. It is safe for
// concurrent use.
type Client struct {
	opts      Options
	key       string
	pool      *pool
	transport *http.Transport
	cache     *replies.Cache
	meter     *meter
	sampling  string // JSON of the sampling settings, for cache keys
	inquiries inflightCalls
	bad       unusableReplies
	crew      workerPool

	turn chan struct{} // held by the batch that is sending its questions
	gate chan struct{} // has an entry for each question that is sent and not answered
}

// New opens the cache and returns a client. It sends nothing yet.
func New(opts Options) (*Client, error) {
	return newClient(opts, replies.Open)
}

// NewCacheOnly returns a client that answers from the cache alone and writes no file.
func NewCacheOnly(opts Options) (*Client, error) {
	opts.Endpoints = nil
	return newClient(opts, replies.OpenReadOnly)
}

func newClient(opts Options, open func(dir string, maxTokens int) (*replies.Cache, error)) (*Client, error) {
	if err := opts.Validate(); err != nil {
		return nil, &optionError{err}
	}
	key, err := opts.Key()
	if err != nil {
		return nil, &optionError{err}
	}
	fields, err := json.Marshal(opts.SentSampling())
	if err != nil {
		return nil, fmt.Errorf("sampling: %w", err)
	}
	if _, err := replies.LocalFolder(opts.Cache); err != nil {
		return nil, &optionError{err}
	}
	cache, err := open(opts.Cache, opts.MaxTokens)
	if err != nil {
		return nil, err
	}
	transport := newTransport(opts.MaxInFlight)
	c := &Client{
		opts: opts, key: key, transport: transport, cache: cache, meter: newMeter(), sampling: string(fields),
		inquiries: inflightCalls{open: map[replies.Key]*inflightCall{}}, crew: workerPool{jobs: make(chan func())},
		turn: make(chan struct{}, 1), gate: make(chan struct{}, 2*opts.MaxInFlight*max(1, len(opts.Endpoints))),
		pool: &pool{
			endpoints:   newEndpoints(&opts, key, newHTTPDoer(direct.Client(transport), &opts)),
			giveUpAfter: opts.GiveUpAfter, waitForServer: opts.WaitForServer,
		},
	}
	return c, nil
}

// Options returns the options that New got.
func (c *Client) Options() Options { return c.opts }

// KeyOf returns the cache key of a question: of the end of its message and the version of its prompt.
func (c *Client) KeyOf(prompt, tail string) replies.Key {
	return replies.NewKey(c.opts.Model, prompt, c.sampling, tail)
}

// SetWarn sets the function that gets warnings for the user, such as "http://gpu1:8000/v1 does not answer". Call it
// before any question is asked.
func (c *Client) SetWarn(warn func(text string)) {
	c.pool.warn = warn
	c.cache.SetWarn(warn)
}

// Close ends the requests in flight, stores their replies and closes the cache.
func (c *Client) Close() error {
	c.pool.close()
	c.crew.close()
	c.transport.CloseIdleConnections()
	if n := c.cache.Damaged(); n > 1 && c.pool.warn != nil {
		c.pool.warn(fmt.Sprintf("cache: %d replies of %s were damaged and counted as missing", n, c.opts.Cache))
	}
	return errors.Join(c.markForRetry(), c.cache.Close())
}

// shareOfService limits how long a reply may wait to be written to disk: to 1/shareOfService of the time that a reply
// takes without a queue. So at most a quarter of the requests that fill a server wait for the disk, fewer than the
// limiter adds for the server's queue.
const shareOfService = 4

// produceReply asks q at the endpoint of l and stores the reply. If the reply was cut off or is unusable, it asks once
// more and stores the second reply.
func (c *Client) produceReply(ctx context.Context, l *lease, q Question) (*replies.Record, error) {
	again := false
	first, err := c.attemptRequest(ctx, l, q, c.opts.Attempts, func(r *replies.Record) error {
		switch {
		case r.Finish == replies.FinishLength && q.MaxTokens < c.opts.MaxTokens:
			c.meter.truncated.Add(1)
			q.MaxTokens = min(replies.NextMaxTokens(q.MaxTokens), c.opts.MaxTokens)
			if replies.IsReasoning(r.Content) {
				q.MaxTokens = c.opts.MaxTokens
			}
		case !q.IsUsable(r):
			c.meter.useless.Add(1)
		default:
			return c.cache.Put(q.Key, r)
		}
		again = true
		return nil
	})
	if err != nil || !again {
		return first, err
	}
	return c.attemptRequest(ctx, nil, q, c.opts.Attempts, func(r *replies.Record) error {
		r.In += first.In
		r.Out += first.Out
		return c.cache.Put(q.Key, r)
	})
}

// attemptRequest sends q until it is answered, at most most times, the first time with l unless l is nil. It holds no
// lease between attempts. An endpoint that has rested gets a trial question first, which does not count as an attempt.
// If the trial is answered and q then fails, the attempt counts. keep gets the reply before the lease ends; its error
// ends the attempts.
func (c *Client) attemptRequest(ctx context.Context, l *lease, q Question, most int, keep func(r *replies.Record) error) (*replies.Record, error) {
	for n := 1; ; l = nil {
		if l == nil {
			var err error
			if l, err = c.pool.acquire(ctx); err != nil {
				return nil, err
			}
		}
		asked := q
		if l.trial {
			asked = q.asTrial()
		}
		r, wait, err := c.sendRequest(ctx, l, asked)
		switch {
		case err == nil && l.trial:
			c.pool.release(l, declined, 0, 0, 0, nil)
			continue
		case err == nil:
			r.Took = time.Since(l.since)
			r.WriteWait = c.pool.serviceTime(l, r.Out) / shareOfService
			err = keep(r)
			c.pool.release(l, served, time.Since(l.since), r.Out, 0, nil)
			return r, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		kind := classify(err)
		c.meter.failures[kind].Add(1)
		if kind == failTimeout && !l.trial {
			q.late++
		}
		cause := fmt.Errorf("%s: %w", l.name, redactKey(err, c.key))
		switch {
		case kind == failKey:
			err = fmt.Errorf("%w: %s", cause, remedyFor(err))
			c.pool.failWaiting(err)
			return nil, err
		case kind == failDeclined && l.trial:
			continue
		case kind == failDeclined:
			return nil, &TextError{replies.ErrDeclined, cause}
		case !l.trial:
			n++
		}
		if n > most {
			return nil, &TextError{replies.ErrUnanswered, cause}
		}
		c.meter.retries.Add(1)
		if err := sleep(ctx, max(wait, backoff(q.Key, n))); err != nil {
			return nil, err
		}
	}
}

// sendRequest sends one request to the endpoint of l, and releases l if the request fails. wait is the delay that the
// server asked for.
func (c *Client) sendRequest(ctx context.Context, l *lease, q Question) (r *replies.Record, wait time.Duration, err error) {
	within, cancel := context.WithTimeout(ctx, c.pool.timeLimit(l, c.opts.Timeout)<<min(q.late, maxDoublings))
	defer cancel()
	c.meter.requests.Add(1)
	l.since = time.Now()
	x := exchange{frame: q.Frame, tokens: q.MaxTokens}
	res, err := l.client.CreateChatCompletion(context.WithValue(within, exchangeKey{}, &x), c.newRequest(q))
	latency := time.Since(l.since)
	switch {
	case x.page != nil:
		err = x.page
	case err != nil:
		err = refusalError(err)
	case err == nil && x.completion == nil:
		err = errEmpty
	}
	if err != nil {
		wait = retryAfter(res.Header(), time.Now())
		how, cause := broken, redactKey(err, c.key)
		if ctx.Err() == nil {
			kind := classify(err)
			how = kind.outcome()
			c.pool.recordFailure(l.endpoint, kind, err, cause)
		}
		c.pool.release(l, how, latency, 0, wait, cause)
		return nil, wait, err
	}
	answer := x.completion
	c.meter.recordAnswer(latency, answer.In, answer.Out)
	return &replies.Record{
		Model: c.opts.Model, Prompt: q.Prompt, Text: q.Text, Form: q.Form, Room: q.MaxTokens, Round: q.round,
		Content: answer.Content, Finish: answer.Finish, LogProb: answer.LogProb, In: answer.In, Out: answer.Out,
	}, 0, nil
}

// newRequest returns the request for q without the fields of its frame.
func (c *Client) newRequest(q Question) openai.ChatCompletionRequest {
	return openai.ChatCompletionRequest{
		Model: c.opts.Model, LogProbs: c.opts.LogProbs,
		//lint:ignore SA1019 the name that every OpenAI-compatible server knows
		MaxTokens: q.MaxTokens,
		Messages:  []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleUser, Content: q.Tail}},
	}
}
