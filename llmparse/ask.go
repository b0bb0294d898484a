package llmparse

import (
	"context"
	"errors"
	"sync"

	"capgraph/internal/panics"
)

// inquiry is a question that is being asked, for all who want its reply.
type inquiry struct {
	done  chan struct{} // closed once there is a reply or an error
	reply *Record
	err   error
}

// inquiries are the questions that are being asked, so that none is asked twice
// at a time.
type inquiries struct {
	mu   sync.Mutex
	open map[Key]*inquiry
}

// wanted is a question of a batch and the inquiry for it.
type wanted struct {
	at int
	*inquiry
}

// claim opens inquiries for those questions, of the batch's at the indices
// given, that nobody is asking. The others are to be waited for.
func (s *inquiries) claim(questions []question, at []int) (own, others []wanted) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range at {
		k := questions[i].key
		if asked := s.open[k]; asked != nil {
			others = append(others, wanted{i, asked})
			continue
		}
		s.open[k] = &inquiry{done: make(chan struct{})}
		own = append(own, wanted{i, s.open[k]})
	}
	return own, others
}

// end closes the inquiry for k.
func (s *inquiries) end(k Key, q *inquiry, r *Record, err error) {
	s.mu.Lock()
	delete(s.open, k)
	s.mu.Unlock()
	q.reply, q.err = r, err
	close(q.done)
}

// batch is questions that are asked together.
type batch struct {
	*Client
	ctx       context.Context
	cancel    context.CancelCauseFunc
	questions []question
	use       func(i int, r *Record, why *textError) error
	running   sync.WaitGroup
}

// ask gets the replies to questions, each from the cache, from another batch
// that is asking it, or from the model. It calls use with each as it comes, or
// with the reason why there is none, on several goroutines; its error ends the
// batch. An error concerns the run.
func (c *Client) ask(ctx context.Context, questions []question, use func(i int, r *Record, why *textError) error) error {
	b := &batch{Client: c, questions: questions, use: use}
	b.ctx, b.cancel = context.WithCancelCause(ctx)
	defer b.cancel(nil)
	todo := make([]int, len(questions))
	for i := range todo {
		todo[i] = i
	}
	for len(todo) > 0 && b.ctx.Err() == nil {
		own, others := c.inquiries.claim(questions, todo)
		b.pursue(own)
		todo = todo[:0]
		for _, w := range others {
			if !b.await(w) {
				todo = append(todo, w.at)
			}
		}
	}
	b.running.Wait()
	err := context.Cause(b.ctx)
	panics.Pass(err)
	return err
}

// askAndRead asks questions and has each reply read. Of those that have none, or one that
// read gives a reason against, it takes note.
func (c *Client) askAndRead(ctx context.Context, questions []question, read func(i int, r *Record) error) error {
	return c.ask(ctx, questions, func(i int, r *Record, why *textError) error {
		if why != nil {
			c.meter.bad[reasonIndex(why.reason)].Add(1)
			return nil
		}
		if reason := read(i, r); reason != nil {
			c.meter.bad[reasonIndex(reason)].Add(1)
			return c.spoilt(&questions[i], r, reason)
		}
		c.useful(r)
		return nil
	})
}

// await waits for an inquiry of another batch. It is false if that batch has
// ended without a reply.
func (b *batch) await(w wanted) bool {
	select {
	case <-w.done:
	case <-b.ctx.Done():
		return false
	}
	var t *textError
	if w.err != nil && !errors.As(w.err, &t) {
		return false
	}
	b.tell(w.at, w.reply, w.err)
	return true
}

// tell hands on a reply or why there is none, or ends the batch.
func (b *batch) tell(i int, r *Record, err error) {
	var t *textError
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

// end closes an inquiry of this batch.
func (b *batch) end(w wanted, r *Record, err error) {
	b.inquiries.end(b.questions[w.at].key, w.inquiry, r, err)
	b.tell(w.at, r, err)
}

// ended is end if nobody is on the stack to recover from a panic of use.
func (b *batch) ended(w wanted, r *Record, why error) (err error) {
	defer panics.Catch(&err)
	b.end(w, r, why)
	return nil
}

// pursue starts to get the replies to questions that this batch has claimed.
func (b *batch) pursue(own []wanted) {
	questions := make([]question, len(own))
	for n, w := range own {
		questions[n] = b.questions[w.at]
	}
	missing, visited := own[:0], 0
	err := b.eachCached(questions, func(n int, r *Record) error {
		w := own[n]
		visited++
		if r.stands(b.questions[w.at].room, b.opts.MaxTokens) {
			b.meter.cacheHits.Add(1)
			b.end(w, r, nil)
			return nil
		}
		if r != nil {
			b.questions[w.at].round = r.next()
		}
		missing = append(missing, w)
		return nil
	})
	if err != nil {
		b.cancel(err)
		missing = append(missing, own[visited:]...) // which end with the batch
	}
	put := b.put(missing)
	for _, w := range missing[put:] {
		b.end(w, nil, context.Cause(b.ctx))
	}
}

// put asks, as many at a time as keep the endpoints busy, and returns how many
// it has begun to ask: all, unless the batch ends. Batches have their turns in
// the order of coming, so that they do not all end at once and leave the
// endpoints with nothing to do.
func (b *batch) put(missing []wanted) int {
	if len(b.pool.endpoints) == 0 {
		for _, w := range missing {
			b.end(w, nil, &textError{reason: errNotAsked, cause: errors.New("no endpoints are configured")})
		}
		return len(missing)
	}
	if take(b.ctx, b.turn) != nil {
		return 0
	}
	defer func() { <-b.turn }()
	for n, w := range missing {
		if take(b.ctx, b.gate) != nil {
			return n
		}
		l, err := b.pool.acquire(b.ctx)
		if err != nil {
			<-b.gate
			b.cancel(err)
			return n
		}
		b.running.Add(1)
		b.crew.do(func() {
			defer b.running.Done()
			r, err := b.answer(b.ctx, l, b.questions[w.at])
			<-b.gate
			if err := b.ended(w, r, err); err != nil {
				b.cancel(err)
			}
		})
	}
	return len(missing)
}

// take puts something into a channel that bounds how many do, or returns the
// error of ctx.
func take(ctx context.Context, places chan<- struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// answer gets the reply to q from the model. A *textError concerns q alone; any
// other error the run.
func (c *Client) answer(ctx context.Context, l *lease, q question) (r *Record, err error) {
	defer panics.Catch(&err)
	r, err = c.produce(ctx, l, q)
	var t *textError
	if errors.As(err, &t) {
		c.meter.lastFailure.Store(t.cause.Error())
		if spent := c.spend(t.cause); spent != nil {
			return nil, spent
		}
	}
	return r, err
}
