package client

import (
	"errors"

	"capgraph/llmparse/replies"
)

// isReplyTo reports whether r can be a reply to q by its fields. A reply from a batch file has no text, and its prompt
// version is guessed.
func isReplyTo(r *replies.Record, q *Question, model string) bool {
	return r.Model == model && (r.Text == "" || r.Text == q.Text && r.Prompt == q.Prompt)
}

// repliesAtOnce is how many cached replies are held in memory at a time.
const repliesAtOnce = 32

// EachCached calls visit with the cached reply to each question, in order, or with nil if the cache has none. It ends
// at the first error.
func (c *Client) EachCached(questions []Question, visit func(i int, r *replies.Record) error) error {
	var keys [repliesAtOnce]replies.Key
	var records [repliesAtOnce]*replies.Record
	for first := 0; first < len(questions); first += repliesAtOnce {
		part := questions[first:min(first+repliesAtOnce, len(questions))]
		for i := range part {
			keys[i] = part[i].Key
		}
		if err := c.cache.Get(keys[:len(part)], records[:len(part)]); err != nil {
			return err
		}
		for i, r := range records[:len(part)] {
			if r != nil && !isReplyTo(r, &part[i], c.opts.Model) {
				c.cache.ReportDamaged(keys[i], errors.New("it answers another question"))
				r = nil
			}
			if err := visit(first+i, r); err != nil {
				return err
			}
		}
	}
	return nil
}
