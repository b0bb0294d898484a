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

// Member is a file of a sample. Its name is the key of the sample and an extension.
type Member struct {
	Extension string
	Data      []byte
}

// SampleTar writes a tar of samples.
type SampleTar struct {
	store   store.Store
	name    string
	temp    store.Temp
	tar     *tar.Writer
	size    int64
	offsets []int64 // of the samples
}

// NewSampleTar begins a tar with that name in the folder dir.
func NewSampleTar(s store.Store, dir, name string) (*SampleTar, error) {
	t := &SampleTar{store: s, name: store.Join(dir, name)}
	var err error
	if t.temp, err = s.Create(t.name); err != nil {
		return nil, err
	}
	t.tar = tar.NewWriter(sizeCounter{t})
	return t, nil
}

// sizeCounter writes to the file of the tar and counts the bytes.
type sizeCounter struct{ *SampleTar }

func (c sizeCounter) Write(p []byte) (int, error) {
	n, err := c.temp.Write(p)
	c.size += int64(n)
	return n, err
}

// WriteSample writes the members of the sample with that key.
func (t *SampleTar) WriteSample(key string, members []Member) error {
	t.offsets = append(t.offsets, t.size)
	for _, m := range members {
		h := &tar.Header{
			Typeflag: tar.TypeReg, Name: key + "." + m.Extension, Size: int64(len(m.Data)),
			Mode: 0o644, ModTime: time.Unix(0, 0), // USTAR, or PAX for names that do not fit USTAR
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

// Samples returns the number of samples written so far.
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

// PublishWithIndex publishes the tar with an index: the offsets of the samples and of their end, in
// Energon's format .tar.idx.
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

// DescribeTars writes the files that describe a folder of tars: sizes.json with their numbers of samples
// and, for Energon, .nv-meta, which assigns all tars to training and maps members to fields.
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
