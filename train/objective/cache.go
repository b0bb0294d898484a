package objective

import (
	"fmt"
	"slices"

	"capgraph/train/loader"
)

// cache keeps texts of earlier batches, which fill up later ones to one size as
// negatives (MosaiCLIP App. H.1).
type cache struct {
	size  int // texts of a batch, all columns counted
	texts []loader.Text
	fresh []loader.Text // of this step
}

// fill returns the latest texts that a batch of n columns lacks.
func (c *cache) fill(n int) []loader.Text {
	want := min(max(c.size-n, 0), len(c.texts))
	return c.texts[len(c.texts)-want:]
}

// keep notes a text of this step.
func (c *cache) keep(text string, id int64) {
	if c.size > 0 {
		c.fresh = append(c.fresh, loader.Text{Text: text, ID: id})
	}
}

// learned takes over what the step noted: once a step, the latest size texts.
func (c *cache) learned() {
	c.texts = append(c.texts, c.fresh...)
	if over := len(c.texts) - c.size; over > 0 {
		c.texts = slices.Delete(c.texts, 0, over)
	}
	c.fresh = c.fresh[:0]
}

func (c *cache) state() State {
	var s State
	for _, t := range c.texts {
		s.Texts, s.IDs = append(s.Texts, t.Text), append(s.IDs, t.ID)
	}
	return s
}

func (c *cache) restore(s State) error {
	if len(s.Texts) != len(s.IDs) {
		return fmt.Errorf("a checkpoint has %d cached texts and %d of their ids", len(s.Texts), len(s.IDs))
	}
	c.texts = c.texts[:0]
	for i, text := range s.Texts {
		c.texts = append(c.texts, loader.Text{Text: text, ID: s.IDs[i]})
	}
	return nil
}
