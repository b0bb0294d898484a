package checkpoint_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"capgraph/store"
	"capgraph/train/checkpoint"
)

var local store.Local

func written(t testing.TB, tensors map[string]checkpoint.Tensor, metadata map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := checkpoint.Write(&b, tensors, metadata); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func reader(data []byte) (*checkpoint.Reader, error) {
	return checkpoint.NewReader("x.safetensors", bytes.NewReader(data), int64(len(data)))
}

func TestTensorsComeBack(t *testing.T) {
	long := make([]float32, 20_001)
	for i := range long {
		long[i] = float32(i) / 3
	}
	for what, tensors := range map[string]map[string]checkpoint.Tensor{
		"none": {},
		"one":  {"logit_scale": {nil, []float32{2.6592}}},
		"all types": {
			"é\n\"<&": {[]int{2, 1}, []float64{math.Pi, math.Inf(-1)}},
			"b":       {[]int{3}, []uint8{1, 2, 255}},
			"c":       {[]int{1}, []int32{-7}},
			"d":       {[]int{2}, []int64{math.MinInt64, 9}},
			"e":       {[]int{4, 0}, []float32{}},
			"f":       {[]int{20_001}, long},
		},
	} {
		metadata := map[string]string{"format": "pt", "x": `{"a": "<b>"}`}
		data := written(t, tensors, metadata)
		if !bytes.Equal(data, written(t, maps.Clone(tensors), maps.Clone(metadata))) {
			t.Errorf("%s: other bytes the second time", what)
		}
		r, err := reader(data)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if !maps.Equal(r.Metadata, metadata) || len(r.Infos()) != len(tensors) {
			t.Errorf("%s: metadata %v, %d tensors", what, r.Metadata, len(r.Infos()))
		}
		for name, want := range tensors {
			got, err := r.Tensor(name)
			if err != nil || !reflect.DeepEqual(got.Data, want.Data) || len(got.Shape) != len(want.Shape) {
				t.Errorf("%s: tensor %q is %v, %v", what, name, got.Shape, err)
			}
		}
		if _, err := r.Tensor("nobody"); err == nil {
			t.Errorf("%s: a tensor that is not there was read", what)
		}
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	for what, tensor := range map[string]checkpoint.Tensor{
		"elements of no known type": {[]int{1}, []string{"a"}},
		"a shape that does not fit": {[]int{3}, []float32{1, 2}},
	} {
		if err := checkpoint.Write(&bytes.Buffer{}, map[string]checkpoint.Tensor{"a": tensor}, nil); err == nil || !strings.Contains(err.Error(), "tensor a") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// file is a safetensors file of that header and that many bytes of data.
func file(header string, data int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, data)...)
}

func TestBrokenFilesAreRefused(t *testing.T) {
	const a = `{"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}`
	whole := file(a+"}", 8)
	if _, err := reader(whole); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		data []byte
		want string
	}{
		{"nothing", nil, "header"},
		{"cut off in the header", whole[:20], "header"},
		{"cut off in the data", whole[:len(whole)-1], `tensor "a"`},
		{"more than its tensors", append(bytes.Clone(whole), 0), "end at byte"},
		{"a header beyond all bounds", append(bytes.Repeat([]byte{255}, 8), whole...), "header is said"},
		{"no JSON", file("hello", 8), "header"},
		{"a tensor twice", file(a+`, "a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}`, 8), "duplicate"},
		{"two in one place", file(a+`, "b": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}`, 8), "begins at"},
		{"an overlap", file(a+`, "b": {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]}}`, 12), "begins at"},
		{"a gap", file(a+`, "b": {"dtype": "F32", "shape": [2], "data_offsets": [12, 20]}}`, 20), "begins at"},
		{"another size than its shape's", file(`{"a": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}}`, 8), "has 12 bytes"},
		{"a shape that overflows", file(`{"a": {"dtype": "F64", "shape": [2147483647, 2147483647, 2147483647], "data_offsets": [0, 8]}}`, 8), "too large"},
		{"a negative shape", file(`{"a": {"dtype": "F32", "shape": [-1, -2], "data_offsets": [0, 8]}}`, 8), "too large"},
		{"offsets in reverse", file(`{"a": {"dtype": "F32", "shape": [2], "data_offsets": [8, 0]}}`, 8), "within the file"},
		{"a third offset", file(`{"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8, 8]}}`, 8), "within the file"},
		{"a type of which nothing is known", file(`{"a": {"dtype": "F8_E4M3", "shape": [8], "data_offsets": [0, 8]}}`, 8), "F8_E4M3"},
		{"metadata that are no strings", file(`{"__metadata__": {"a": 1}}`, 0), "metadata"},
	} {
		_, err := reader(c.data)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "x.safetensors") {
			t.Errorf("%s: %v, not %q", c.what, err, c.want)
		}
	}
}

func TestHalfPrecisionIsRead(t *testing.T) {
	for _, c := range []struct {
		kind string
		bits []uint16
		want []float32
	}{
		{"F16", []uint16{0, 0x8000, 0x3c00, 0xc000, 0x7bff, 1, 0x03ff, 0x0400, 0x3555, 0x7c00},
			[]float32{0, 0, 1, -2, 65504, 1. / (1 << 24), 1023. / (1 << 24), 1. / (1 << 14), 0.333251953125, float32(math.Inf(1))}},
		{"BF16", []uint16{0, 0x3f80, 0xc049, 0x7f80}, []float32{0, 1, -3.140625, float32(math.Inf(1))}},
	} {
		data := file(fmt.Sprintf(`{"a": {"dtype": %q, "shape": [%d], "data_offsets": [0, %d]}}`, c.kind, len(c.bits), 2*len(c.bits)), 0)
		for _, b := range c.bits {
			data = binary.LittleEndian.AppendUint16(data, b)
		}
		r, err := reader(data)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Tensor("a")
		if err != nil || !reflect.DeepEqual(got.Data, c.want) {
			t.Errorf("%s: %v, %v, not %v", c.kind, got.Data, err, c.want)
		}
	}
}

func TestAFileShortenedLaterIsAnError(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.safetensors")
	if err := checkpoint.Save(local, name, map[string]checkpoint.Tensor{"a": {[]int{4}, []float32{1, 2, 3, 4}}}, nil); err != nil {
		t.Fatal(err)
	}
	r, err := checkpoint.Open(local, name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	info, _ := os.Stat(name)
	if err := os.Truncate(name, info.Size()-4); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Tensor("a"); err == nil || !strings.Contains(err.Error(), "unexpected EOF") {
		t.Error(err)
	}
}

// TestChangedBits flips each bit of a file: what is read is an error that names what is damaged, or is what
// was written.
func TestChangedBits(t *testing.T) {
	tensors := map[string]checkpoint.Tensor{"visual.proj": {[]int{3}, []float32{1, 2, 3}}, "mask": {[]int{2}, []int64{4, 5}}}
	metadata := map[string]string{"capgraph.state": `{"position": 128}`}
	data := written(t, tensors, metadata)
	start := len(data) - 3*4 - 2*8
	for bit := range 8 * len(data) {
		damaged := bytes.Clone(data)
		damaged[bit/8] ^= 1 << (bit % 8)
		r, err := reader(damaged)
		if bit/8 < start { // in the header
			if err == nil && !maps.Equal(r.Metadata, metadata) && r.Metadata["capgraph.crc32c"] != "" {
				t.Errorf("bit %d: metadata %v", bit, r.Metadata)
			}
			continue
		}
		if err != nil {
			t.Fatalf("bit %d: %v", bit, err)
		}
		name := "mask" // larger elements come first
		if bit/8 >= start+2*8 {
			name = "visual.proj"
		}
		if _, err := r.Tensor(name); err == nil || !strings.Contains(err.Error(), "tensor "+name+": its bytes do not have the checksum") {
			t.Errorf("bit %d: %v", bit, err)
		}
	}
	changed := bytes.Replace(bytes.Clone(data), []byte("128"), []byte("129"), 1)
	if _, err := reader(changed); err == nil || !strings.Contains(err.Error(), "metadata do not have their checksum") {
		t.Errorf("changed metadata: %v", err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(written(f, map[string]checkpoint.Tensor{"a": {[]int{2, 1}, []float32{1, 2}}, "b": {nil, []float64{3}}}, map[string]string{"format": "pt"}))
	f.Add(file(`{"a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}, "__metadata__": {"capgraph.crc32c": "{\"a\":\"00000000\",\"__metadata__\":\"77a2f26e\"}"}}`, 1))
	f.Add(file(`{"a": {"dtype": "BF16", "shape": [2, 0], "data_offsets": [0, 0]}}`, 0))
	f.Add(file(`{"a": {"dtype": "F16", "shape": [1], "data_offsets": [0, 2]}, "b": {"dtype": "U8", "shape": [], "data_offsets": [2, 3]}}`, 3))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := reader(data)
		if err != nil {
			return
		}
		tensors := map[string]checkpoint.Tensor{}
		for _, i := range r.Infos() {
			tensor, err := r.Tensor(i.Name)
			if err != nil && strings.Contains(err.Error(), "checksum") {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			tensors[i.Name] = tensor
		}
		if again, err := reader(written(t, tensors, r.Metadata)); err != nil || len(again.Infos()) != len(tensors) {
			t.Fatalf("what was read cannot be read again: %v", err)
		}
	})
}
