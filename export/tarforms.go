package export

import (
	"cmp"
	"context"
	"fmt"
)

// tarForm is the files that a format of tars has in a sample beside the image.
type tarForm struct {
	name  string // of a tar with images, by its number; default %05d.tar
	image string // the extension of an image; default its own
	// members returns the members after the image, or the reason why the row is left out.
	members func(Options, *Row) (m []Member, leftOut string, err error)
}

// writeTars writes a tar for each shard of texts and sizes.json with the samples of each. Without
// Options.Images the tars have only texts, have the names of the shards, as those that the texts were
// made from, and are described in .nv-meta for Megatron Energon.
func (f tarForm) writeTars(ctx context.Context, o Options) (s Summary, err error) {
	if _, _, err := f.members(o, &Row{Pool: emptyPool()}); err != nil {
		return s, err
	}
	shards, err := ListShards(o.Store, o.Dir)
	if err != nil {
		return s, err
	}
	if err := checkEmpty(o); err != nil {
		return s, err
	}
	var from *imageSource
	if o.Images != "" {
		if from, err = openImages(o); err != nil {
			return s, err
		}
		defer from.Close()
	}
	sizes := make(map[string]int, len(shards))
	var names []string
	for i, shard := range shards {
		name := shardName(shard) + ".tar"
		if from != nil {
			name = fmt.Sprintf(cmp.Or(f.name, "%05d.tar"), i)
		}
		names = append(names, name)
		if sizes[name], err = f.writeTar(ctx, o, from, shard, name, &s); err != nil {
			return s, err
		}
	}
	if from != nil {
		return s, writeIndented(o.Store, o.Output, "sizes.json", sizes)
	}
	s.Warnings = append(s.Warnings, "the tars have only texts, to read beside tars with images of the same keys (docs/exports.md); --images writes tars with both")
	return s, DescribeTars(o.Store, o.Output, names, sizes)
}

// writeTar writes a tar and returns how many samples it has.
func (f tarForm) writeTar(ctx context.Context, o Options, from *imageSource, shard, name string, s *Summary) (int, error) {
	t, err := NewSampleTar(o.Store, o.Output, name)
	if err != nil {
		return 0, err
	}
	defer t.Discard()
	// write leaves a row out for the reason that it returns.
	write := func(key string, image []Member, r *Row) (string, error) {
		members, reason, err := f.members(o, r)
		if err != nil || reason != "" {
			return reason, err
		}
		return "", t.WriteSample(key, append(image, members...))
	}
	if from != nil {
		err = from.joinShard(ctx, shard, s, func(img image, r *Row) error {
			reason, err := write(img.key, []Member{{cmp.Or(f.image, img.extension), img.data}}, r)
			if reason != "" {
				s.Written--
				s.leaveOut(reason)
			}
			return err
		})
		if err != nil {
			return 0, err
		}
		return t.Samples(), t.Publish()
	}
	for r, err := range readShardRows(o, shard) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return 0, err
		}
		s.Rows++
		reason := badTarKey
		if isTarKey(r.Key) {
			if reason, err = write(r.Key, nil, r); err != nil {
				return 0, err
			}
		}
		if reason != "" {
			s.leaveOut(reason)
		} else {
			s.Written++
		}
	}
	return t.Samples(), t.PublishWithIndex()
}
