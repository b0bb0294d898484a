package checkpoint

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"capgraph/store"
)

// The maximum bytes of a header, which is safetensors' own, and the maximum number of a tensor's
// dimensions.
const (
	maxHeader = 100_000_000
	maxDims   = 16
)

// remedy is the end of the error message about a broken file.
const remedy = "write or fetch the file again"

// Info describes a tensor in a file.
type Info struct {
	Name  string
	Shape []int
	// Type is the safetensors name of the elements' type.
	Type       string
	file       io.ReaderAt
	begin, end int64 // in the file
	kind       elementType
	checksum   *uint32 // nil if the file does not have it
}

// Reader reads the tensors of a safetensors file one by one.
type Reader struct {
	// Metadata is the file's __metadata__, without checksums.
	Metadata map[string]string
	name     string
	file     io.ReaderAt
	infos    []Info
	close    func() error
}

// Open opens a safetensors file; the caller closes the reader. The whole header is checked. It is
// an error, which names the file and the tensor, if a size does not fit its shape, or if tensors
// overlap, extend beyond the file or leave gaps.
func Open(s store.Store, name string) (*Reader, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	if err := store.CheckPointerAt(f); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
	}
	r, err := NewReader(name, f, f.Size())
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.close = f.Close
	return r, nil
}

// Close closes the file that Open opened.
func (r *Reader) Close() error { return r.close() }

// NewReader returns a reader of a safetensors file of size bytes, whose header it reads. name is
// used in errors.
func NewReader(name string, file io.ReaderAt, size int64) (*Reader, error) {
	r := &Reader{name: name, file: file, close: func() error { return nil }}
	var magic [4]byte
	if n, _ := file.ReadAt(magic[:], 0); n == len(magic) && string(magic[:]) == "PK\x03\x04" {
		return nil, pyTorchError(name) // PyTorch's files are zip archives
	}
	if err := r.readHeader(size); err != nil {
		return nil, fmt.Errorf("%s is not a complete safetensors file: %w (%s)", name, err, remedy)
	}
	return r, nil
}

func (r *Reader) readHeader(size int64) error {
	var head [8]byte
	if _, err := r.file.ReadAt(head[:], 0); err != nil {
		return fmt.Errorf("its header: %w", asTruncated(err))
	}
	length := binary.LittleEndian.Uint64(head[:])
	if length > maxHeader || int64(length) > size-8 {
		return fmt.Errorf("its header is said to have %d bytes, of %d of the file and at most %d", length, size, maxHeader)
	}
	text := make([]byte, length)
	if _, err := r.file.ReadAt(text, 8); err != nil {
		return fmt.Errorf("its header: %w", asTruncated(err))
	}
	var entries map[string]jsontext.Value
	if err := json.Unmarshal(text, &entries); err != nil {
		return fmt.Errorf("its header: %w", err)
	}
	if data, ok := entries[metadataName]; ok {
		if err := json.Unmarshal(data, &r.Metadata); err != nil {
			return fmt.Errorf("its metadata: %w", err)
		}
		delete(entries, metadataName)
	}
	for name, data := range entries {
		info, err := parseInfo(data, 8+int64(length), size)
		if err != nil {
			return fmt.Errorf("tensor %.200q: %w", name, err)
		}
		info.Name, info.file = name, r.file
		r.infos = append(r.infos, info)
	}
	if err := r.takeChecksums(); err != nil {
		return err
	}
	return r.checkLayout(8+int64(length), size)
}

// parseInfo decodes one entry of the header. start is the offset at which the tensors' data begin,
// size that of the file's end.
func parseInfo(data []byte, start, size int64) (Info, error) {
	var e struct {
		Type    string  `json:"dtype"`
		Shape   []int64 `json:"shape"`
		Offsets []int64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(bytes.TrimSpace(data), &e); err != nil {
		return Info{}, err
	}
	k, ok := findElementType(e.Type)
	if !ok {
		return Info{}, fmt.Errorf("elements of type %.20q are not read", e.Type)
	}
	if len(e.Offsets) != 2 || e.Offsets[0] < 0 || e.Offsets[1] < e.Offsets[0] || e.Offsets[1] > size-start {
		return Info{}, fmt.Errorf("data_offsets %v are not within the file", e.Offsets[:min(len(e.Offsets), 4)])
	}
	if len(e.Shape) > maxDims {
		return Info{}, fmt.Errorf("it has %d dimensions, more than %d", len(e.Shape), maxDims)
	}
	i := Info{Type: k.name, kind: k, begin: start + e.Offsets[0], end: start + e.Offsets[1]}
	bytes := int64(k.size)
	for _, n := range e.Shape {
		if n < 0 || n > math.MaxInt32 || bytes > 0 && n > math.MaxInt64/bytes {
			return Info{}, fmt.Errorf("shape %v is too large", e.Shape)
		}
		bytes *= n
		i.Shape = append(i.Shape, int(n))
	}
	if bytes != i.end-i.begin {
		return Info{}, fmt.Errorf("shape %v of %s has %d bytes, but data_offsets %v", e.Shape, k.name, bytes, e.Offsets)
	}
	return i, nil
}

// checkLayout sorts the tensors by name, and returns an error unless they cover the data exactly
// once.
func (r *Reader) checkLayout(start, size int64) error {
	slices.SortFunc(r.infos, func(a, b Info) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	at := start
	for _, i := range r.infos {
		if i.begin != at {
			return fmt.Errorf("tensor %.200q begins at byte %d, not where the one before it ends, %d", i.Name, i.begin, at)
		}
		at = i.end
	}
	if at != size {
		return fmt.Errorf("its tensors end at byte %d of %d", at, size)
	}
	slices.SortFunc(r.infos, func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// Infos returns the descriptions of all tensors, sorted by name.
func (r *Reader) Infos() []Info { return r.infos }

// Info returns the description of the tensor with that name, and whether there is one.
func (r *Reader) Info(name string) (Info, bool) {
	i, ok := slices.BinarySearchFunc(r.infos, name, func(i Info, name string) int { return strings.Compare(i.Name, name) })
	if !ok {
		return Info{}, false
	}
	return r.infos[i], true
}

// Tensor reads a tensor. Half-precision elements become float32.
func (r *Reader) Tensor(name string) (Tensor, error) {
	i, ok := r.Info(name)
	if !ok {
		return Tensor{}, fmt.Errorf("%s has no tensor %q", r.name, name)
	}
	data := make([]byte, i.end-i.begin)
	if _, err := i.file.ReadAt(data, i.begin); err != nil && len(data) > 0 {
		return Tensor{}, fmt.Errorf("%s: tensor %s: %w (%s)", r.name, name, asTruncated(err), remedy)
	}
	if err := i.verifyChecksum(data); err != nil {
		return Tensor{}, fmt.Errorf("%s: tensor %s: %w (%s)", r.name, name, err, remedy)
	}
	return Tensor{slices.Clone(i.Shape), i.kind.decode(data, len(data)/i.kind.size)}, nil
}

// asTruncated returns io.ErrUnexpectedEOF for a file that ends too early, and other errors
// unchanged.
func asTruncated(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
