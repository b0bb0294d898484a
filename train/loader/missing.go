package loader

import (
	"context"
	"fmt"
	"strings"

	"capgraph/store"
)

// Absent has, for each shard, the numbers of its images that do not exist. The key is the index of
// the corpus and the name of the shard, such as "0/00000".
type Absent map[string][]int

// MissingImage is an image that does not exist.
type MissingImage struct {
	ImageKey string
	Err      error
}

// Absent returns the images that the loader skips. It can be the Options.Absent of another loader.
func (l *Loader) Absent() Absent {
	absent := Absent{}
	for _, stream := range l.epochs.streams {
		for i := range stream.shards {
			if s := &stream.shards[i]; len(s.absent) > 0 {
				absent[s.id()] = s.absent
			}
		}
	}
	return absent
}

// Missing returns the images that Open found not to exist, in the order of the texts; none if
// Options.Absent was given.
func (l *Loader) Missing() []MissingImage { return l.epochs.missing }

func (h *shard) id() string { return fmt.Sprintf("%d/%s", h.corpus, h.name) }

// findImage checks that the image of the last run of rows exists, and adds it to the missing ones
// if not. The error is any other failure.
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

// markAbsent sets the absent images of shards, and subtracts them from the shards' images.
func (a Absent) markAbsent(shards []shard) error {
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
