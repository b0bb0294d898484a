package llmparse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"capgraph/internal/direct"
)

// question is one thing to ask a model.
type question struct {
	key    Key
	prompt string // version of the prompt
	text   string // what is asked of, for the record
	form   string
	frame  *frame // of the request, for the form
	safe   *frame // of the request that sees whether an endpoint works
	tail   string // of its message; never empty
	room   int    // the most tokens of the reply
	round  int    // of the reply
	late   int    // how often there was no answer in time
	// valid reports whether a reply can be used; one that cannot is asked for
	// once more.
	valid func(r *Record) bool
}

// asTrial is a question that an endpoint that works answers, whatever it makes of
// the text of q. No two are the same: a proxy may keep replies.
func (q question) asTrial() question {
	q.frame, q.tail = q.safe, captionTail(fmt.Sprintf("a dog near number %d", time.Now().UnixNano()))
	return q
}

// textError concerns one question, not the run.
type textError struct {
	reason error
	kind   failureKind
	cause  error
}

func (e *textError) Error() string { return e.reason.Error() + ": " + e.cause.Error() }
func (e *textError) Unwrap() error { return e.reason }

// Client asks a model questions, each once a run, and takes replies from the cache if it has them.
// It is safe for concurrent use.
type Client struct {
	opts      Options
	key       string
	pool      *pool
	transport *http.Transport
	cache     *Cache
	meter     *meter
	sampling  string // canonical, for cache keys
	inquiries inflightCalls
	bad       unusableReplies
	crew      workerPool

	turn chan struct{} // held while the questions of a batch are put
	gate chan struct{} // held by each question that is put, until it is answered
}

// NewClient opens the cache and makes ready to ask. It sends nothing yet.
func NewClient(opts Options) (*Client, error) {
	return newClient(opts, localCache.open)
}

// Recall makes a client that gives the replies of the cache again and asks
// nothing. It writes no file.
func Recall(opts Options) (*Client, error) {
	opts.Endpoints = nil
	return newClient(opts, localCache.read)
}

func newClient(opts Options, open func(localCache) (*Cache, error)) (*Client, error) {
	if err := opts.Validate(); err != nil {
		return nil, &optionError{err}
	}
	key, err := opts.Key()
	if err != nil {
		return nil, &optionError{err}
	}
	fields, err := json.Marshal(opts.sampling())
	if err != nil {
		return nil, fmt.Errorf("sampling: %w", err)
	}
	folder, err := openFolder(opts.Cache)
	if err != nil {
		return nil, &optionError{err}
	}
	cache, err := open(folder)
	if err != nil {
		return nil, err
	}
	cache.tokens = opts.MaxTokens
	transport := newTransport(opts.MaxInFlight)
	c := &Client{
		opts: opts, key: key, transport: transport, cache: cache, meter: newMeter(), sampling: string(fields),
		inquiries: inflightCalls{open: map[Key]*inflightCall{}}, crew: workerPool{jobs: make(chan func())},
		turn: make(chan struct{}, 1), gate: make(chan struct{}, 2*opts.MaxInFlight*max(1, len(opts.Endpoints))),
		pool: &pool{
			endpoints:   newEndpoints(&opts, key, newHTTPDoer(direct.Client(transport), &opts)),
			giveUpAfter: opts.GiveUpAfter, waitForServer: opts.WaitForServer,
		},
	}
	return c, nil
}

// SetWarn names who is told what a person should know at once, such as that an
// endpoint does not answer. Call it before anything is asked.
func (c *Client) SetWarn(warn func(text string)) { c.pool.warn, c.cache.damage.tell = warn, warn }

// Close ends what is in flight, stores what was answered and closes the cache.
func (c *Client) Close() error {
	c.pool.close()
	c.crew.close()
	c.transport.CloseIdleConnections()
	if n := c.cache.damage.count(); n > 1 && c.pool.warn != nil {
		c.pool.warn(fmt.Sprintf("cache: %d replies of %s were damaged and counted as missing", n, c.opts.Cache))
	}
	return errors.Join(c.markForRetry(), c.cache.Close())
}

// isSufficient reports whether a cached reply still answers a question: it is not marked to be
// asked for again, and more tokens would not be allowed now than when it was cut off.
func (r *Record) isSufficient(room, most int) bool {
	return r != nil && r.Round%2 == 0 && !r.wasTruncated(room, most)
}

// nextRound returns the round of a reply that replaces r.
func (r *Record) nextRound() int { return r.Round + r.Round%2 }

// wasTruncated reports whether a reply was cut off with fewer tokens than it would be allowed now.
func (r *Record) wasTruncated(room, most int) bool {
	return r.Finish == string(openai.FinishReasonLength) && r.Room < min(nextMaxTokens(room), most)
}

// nextMaxTokens returns how many tokens a reply is allowed after it was cut off.
func nextMaxTokens(room int) int { return 4 * room }

// shareOfService bounds the wait for the disk: a cache write may wait 1/shareOfService of the time
// that an unqueued reply takes. So at most a quarter of the requests that fill a server wait for
// the disk, fewer than its limit adds for its queue.
const shareOfService = 4

// produceReply asks at the endpoint of l and stores the reply. If the reply was cut off or is
// unusable, it asks once more and stores the second.
func (c *Client) produceReply(ctx context.Context, l *lease, q question) (*Record, error) {
	again := false
	first, err := c.attemptRequest(ctx, l, q, c.opts.Attempts, func(r *Record) error {
		switch {
		case r.Finish == string(openai.FinishReasonLength) && q.room < c.opts.MaxTokens:
			c.meter.truncated.Add(1)
			q.room = min(nextMaxTokens(q.room), c.opts.MaxTokens)
			if strings.HasPrefix(strings.TrimSpace(r.Content), thoughtBegin) {
				q.room = c.opts.MaxTokens
			}
		case !q.valid(r):
			c.meter.useless.Add(1)
		default:
			return c.cache.Put(q.key, r)
		}
		again = true
		return nil
	})
	if err != nil || !again {
		return first, err
	}
	return c.attemptRequest(ctx, nil, q, c.opts.Attempts, func(r *Record) error {
		r.In += first.In
		r.Out += first.Out
		return c.cache.Put(q.key, r)
	})
}

// attemptRequest sends q until it is answered, at most most times, the first time with l unless
// that is nil. Between attempts it holds no place at an endpoint. An endpoint that has rested gets
// a trial question first, which is no attempt: if that is answered and q is not, q is to blame.
// keep is called with the answer before the place is given back; its error ends the attempts.
func (c *Client) attemptRequest(ctx context.Context, l *lease, q question, most int, keep func(r *Record) error) (*Record, error) {
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
			r.took = time.Since(l.since)
			r.share = c.pool.serviceTime(l, r.Out) / shareOfService
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
			return nil, &textError{errDeclined, kind, cause}
		case !l.trial:
			n++
		}
		if n > most {
			return nil, &textError{errUnanswered, kind, cause}
		}
		c.meter.retries.Add(1)
		if err := sleep(ctx, max(wait, backoff(q.key, n))); err != nil {
			return nil, err
		}
	}
}

// sendRequest makes one request at the endpoint of l, whose place it gives back where
// the request fails. wait is what the server asked to wait.
func (c *Client) sendRequest(ctx context.Context, l *lease, q question) (r *Record, wait time.Duration, err error) {
	within, cancel := context.WithTimeout(ctx, c.pool.timeLimit(l, c.opts.Timeout)<<min(q.late, maxDoublings))
	defer cancel()
	c.meter.requests.Add(1)
	l.since = time.Now()
	x := exchange{frame: q.frame, tokens: q.room}
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
	said := x.completion
	c.meter.recordAnswer(latency, said.in, said.out)
	return &Record{
		Model: c.opts.Model, Prompt: q.prompt, Text: q.text, Form: q.form, Room: q.room, Round: q.round,
		Content: said.content, Finish: said.finish, LogProb: said.logProb, In: said.in, Out: said.out,
	}, 0, nil
}

// newRequest is what q has for itself; its frame has the rest.
func (c *Client) newRequest(q question) openai.ChatCompletionRequest {
	return openai.ChatCompletionRequest{
		Model: c.opts.Model, LogProbs: c.opts.LogProbs,
		//lint:ignore SA1019 the name that every OpenAI-compatible server knows
		MaxTokens: q.room,
		Messages:  []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleUser, Content: q.tail}},
	}
}
