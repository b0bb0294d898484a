package export

import (
	"archive/tar"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"time"

	"capgraph/store"
)

// tarForm is what a format of tars has in a sample beside the image.
type tarForm struct {
	name  string // of a tar with images, by its number; default %05d.tar
	image string // the extension of an image; default its own
	// members returns the members after the image, or the reason why the row is left out.
	members func(Options, *Row) (m []member, leftOut string, err error)
}

// member is a file of a sample, named by the key and its extension.
type member struct {
	extension string
	data      []byte
}

// writeTars writes a tar for each shard of texts and sizes.json with the samples of each. Without
// Options.Images the tars have only texts, have the names of the shards, as those that the texts were
// made from, and are described in .nv-meta for Megatron Energon.
func (f tarForm) writeTars(ctx context.Context, o Options) (s Summary, err error) {
	if _, _, err := f.members(o, &Row{Pool: emptyPool()}); err != nil {
		return s, err
	}
	shards, err := listShards(o.Store, o.Dir)
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
	if from == nil {
		s.Warnings = append(s.Warnings, "the tars have only texts, to read beside tars with images of the same keys (docs/exports.md); --images writes tars with both")
		if err := writeEnergon(o, names, sizes); err != nil {
			return s, err
		}
	}
	return s, writeIndented(o, "sizes.json", sizes)
}

// writeTar writes a tar and returns how many samples it has.
func (f tarForm) writeTar(ctx context.Context, o Options, from *imageSource, shard, name string, s *Summary) (int, error) {
	t, err := newSampleTar(o, name)
	if err != nil {
		return 0, err
	}
	defer t.temp.Discard()
	// write leaves a row out for the reason that it returns.
	write := func(key string, image []member, r *Row) (string, error) {
		members, reason, err := f.members(o, r)
		if err != nil || reason != "" {
			return reason, err
		}
		return "", t.writeSample(key, append(image, members...))
	}
	if from != nil {
		err = from.joinShard(ctx, shard, s, func(img image, r *Row) error {
			reason, err := write(img.key, []member{{cmp.Or(f.image, img.extension), img.data}}, r)
			if reason != "" {
				s.Written--
				s.leaveOut(reason)
			}
			return err
		})
		if err != nil {
			return 0, err
		}
		return t.samples, t.publishTar()
	}
	for r, err := range readShardRows(o.Store, shard) {
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
	if err := store.WriteFile(o.Store, store.Join(o.Output, shardName(name)+".tar.idx"), t.buildIndex()); err != nil {
		return 0, err
	}
	return t.samples, t.publishTar()
}

// sampleTar is a tar that is being written.
type sampleTar struct {
	temp    store.Temp
	tar     *tar.Writer
	size    int64
	offsets []int64 // of the samples
	samples int
}

func newSampleTar(o Options, name string) (*sampleTar, error) {
	temp, err := o.Store.Create(store.Join(o.Output, name))
	if err != nil {
		return nil, err
	}
	t := &sampleTar{temp: temp}
	t.tar = tar.NewWriter(t)
	return t, nil
}

// Write writes the bytes of the tar and counts them.
func (t *sampleTar) Write(p []byte) (int, error) {
	n, err := t.temp.Write(p)
	t.size += int64(n)
	return n, err
}

// writeSample writes the members of a key.
func (t *sampleTar) writeSample(key string, members []member) error {
	t.offsets = append(t.offsets, t.size)
	t.samples++
	for _, m := range members {
		h := &tar.Header{
			Typeflag: tar.TypeReg, Name: key + "." + m.extension, Size: int64(len(m.data)),
			Mode: 0o644, ModTime: time.Unix(0, 0), // USTAR, or PAX for a name that USTAR has no form for
		}
		if err := t.tar.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.tar.Write(m.data); err != nil {
			return err
		}
		if err := t.tar.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// buildIndex returns the offsets of the samples and of their end, as Energon's .tar.idx has them.
func (t *sampleTar) buildIndex() []byte {
	var b []byte
	for _, at := range append(t.offsets, t.size) {
		b = binary.LittleEndian.AppendUint64(b, uint64(at))
	}
	return b
}

func (t *sampleTar) publishTar() error {
	if err := t.tar.Close(); err != nil {
		return err
	}
	return t.temp.Publish()
}

// writeEnergon describes a folder of tars in .nv-meta: the samples of each tar, all for training, as
// dictionaries of their members.
func writeEnergon(o Options, names []string, sizes map[string]int) error {
	split := map[string]any{"split_parts": map[string][]string{"train": names, "val": {}, "test": {}}, "exclude": []string{}}
	kind := map[string]string{"__module__": "megatron.energon", "__class__": "CrudeWebdataset"}
	for _, f := range []struct {
		name    string
		content any
	}{{".info.json", map[string]any{"shard_counts": sizes}}, {"split.yaml", split}, {"dataset.yaml", kind}} {
		if err := writeIndented(o, path.Join(".nv-meta", f.name), f.content); err != nil { // JSON is YAML
			return err
		}
	}
	return nil
}

func writeIndented(o Options, name string, content any) error {
	data, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return err
	}
	return store.WriteFile(o.Store, store.Join(o.Output, name), append(data, '\n'))
}

var _ io.Writer = (*sampleTar)(nil)
