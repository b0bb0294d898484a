package llmparse

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"capgraph/internal/text"
)

const (
	keptReplies  = 3       // unusable replies of one reason that are kept to be shown
	shownReplies = 5       // that an error shows
	mostBad      = 1 << 20 // unusable replies that are remembered, the last ones
)

// remedies say what to do about replies of a reason, where that is known.
var remedies = map[error]string{
	errOnlyThought: "; if the server can turn reasoning off, set parse.sampling='{chat_template_kwargs: {enable_thinking: false}}', else raise parse.max_tokens",
	errEchoed:      "; see that the server applies the model's chat template",
}

// badReply is a text without a usable reply, and what was said instead.
type badReply struct {
	text, said string
}

// unusableReplies counts texts without a usable reply, and keeps some to be shown. A run that fails
// because of them marks their replies when it ends, so that the next run asks for them again.
type unusableReplies struct {
	mu      sync.Mutex
	counts  [numReasons]int
	fresh   int // replies of now, not of the cache, that cannot be used
	usable  int // that can
	shown   [numReasons][]badReply
	keys    []Key // of replies; a ring once there are mostBad
	next    int   // where the ring goes on
	askAnew bool
}

// add records a text without a usable reply, and the reason. key is nil if nothing was answered.
func (u *unusableReplies) add(reason error, text, said string, key *Key) {
	u.mu.Lock()
	defer u.mu.Unlock()
	at := reasonIndex(reason)
	u.counts[at]++
	if len(u.shown[at]) < keptReplies {
		u.shown[at] = append(u.shown[at], badReply{text, said})
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

// describeWorst is what a person is shown of the texts, the most frequent reasons
// first, a line each.
func (u *unusableReplies) describeWorst() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	order := make([]int, 0, numReasons)
	for i := range u.shown {
		if len(u.shown[i]) > 0 && reasons[i] != errNotAsked {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(u.counts[b], u.counts[a]) })
	var lines []string
	for round := range keptReplies { // one of each reason before two of any
		for _, i := range order {
			if round < len(u.shown[i]) && len(lines) < shownReplies {
				b := u.shown[i][round]
				lines = append(lines, fmt.Sprintf("\n  %s: %.80q was answered %.200q%s", reasons[i], b.text, b.said, remedies[reasons[i]]))
			}
		}
	}
	return strings.Join(lines, "")
}

// recordUnusable counts a reply that cannot be used, and returns the error of its text.
func (c *Client) recordUnusable(q *question, r *Record, reason error) error {
	said := redactKey(errors.New(r.Content), c.key).Error()
	c.bad.add(reason, q.text, said, &q.key)
	if r.took == 0 {
		return nil
	}
	c.bad.mu.Lock()
	c.bad.fresh++
	c.bad.mu.Unlock()
	return c.countFailure(fmt.Errorf("%s: %.80q was answered %.200q", reason, q.text, said))
}

// recordUsable counts a reply that can be used.
func (c *Client) recordUsable(r *Record) {
	if r.took > 0 {
		c.bad.mu.Lock()
		c.bad.usable++
		c.bad.mu.Unlock()
	}
}

// countFailure counts a text that failed. The error ends the run: more failed than may. If most
// replies of the run are unusable, the next run asks for them again.
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

// DescribeUnusable shows texts for which there was no usable reply, each in a line that
// begins with a line feed, the most frequent reasons first; empty if all had
// one.
func (p *Parser) DescribeUnusable() string { return p.client.bad.describeWorst() }

// RetryUnusable says that the run fails for the replies that it found of no use. Close
// marks them in the cache, and a later run asks for them again.
func (p *Parser) RetryUnusable() {
	u := &p.client.bad
	u.mu.Lock()
	defer u.mu.Unlock()
	u.askAnew = true
}

// markForRetry writes into the cache which replies are to be asked for again.
func (c *Client) markForRetry() error {
	if !c.bad.askAnew || c.cache.own == nil {
		return nil
	}
	for keys := range slices.Chunk(c.bad.keys, cacheBatch) {
		records := make([]*Record, len(keys))
		if err := c.cache.Get(keys, records); err != nil {
			return err
		}
		var marked []Key
		var again []*Record
		for i, r := range records {
			if r != nil && r.Round%2 == 0 {
				r.Round++
				marked, again = append(marked, keys[i]), append(again, r)
			}
		}
		if err := c.cache.PutAll(marked, again); err != nil {
			return err
		}
	}
	c.bad.askAnew = false // Close may come twice
	return nil
}
