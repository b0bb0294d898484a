package client

import (
	"context"
	"errors"
	"sync"

	"capgraph/internal/panics"
	"capgraph/llmparse/replies"
)

// inflightCall is a question that is being asked. All batches that want its reply share it.
type inflightCall struct {
	done  chan struct{} // closed once there is a reply or an error
	reply *replies.Record
	err   error
}

// inflightCalls are the questions that are being asked, so that equal questions share a request.
type inflightCalls struct {
	mu   sync.Mutex
	open map[replies.Key]*inflightCall
}

// wantedReply is a question of a batch and the call that gets its reply.
type wantedReply struct {
	at int
	*inflightCall
}

// claim starts a call for each of questions[i], i in at, that no batch is asking yet, and returns
// these calls as own. others are calls of other batches to wait for.
func (s *inflightCalls) claim(questions []Question, at []int) (own, others []wantedReply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range at {
		k := questions[i].Key
		if asked := s.open[k]; asked != nil {
			others = append(others, wantedReply{i, asked})
			continue
		}
		s.open[k] = &inflightCall{done: make(chan struct{})}
		own = append(own, wantedReply{i, s.open[k]})
	}
	return own, others
}

// finishCall ends call q for key k with a reply or an error.
func (s *inflightCalls) finishCall(k replies.Key, q *inflightCall, r *replies.Record, err error) {
	s.mu.Lock()
	delete(s.open, k)
	s.mu.Unlock()
	q.reply, q.err = r, err
	close(q.done)
}

// batch is a set of questions that are asked together.
type batch struct {
	*Client
	ctx       context.Context
	cancel    context.CancelCauseFunc
	questions []Question
	use       func(i int, r *replies.Record, why *TextError) error
	running   sync.WaitGroup
}

// AskAll gets the reply to each question: from the cache, from another batch that is asking it, or
// from the model. It calls use, on several goroutines, with each reply or with the reason why there
// is none; if use returns an error, the batch ends. AskAll returns only errors that end the run.
func (c *Client) AskAll(ctx context.Context, questions []Question, use func(i int, r *replies.Record, why *TextError) error) error {
	b := &batch{Client: c, questions: questions, use: use}
	b.ctx, b.cancel = context.WithCancelCause(ctx)
	defer b.cancel(nil)
	todo := make([]int, len(questions))
	for i := range todo {
		todo[i] = i
	}
	for len(todo) > 0 && b.ctx.Err() == nil {
		own, others := c.inquiries.claim(questions, todo)
		b.fetch(own)
		todo = todo[:0]
		for _, w := range others {
			if !b.awaitReply(w) {
				todo = append(todo, w.at)
			}
		}
	}
	b.running.Wait()
	err := context.Cause(b.ctx)
	panics.Rethrow(err)
	return err
}

// AskAndRead asks questions and calls read with each reply. It counts questions without a reply,
// and the replies for which read returns an error.
func (c *Client) AskAndRead(ctx context.Context, questions []Question, read func(i int, r *replies.Record) error) error {
	return c.AskAll(ctx, questions, func(i int, r *replies.Record, why *TextError) error {
		if why != nil {
			c.meter.bad[replies.ReasonIndex(why.Reason)].Add(1)
			return nil
		}
		if reason := read(i, r); reason != nil {
			return c.CountUnusable(&questions[i], r, reason)
		}
		c.CountUsable(r)
		return nil
	})
}

// awaitReply waits for a call of another batch and uses its reply. It returns false if that batch
// ended without one.
func (b *batch) awaitReply(w wantedReply) bool {
	select {
	case <-w.done:
	case <-b.ctx.Done():
		return false
	}
	var t *TextError
	if w.err != nil && !errors.As(w.err, &t) {
		return false
	}
	b.deliver(w.at, w.reply, w.err)
	return true
}

// deliver calls use with a reply or the reason why there is none. An error of the run ends the
// batch.
func (b *batch) deliver(i int, r *replies.Record, err error) {
	var t *TextError
	switch {
	case err == nil:
		err = b.use(i, r, nil)
	case errors.As(err, &t):
		err = b.use(i, nil, t)
	}
	if err != nil {
		b.cancel(err)
	}
}

// finish ends a call of this batch and delivers its reply.
func (b *batch) finish(w wantedReply, r *replies.Record, err error) {
	b.inquiries.finishCall(b.questions[w.at].Key, w.inflightCall, r, err)
	b.deliver(w.at, r, err)
}

// finishSafely is finish for goroutines that do not recover from a panic of use: it returns the
// panic as an error.
func (b *batch) finishSafely(w wantedReply, r *replies.Record, why error) (err error) {
	defer panics.Catch(&err)
	b.finish(w, r, why)
	return nil
}

// fetch starts getting the replies to the questions that this batch has claimed.
func (b *batch) fetch(own []wantedReply) {
	questions := make([]Question, len(own))
	for n, w := range own {
		questions[n] = b.questions[w.at]
	}
	missing, visited := own[:0], 0
	err := b.EachCached(questions, func(n int, r *replies.Record) error {
		w := own[n]
		visited++
		if r.IsSufficient(b.questions[w.at].MaxTokens, b.opts.MaxTokens) {
			b.meter.cacheHits.Add(1)
			b.finish(w, r, nil)
			return nil
		}
		if r != nil {
			b.questions[w.at].round = r.NextRound()
		}
		missing = append(missing, w)
		return nil
	})
	if err != nil {
		b.cancel(err)
		missing = append(missing, own[visited:]...) // these end with the batch
	}
	put := b.dispatch(missing)
	for _, w := range missing[put:] {
		b.finish(w, nil, context.Cause(b.ctx))
	}
}

// dispatch sends questions, as many at a time as keep the endpoints busy, and returns how many it
// sent: all, unless the batch ends. Batches send one after another, in the order of their calls. So
// they do not all end at the same time and leave the endpoints idle.
func (b *batch) dispatch(missing []wantedReply) int {
	if len(b.pool.endpoints) == 0 {
		for _, w := range missing {
			b.finish(w, nil, &TextError{Reason: replies.ErrNotAsked, Cause: errors.New("no endpoints are configured")})
		}
		return len(missing)
	}
	if acquireSlot(b.ctx, b.turn) != nil {
		return 0
	}
	defer func() { <-b.turn }()
	for n, w := range missing {
		if acquireSlot(b.ctx, b.gate) != nil {
			return n
		}
		l, err := b.pool.acquire(b.ctx)
		if err != nil {
			<-b.gate
			b.cancel(err)
			return n
		}
		b.running.Add(1)
		b.crew.run(func() {
			defer b.running.Done()
			r, err := b.askWithRetry(b.ctx, l, b.questions[w.at])
			<-b.gate
			if err := b.finishSafely(w, r, err); err != nil {
				b.cancel(err)
			}
		})
	}
	return len(missing)
}

// acquireSlot waits for a free place in a channel that is used as a semaphore, or returns the error
// of ctx.
func acquireSlot(ctx context.Context, places chan<- struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// askWithRetry gets the reply to q from the model. A *TextError is a failure of q alone; any other
// error ends the run.
func (c *Client) askWithRetry(ctx context.Context, l *lease, q Question) (r *replies.Record, err error) {
	defer panics.Catch(&err)
	r, err = c.produceReply(ctx, l, q)
	var t *TextError
	if errors.As(err, &t) {
		c.meter.lastFailure.Store(t.Cause.Error())
		if spent := c.countFailure(t.Cause); spent != nil {
			return nil, spent
		}
	}
	return r, err
}
