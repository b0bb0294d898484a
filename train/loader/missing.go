package loader

import (
	"context"
	"fmt"
	"strings"

	"capgraph/store"
)

// Absent has the numbers of the images of each shard that do not exist, by the number of the
// corpus and the name of the shard: "0/00000".
type Absent map[string][]int

// MissingImage is an image that does not exist.
type MissingImage struct {
	ImageKey string
	Err      error
}

// Absent returns the images that the loader passes over, for Options.Absent of another one.
func (l *Loader) Absent() Absent {
	absent := Absent{}
	for _, stream := range l.epochs.lists {
		for i := range stream.shards {
			if s := &stream.shards[i]; len(s.absent) > 0 {
				absent[s.id()] = s.absent
			}
		}
	}
	return absent
}

// Missing returns the images that were looked for and do not exist, in the order of the texts.
func (l *Loader) Missing() []MissingImage { return l.epochs.missing }

func (h *shard) id() string { return fmt.Sprintf("%d/%s", h.corpus, h.name) }

// findImage looks for the image of the last run of rows. The error is one of the machine.
func (c *imageCounter) findImage(ctx context.Context, key, name string) error {
	err := c.set.Find(ctx, c.shard.name, name)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil || store.IsEnvironmentError(err) {
		return err
	}
	c.shard.absent = append(c.shard.absent, c.images-1)
	c.missing = append(c.missing, MissingImage{strings.Clone(key), err})
	return nil
}

// leaveOut sets the absent images of shards.
func (a Absent) leaveOut(shards []shard) error {
	for i := range shards {
		s := &shards[i]
		absent := a[s.id()]
		for k, n := range absent {
			if n < 0 || n >= s.images || k > 0 && n <= absent[k-1] {
				return fmt.Errorf("%s has no image number %d: the list of missing images is of other texts", s.path, n)
			}
		}
		s.absent, s.images = absent, s.images-len(absent)
	}
	return nil
}
