package export

import (
	"archive/tar"
	"encoding/binary"
	"encoding/json"
	"path"
	"strings"
	"time"

	"capgraph/store"
)

// Member is a file of a sample, named by the key and its extension.
type Member struct {
	Extension string
	Data      []byte
}

// SampleTar is a tar of samples that is being written.
type SampleTar struct {
	store   store.Store
	name    string
	temp    store.Temp
	tar     *tar.Writer
	size    int64
	offsets []int64 // of the samples
}

// NewSampleTar begins a tar in a folder.
func NewSampleTar(s store.Store, dir, name string) (*SampleTar, error) {
	t := &SampleTar{store: s, name: store.Join(dir, name)}
	var err error
	if t.temp, err = s.Create(t.name); err != nil {
		return nil, err
	}
	t.tar = tar.NewWriter(sizeCounter{t})
	return t, nil
}

// sizeCounter writes to the file and counts the bytes.
type sizeCounter struct{ *SampleTar }

func (c sizeCounter) Write(p []byte) (int, error) {
	n, err := c.temp.Write(p)
	c.size += int64(n)
	return n, err
}

// WriteSample writes the members of a key.
func (t *SampleTar) WriteSample(key string, members []Member) error {
	t.offsets = append(t.offsets, t.size)
	for _, m := range members {
		h := &tar.Header{
			Typeflag: tar.TypeReg, Name: key + "." + m.Extension, Size: int64(len(m.Data)),
			Mode: 0o644, ModTime: time.Unix(0, 0), // USTAR, or PAX for a name that USTAR has no form for
		}
		if err := t.tar.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.tar.Write(m.Data); err != nil {
			return err
		}
		if err := t.tar.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// Samples returns how many samples were written.
func (t *SampleTar) Samples() int { return len(t.offsets) }

// Discard removes what was written. It does nothing after Publish.
func (t *SampleTar) Discard() error { return t.temp.Discard() }

// Publish ends the tar and renames it to its final name.
func (t *SampleTar) Publish() error {
	if err := t.tar.Close(); err != nil {
		return err
	}
	return t.temp.Publish()
}

// PublishWithIndex is Publish, after the offsets of the samples and of their end were written as Energon's
// .tar.idx has them.
func (t *SampleTar) PublishWithIndex() error {
	var index []byte
	for _, at := range append(t.offsets, t.size) {
		index = binary.LittleEndian.AppendUint64(index, uint64(at))
	}
	if err := store.WriteFile(t.store, strings.TrimSuffix(t.name, ".tar")+".tar.idx", index); err != nil {
		return err
	}
	return t.Publish()
}

// DescribeTars describes a folder of tars: their samples in sizes.json, and in .nv-meta for Energon, all
// for training, as dictionaries of their members.
func DescribeTars(s store.Store, dir string, names []string, sizes map[string]int) error {
	split := map[string]any{"split_parts": map[string][]string{"train": names, "val": {}, "test": {}}, "exclude": []string{}}
	kind := map[string]string{"__module__": "megatron.energon", "__class__": "CrudeWebdataset"}
	for _, f := range []struct {
		name    string
		content any
	}{{".info.json", map[string]any{"shard_counts": sizes}}, {"split.yaml", split}, {"dataset.yaml", kind}} {
		if err := writeIndented(s, dir, path.Join(".nv-meta", f.name), f.content); err != nil { // JSON is YAML
			return err
		}
	}
	return writeIndented(s, dir, "sizes.json", sizes)
}

func writeIndented(s store.Store, dir, name string, content any) error {
	data, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return err
	}
	return store.WriteFile(s, store.Join(dir, name), append(data, '\n'))
}
