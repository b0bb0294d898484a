package objective

import (
	"fmt"
	"slices"

	"capgraph/train/loader"
)

// earlierTexts keeps texts of earlier batches. They are added to later batches as negatives, so
// that all have the same number of texts (MosaiCLIP App. H.1).
type earlierTexts struct {
	size  int // number of texts of a batch
	texts []loader.Text
	fresh []loader.Text // the texts of this step
}

// latestTexts returns the latest texts: as many as a batch of n texts needs to have size texts.
func (c *earlierTexts) latestTexts(n int) []loader.Text {
	want := min(max(c.size-n, 0), len(c.texts))
	return c.texts[len(c.texts)-want:]
}

// keepText keeps a text of this step for later batches.
func (c *earlierTexts) keepText(text string, id int64) {
	if c.size > 0 {
		c.fresh = append(c.fresh, loader.Text{Text: text, ID: id})
	}
}

// commit ends a step: it adds the step's texts, and drops the oldest if there are more than size.
func (c *earlierTexts) commit() {
	c.texts = append(c.texts, c.fresh...)
	if over := len(c.texts) - c.size; over > 0 {
		c.texts = slices.Delete(c.texts, 0, over)
	}
	c.fresh = c.fresh[:0]
}

func (c *earlierTexts) state() State {
	var s State
	for _, t := range c.texts {
		s.Texts, s.IDs = append(s.Texts, t.Text), append(s.IDs, t.ID)
	}
	return s
}

func (c *earlierTexts) restore(s State) error {
	if len(s.Texts) != len(s.IDs) {
		return fmt.Errorf("a checkpoint has %d cached texts and %d of their ids", len(s.Texts), len(s.IDs))
	}
	c.texts = c.texts[:0]
	for i, text := range s.Texts {
		c.texts = append(c.texts, loader.Text{Text: text, ID: s.IDs[i]})
	}
	return nil
}
