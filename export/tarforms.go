package export

import (
	"cmp"
	"context"
	"fmt"
)

// tarForm describes a format of tars: their names, and the files of a sample.
type tarForm struct {
	name  string // of a tar with images, for its number; default %05d.tar
	image string // the extension of the image file; default that of the image
	// members returns the files of a sample beside the image, or the reason why the row is left out.
	members func(Options, *Row) (m []Member, leftOut string, err error)
}

// writeTars writes a tar for each shard of texts, and sizes.json with their numbers of samples.
// Without Options.Images the tars contain only texts; they are named as the shards and described in
// .nv-meta for Megatron Energon.
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

// writeTar writes a tar and returns its number of samples.
func (f tarForm) writeTar(ctx context.Context, o Options, from *imageSource, shard, name string, s *Summary) (int, error) {
	t, err := NewSampleTar(o.Store, o.Output, name)
	if err != nil {
		return 0, err
	}
	defer t.Discard()
	// write adds a sample for a row, or returns the reason why the row is left out.
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
