package export

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"capgraph/internal/usage"
	"capgraph/store"
)

// writeWebDataset writes 00000.tar …, one tar a shard of texts, and sizes.json with the samples of
// each. A sample has four members: the image; a .txt with the caption; a .json of strings with the
// same keys in each sample (key, image_key, image, pos_0, pos_1 …); and a .neg.json with the lists of
// negatives, which readers of captions do not read.
func writeWebDataset(ctx context.Context, o Options) (s Summary, err error) {
	if o.Images == "" {
		return s, &usage.Error{Text: "webdataset needs the images: name their folder, or that of their tars or Parquet files, with --images"}
	}
	if o.Positives < 1 {
		return s, usage.Errorf("--positives=%d: want 1 or more, the caption first", o.Positives)
	}
	shards, err := listShards(o.Store, o.Dir)
	if err != nil {
		return s, err
	}
	if err := checkEmpty(o); err != nil {
		return s, err
	}
	from, err := openImages(o)
	if err != nil {
		return s, err
	}
	defer from.Close()
	sizes := make(map[string]int, len(shards))
	for i, shard := range shards {
		name := fmt.Sprintf("%05d.tar", i)
		before := s.Written
		if err := writeTar(ctx, o, from, shard, name, &s); err != nil {
			return s, err
		}
		sizes[name] = s.Written - before
	}
	data, err := json.MarshalIndent(sizes, "", "  ")
	if err != nil {
		return s, err
	}
	return s, store.WriteFile(o.Store, store.Join(o.Output, "sizes.json"), append(data, '\n'))
}

func writeTar(ctx context.Context, o Options, from *imageSource, shard, name string, s *Summary) error {
	t, err := o.Store.Create(store.Join(o.Output, name))
	if err != nil {
		return err
	}
	defer t.Discard()
	out := tar.NewWriter(t)
	err = from.joinShard(ctx, shard, s, func(img image, r *Row) error {
		return writeSample(out, img, r, o.Positives)
	})
	if err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return t.Publish()
}

func writeSample(out *tar.Writer, img image, r *Row, positives int) error {
	texts, err := encodeTextFields(r, positives)
	if err != nil {
		return err
	}
	negatives, err := plainJSON(newNegativeColumns(r))
	if err != nil {
		return err
	}
	for _, m := range []struct {
		extension string
		data      []byte
	}{
		{img.extension, img.data}, {"json", texts}, {"txt", []byte(r.Text)}, {"neg.json", negatives},
	} {
		h := &tar.Header{
			Typeflag: tar.TypeReg, Name: img.key + "." + m.extension, Size: int64(len(m.data)),
			Mode: 0o644, ModTime: time.Unix(0, 0), // USTAR, or PAX for a name that USTAR has no form for
		}
		if err := out.WriteHeader(h); err != nil {
			return err
		}
		if _, err := out.Write(m.data); err != nil {
			return err
		}
	}
	return nil
}

// encodeTextFields returns a JSON object of strings in a fixed order. A row with fewer positives
// repeats them from the caption on.
func encodeTextFields(r *Row, positives int) ([]byte, error) {
	var b strings.Builder
	fields := [][2]string{{"key", r.Key}, {"image_key", r.ImageKey}, {"image", r.Image}}
	for i := range positives {
		text := r.Text
		if len(r.Positives) > 0 {
			text = r.Positives[i%len(r.Positives)].Text
		}
		fields = append(fields, [2]string{"pos_" + strconv.Itoa(i), text})
	}
	for i, f := range fields {
		value, err := plainJSON(f[1])
		if err != nil {
			return nil, err
		}
		separator := ","
		if i == 0 {
			separator = "{"
		}
		fmt.Fprintf(&b, "%s%q:%s", separator, f[0], value)
	}
	return []byte(b.String() + "}"), nil
}

// negativeColumns are parallel lists of a row's negatives; Of has their positives.
type negativeColumns struct {
	Neg     []string `json:"neg"`
	Of      []string `json:"of"`
	Method  []string `json:"method"`
	Changed []string `json:"changed"`
}

func newNegativeColumns(r *Row) negativeColumns {
	n := negativeColumns{[]string{}, []string{}, []string{}, []string{}}
	for _, t := range r.Negatives {
		n.Neg, n.Of = append(n.Neg, t.Text), append(n.Of, r.Positives[t.Of].Text)
		n.Method, n.Changed = append(n.Method, t.Method), append(n.Changed, t.Changed)
	}
	return n
}

// plainJSON returns v as JSON, without escapes for <, > and &.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
