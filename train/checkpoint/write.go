package checkpoint

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"capgraph/store"
)

// headerEntry describes a tensor in the header of a file.
type headerEntry struct {
	Type    string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// elementsAtATime is the number of elements of a tensor that are encoded at a time.
const elementsAtATime = 1 << 13

// Write writes tensors as a safetensors file, with a checksum of each in the metadata. The bytes depend only on names,
// shapes, elements and metadata. Tensors are sorted by the size of elements, the largest first, so that all are
// aligned, then by name.
func Write(w io.Writer, tensors map[string]Tensor, metadata map[string]string) error {
	entries, names, err := planLayout(tensors)
	if err != nil {
		return err
	}
	header := make(map[string]any, len(entries)+1)
	for name, e := range entries {
		header[name] = e
	}
	if header[metadataName], err = addChecksums(metadata, tensors); err != nil {
		return err
	}
	text, err := json.Marshal(header) // keys sorted
	if err != nil {
		return err
	}
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	if len(text) > maxHeader {
		return fmt.Errorf("a header of %d bytes is more than the %d that can be read", len(text), maxHeader)
	}
	out := bufio.NewWriterSize(w, 1<<20)
	out.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(text)))) // Flush returns the error, if any
	out.Write(text)
	var b []byte
	for _, name := range names {
		t := tensors[name]
		_, n, _, _ := t.encoding()
		for at := 0; at < n; at += elementsAtATime {
			b = t.appendTo(b[:0], at, min(at+elementsAtATime, n))
			if _, err := out.Write(b); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// planLayout returns the header entry of each tensor, with its position in the file, and the names ordered by position.
func planLayout(tensors map[string]Tensor) (entries map[string]headerEntry, names []string, err error) {
	entries, sizes := make(map[string]headerEntry, len(tensors)), make(map[string]int, len(tensors))
	for name, t := range tensors {
		kind, n, size, err := t.encoding()
		if err != nil {
			return nil, nil, fmt.Errorf("tensor %s: %w", name, err)
		}
		want := 1
		for _, d := range t.Shape {
			want *= d
		}
		if want != n || name == metadataName {
			return nil, nil, fmt.Errorf("tensor %s of shape %v has %d elements and cannot be written", name, t.Shape, n)
		}
		entries[name] = headerEntry{Type: kind, Shape: append([]int{}, t.Shape...), Offsets: [2]int64{0, int64(n) * int64(size)}}
		sizes[name] = size
	}
	names = slices.SortedFunc(maps.Keys(entries), func(a, b string) int {
		return cmp.Or(cmp.Compare(sizes[b], sizes[a]), cmp.Compare(a, b))
	})
	var at int64
	for _, name := range names {
		e := entries[name]
		e.Offsets[0], e.Offsets[1] = at, at+e.Offsets[1]
		at = e.Offsets[1]
		entries[name] = e
	}
	return entries, names, nil
}

// Save writes tensors to a safetensors file, which is published complete or not at all.
func Save(s store.Store, name string, tensors map[string]Tensor, metadata map[string]string) error {
	t, err := s.Create(name)
	if err != nil {
		return err
	}
	defer t.Discard()
	if err := Write(t, tensors, metadata); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return t.Replace()
}
