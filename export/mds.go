package export

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"capgraph/store"
)

// mdsShardBytes is the largest size of the samples of a shard, the default of MosaicML's writer.
const mdsShardBytes = 1 << 26

// mdsColumns are the columns and their encodings, sorted by name. image_bytes is written only if
// --images is given.
var mdsColumns = []struct{ name, encoding string }{
	{"image", "str"}, {"image_bytes", "bytes"}, {"image_key", "str"}, {"key", "str"},
	{"neg", "json"}, {"neg_category", "json"}, {"neg_changed", "json"}, {"neg_method", "json"}, {"neg_of", "json"},
	{"pos", "json"}, {"pos_id", "json"}, {"pos_kind", "json"}, {"text", "str"},
}

// mdsConfig describes the columns, in the header of a shard and in index.json. Its fields are in the
// order of their JSON names.
type mdsConfig struct {
	Encodings   []string `json:"column_encodings"`
	Names       []string `json:"column_names"`
	Sizes       []*int   `json:"column_sizes"`
	Compression *string  `json:"compression"`
	Format      string   `json:"format"`
	Hashes      []string `json:"hashes"`
	SizeLimit   int      `json:"size_limit"`
	Version     int      `json:"version"`
}

type mdsFile struct {
	Basename string   `json:"basename"`
	Bytes    int      `json:"bytes"`
	Hashes   struct{} `json:"hashes"`
}

type mdsShard struct {
	mdsConfig
	RawData mdsFile  `json:"raw_data"`
	Samples int      `json:"samples"`
	ZipData *mdsFile `json:"zip_data"`
}

type mdsWriter struct {
	options Options
	config  mdsConfig
	images  bool
	from    *imageSource // nil without images
	shards  []mdsShard
	offsets []uint32 // of the samples in data, and its end
	data    []byte
	row     jsonRow
}

// writeMDS writes shard.00000.mds … and index.json (version 2) for MosaicML's StreamingDataset. With
// Options.Images the column image_bytes holds the images.
func writeMDS(ctx context.Context, o Options) (s Summary, err error) {
	shards, err := ListShards(o.Store, o.Dir)
	if err != nil {
		return s, err
	}
	if err := checkEmpty(o); err != nil {
		return s, err
	}
	w := newMDSWriter(o)
	if w.images {
		if w.from, err = openImages(o); err != nil {
			return s, err
		}
		defer w.from.Close()
	}
	for _, shard := range shards {
		if err := w.writeShard(ctx, shard, &s); err != nil {
			return s, err
		}
	}
	return s, w.writeIndex()
}

func newMDSWriter(o Options) *mdsWriter {
	w := &mdsWriter{options: o, images: o.Images != "", shards: []mdsShard{}, offsets: []uint32{0}}
	w.config = mdsConfig{Format: "mds", Hashes: []string{}, SizeLimit: mdsShardBytes, Version: 2}
	for _, c := range mdsColumns {
		if c.name != "image_bytes" || w.images {
			w.config.Names, w.config.Encodings = append(w.config.Names, c.name), append(w.config.Encodings, c.encoding)
			w.config.Sizes = append(w.config.Sizes, nil)
		}
	}
	return w
}

// writeShard adds the rows of a shard of texts.
func (w *mdsWriter) writeShard(ctx context.Context, shard string, s *Summary) error {
	if w.images {
		return w.from.joinShard(ctx, shard, s, func(img image, r *Row) error {
			return w.addSample(r, img.data)
		})
	}
	for r, err := range readShardRows(w.options, shard) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		s.Rows++
		s.Written++
		if err := w.addSample(r, nil); err != nil {
			return err
		}
	}
	return nil
}

// addSample appends a sample: the sizes of its values as uint32, then the values.
func (w *mdsWriter) addSample(r *Row, img []byte) error {
	w.row.set(r)
	values := map[string]any{
		"neg": w.row.Neg, "neg_category": w.row.NegCat, "neg_changed": w.row.NegChanged, "neg_method": w.row.NegMethod,
		"neg_of": w.row.NegOf, "pos": w.row.Pos, "pos_id": w.row.PosID, "pos_kind": w.row.PosKind,
	}
	plain := map[string][]byte{
		"image": []byte(r.Image), "image_bytes": img, "image_key": []byte(r.ImageKey), "key": []byte(r.Key), "text": []byte(r.Text),
	}
	var head, body []byte
	for _, name := range w.config.Names {
		value, ok := plain[name]
		if !ok {
			var err error
			if value, err = plainJSON(values[name]); err != nil {
				return err
			}
		}
		head = binary.LittleEndian.AppendUint32(head, uint32(len(value)))
		body = append(body, value...)
	}
	if len(w.offsets) > 1 && len(w.data)+len(head)+len(body) > mdsShardBytes {
		if err := w.writeShardFile(); err != nil {
			return err
		}
	}
	w.data = append(append(w.data, head...), body...)
	w.offsets = append(w.offsets, uint32(len(w.data)))
	return nil
}

// writeShardFile writes a shard: the number of samples, their offsets and the end, the configuration,
// the samples.
func (w *mdsWriter) writeShardFile() error {
	config, err := json.Marshal(w.config)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	write := func(v uint32) { b.Write(binary.LittleEndian.AppendUint32(nil, v)) }
	write(uint32(len(w.offsets) - 1))
	first := uint32(4 + 4*len(w.offsets) + len(config))
	for _, at := range w.offsets {
		write(first + at)
	}
	b.Write(config)
	b.Write(w.data)
	name := fmt.Sprintf("shard.%05d.mds", len(w.shards))
	w.shards = append(w.shards, mdsShard{
		mdsConfig: w.config, RawData: mdsFile{Basename: name, Bytes: b.Len()}, Samples: len(w.offsets) - 1,
	})
	w.data, w.offsets = w.data[:0], w.offsets[:1]
	return store.WriteFile(w.options.Store, store.Join(w.options.Output, name), b.Bytes())
}

// writeIndex writes the last shard and index.json.
func (w *mdsWriter) writeIndex() error {
	if len(w.offsets) > 1 {
		if err := w.writeShardFile(); err != nil {
			return err
		}
	}
	index := struct {
		Shards  []mdsShard `json:"shards"`
		Version int        `json:"version"`
	}{w.shards, 2}
	data, err := json.Marshal(index)
	if err != nil {
		return err
	}
	return store.WriteFile(w.options.Store, store.Join(w.options.Output, "index.json"), data)
}
