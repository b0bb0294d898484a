package client

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"capgraph/internal/text"
	"capgraph/llmparse/replies"
)

const (
	keptReplies  = 3       // unusable replies that are kept as examples, for each reason
	shownReplies = 5       // examples in an error message
	mostBad      = 1 << 20 // number of unusable replies whose keys are kept, the last ones
)

// remedies are hints for the user, by reason.
var remedies = map[error]string{
	replies.ErrOnlyThought: "; if the server can turn reasoning off, set parse.sampling='{chat_template_kwargs: {enable_thinking: false}}', else raise parse.max_tokens",
	replies.ErrEchoed:      "; see that the server applies the model's chat template",
}

// badReply is a text without a usable reply, and the server's answer.
type badReply struct {
	text, answer string
}

// unusableReplies counts texts without a usable reply, and keeps some as examples. If a run fails because of them,
// Close marks them in the cache, so that the next run asks again.
type unusableReplies struct {
	mu      sync.Mutex
	counts  [replies.NumReasons]int
	fresh   int // unusable replies that were not from the cache
	usable  int // usable replies that were not from the cache
	shown   [replies.NumReasons][]badReply
	keys    []replies.Key // of unusable replies; a ring of at most mostBad
	next    int           // of the ring
	askAnew bool
}

// add records a text without a usable reply, and the reason. key is nil if there was no answer.
func (u *unusableReplies) add(reason error, text, answer string, key *replies.Key) {
	u.mu.Lock()
	defer u.mu.Unlock()
	at := replies.ReasonIndex(reason)
	u.counts[at]++
	if len(u.shown[at]) < keptReplies {
		u.shown[at] = append(u.shown[at], badReply{text, answer})
	}
	switch {
	case key == nil:
	case len(u.keys) < mostBad:
		u.keys = append(u.keys, *key)
	default:
		u.keys[u.next] = *key
		u.next = (u.next + 1) % mostBad
	}
}

// describeWorst is DescribeUnusable.
func (u *unusableReplies) describeWorst() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	order := make([]int, 0, replies.NumReasons)
	for i := range u.shown {
		if len(u.shown[i]) > 0 && replies.Reasons[i] != replies.ErrNotAsked {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(u.counts[b], u.counts[a]) })
	var lines []string
	for round := range keptReplies { // one of each reason before the second of any
		for _, i := range order {
			if round < len(u.shown[i]) && len(lines) < shownReplies {
				b := u.shown[i][round]
				lines = append(lines, fmt.Sprintf("\n  %s: %.80q was answered %.200q%s", replies.Reasons[i], b.text, b.answer, remedies[replies.Reasons[i]]))
			}
		}
	}
	return strings.Join(lines, "")
}

// CountUnusable counts a reply that cannot be used; reason is one of replies.Reasons. It returns an error if more texts
// have failed than Options.FailureBudget.
func (c *Client) CountUnusable(q *Question, r *replies.Record, reason error) error {
	c.meter.bad[replies.ReasonIndex(reason)].Add(1)
	content := redactKey(errors.New(r.Content), c.key).Error()
	c.bad.add(reason, q.Text, content, &q.Key)
	if r.Took == 0 {
		return nil
	}
	c.bad.mu.Lock()
	c.bad.fresh++
	c.bad.mu.Unlock()
	return c.countFailure(fmt.Errorf("%s: %.80q was answered %.200q", reason, q.Text, content))
}

// CountUnanswered counts a question without a reply.
func (c *Client) CountUnanswered(q *Question, why *TextError) {
	c.meter.bad[replies.ReasonIndex(why.Reason)].Add(1)
	c.bad.add(why.Reason, q.Text, why.Cause.Error(), nil)
}

// CountUsable counts a reply that can be used.
func (c *Client) CountUsable(r *replies.Record) {
	if r.Took > 0 {
		c.bad.mu.Lock()
		c.bad.usable++
		c.bad.mu.Unlock()
	}
}

// countFailure counts a failed text. It returns an error, which ends the run, if more texts have failed than
// Options.FailureBudget. If most replies of the run are unusable, the next run asks for them again.
func (c *Client) countFailure(cause error) error {
	if int(c.meter.failedTexts.Add(1)) <= c.opts.FailureBudget {
		return nil
	}
	c.bad.mu.Lock()
	if float64(c.bad.fresh) > c.opts.UnusableShare*float64(c.bad.fresh+c.bad.usable) {
		c.bad.askAnew = true
	}
	c.bad.mu.Unlock()
	err := fmt.Errorf("more than %d %s failed (the last: %w): see what the endpoints say, raise parse.failure_budget if that is expected, and start the same command again; no reply is lost",
		c.opts.FailureBudget, text.Plural(c.opts.FailureBudget, "text has", "texts have"), cause)
	c.pool.failWaiting(err)
	return err
}

// DescribeUnusable returns examples of texts without a usable reply, the most frequent reasons first. Each begins with
// a line feed. It returns "" if there are none.
func (c *Client) DescribeUnusable() string { return c.bad.describeWorst() }

// RetryUnusable makes Close mark the unusable replies in the cache, so that a later run asks again. Call it if the run
// fails because of them.
func (c *Client) RetryUnusable() {
	c.bad.mu.Lock()
	defer c.bad.mu.Unlock()
	c.bad.askAnew = true
}

// markForRetry marks the unusable replies in the cache, if RetryUnusable was called.
func (c *Client) markForRetry() error {
	if !c.bad.askAnew {
		return nil
	}
	c.bad.askAnew = false // Close may be called twice
	return c.cache.MarkForRetry(c.bad.keys)
}
