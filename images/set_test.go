package images

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
	"capgraph/store"
)

// member is a file of a tar.
type member struct{ name, data string }

func tarOf(t testing.TB, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Size: int64(len(m.data)), Mode: 0o644, Typeflag: tar.TypeReg}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(m.data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func write(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, o Options) Set {
	t.Helper()
	s, err := Open(store.Local{}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// wants reads images; "" is one that is not there.
func wants(t *testing.T, s Set, shard string, images map[string]string) {
	t.Helper()
	for name, want := range images {
		got, err := s.Read(t.Context(), shard, name, make([]byte, 3))
		if want == "" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q of %q: %q, %v; want no such image", name, shard, got, err)
		}
		if want != "" && (err != nil || string(got) != want) {
			t.Errorf("%q of %q: %q, %v; want %q", name, shard, got, err, want)
		}
	}
}

func TestTars(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("ein-langer-Name-", 12)
	write(t, dir+"/00000.tar", tarOf(t, member{"000000001.jpg", "one"}, member{"000000001.json", "{}"}, member{"000000001.txt", "text"},
		member{"000000002.PNG", "two"}, member{"./000000003.webp", "three"}, member{"sub/4.jpeg", "four"}, member{long + ".jpg", "long"},
		member{"小.jpg", "small"}, member{"5.mask.jpg", "mask"}, member{"000000002.jpg", "again"}, member{"6.jpg", ""}))
	write(t, dir+"/00001.tar", tarOf(t, member{"000010001.jpg", "other"}, member{"000000001.jpg", "not first"}))
	write(t, dir+"/00002.tar", tarOf(t))
	write(t, dir+"/00000.parquet", []byte("a sidecar"))
	s := open(t, Options{Paths: []string{dir}})
	wants(t, s, "00000", map[string]string{
		"000000001": "one", "000000002": "two", "000000003": "three", "sub/4": "four", long: "long", "小": "small", "5": "", "4": "", "": "",
		"000010001": "", "000000001.jpg": "one", "00001.tar/000010001.jpg": "other", "00000.tar/000000001.jpg": "one", "../00001": "",
	})
	if !NamedByKey(s) {
		t.Error("images in tars are not called by their keys")
	}
	wants(t, s, "00001", map[string]string{"000010001": "other", "000000001": "not first", "000000002": ""})
	wants(t, s, "00002", map[string]string{"000000001": ""})
	for _, shard := range []string{"", "train-00000-of-00042"} {
		wants(t, s, shard, map[string]string{"000000001": "one", "000010001": "other", "sub/4": "four", "x": ""})
	}
	if data, err := s.Read(t.Context(), "00000", "6", nil); err != nil || len(data) != 0 {
		t.Errorf("an empty image: %q, %v", data, err)
	}
}

// TestTarsOfTheSameName are in two folders, as two downloads write them.
func TestTarsOfTheSameName(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/a/00000.tar", tarOf(t, member{"a.jpg", "one"}))
	write(t, dir+"/b/00000.tar", tarOf(t, member{"b.jpg", "two"}))
	s := open(t, Options{Paths: []string{dir + "/*", dir + "/a/00000.tar"}})
	wants(t, s, "00000", map[string]string{"a": "one", "b": "two", "c": ""})
}

func TestTarsCutOff(t *testing.T) {
	whole := tarOf(t, member{"1.jpg", "one"}, member{"2.jpg", strings.Repeat("two", 1000)}, member{"3.jpg", "three"})
	for name, bytes := range map[string][]byte{
		"in a body":   whole[:3000],
		"in a header": whole[:1100],
		"in padding":  whole[:1024+512+3001],
		"at a member": whole[:1024],
		"in garbage":  append(append([]byte{}, whole[:1024]...), strings.Repeat("x", 4096)...),
	} {
		for _, shard := range []string{"t", ""} {
			dir := t.TempDir()
			write(t, dir+"/t.tar", bytes)
			write(t, dir+"/u.tar", tarOf(t, member{"u.jpg", "whole"}))
			s := open(t, Options{Format: FormatTars, Paths: []string{dir}})
			wants(t, s, shard, map[string]string{"1": "one"})
			if _, err := s.Read(t.Context(), shard, "3", nil); err == nil || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "t.tar is cut off") {
				t.Errorf("%s, shard %q: %v", name, shard, err)
			}
			wants(t, s, "u", map[string]string{"u": "whole", "v": ""})
		}
	}
}

// TestCompressedTars says what to do with tars that are compressed, whatever they are called.
func TestCompressedTars(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write(tarOf(t, member{"1.jpg", "one"}))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"t.tar.gz", "t.tgz", "t.tar"} {
		dir := t.TempDir()
		write(t, dir+"/"+name, zipped.Bytes())
		s := open(t, Options{Paths: []string{dir}})
		for _, shard := range []string{"t", ""} {
			_, err := s.Read(t.Context(), shard, "1", nil)
			if found := s.Find(t.Context(), shard, "1"); err == nil || errors.Is(err, fs.ErrNotExist) || found == nil || !strings.Contains(err.Error(), name+" is a compressed tar") {
				t.Errorf("%s, shard %q: %v; %v", name, shard, err, found)
			}
		}
	}
}

// TestTarsOfARange names tars by a range, of which all must be there.
func TestTarsOfARange(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		write(t, fmt.Sprintf("%s/0000%d.tar", dir, i), tarOf(t, member{fmt.Sprint(i, ".jpg"), "image"}))
	}
	s := open(t, Options{Paths: []string{dir + "/{00001..00002}.tar"}})
	wants(t, s, "", map[string]string{"0": "", "1": "image", "2": "image"})
	if _, err := Open(store.Local{}, Options{Paths: []string{dir + "/{00002..00003}.tar"}}); err == nil || !strings.Contains(err.Error(), "00003.tar") {
		t.Errorf("a tar that is not there: %v", err)
	}
}

// TestManyTarsAtOnce reads more tars than stay open, by several at once.
func TestManyTarsAtOnce(t *testing.T) {
	dir := t.TempDir()
	const n = maxTars + 40
	for i := range n {
		write(t, fmt.Sprintf("%s/%05d.tar", dir, i), tarOf(t, member{"a.jpg", fmt.Sprint(i)}))
	}
	s := open(t, Options{Paths: []string{dir + "/*.tar"}})
	var wg sync.WaitGroup
	for k := range 8 {
		wg.Go(func() {
			for j := range 2 * n {
				i := (j*(k+1) + k) % n
				if got, err := s.Read(context.Background(), fmt.Sprintf("%05d", i), "a", nil); err != nil || string(got) != fmt.Sprint(i) {
					t.Errorf("tar %d: %q, %v", i, got, err)
					return
				}
			}
		})
	}
	wg.Wait()
	if open := len(s.(*tars).held.files); open > maxTars {
		t.Errorf("%d tars stay open", open)
	}
}

// failing is a store whose files cannot be opened while the machine fails.
type failing struct {
	store.Local
	fails *bool
}

func (f failing) Open(name string) (store.File, error) {
	if *f.fails {
		return nil, fmt.Errorf("open %s: %w", name, syscall.EMFILE)
	}
	return f.Local.Open(name)
}

// TestReadAfterAnError reads what could not be read a moment ago.
func TestReadAfterAnError(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/t.tar", tarOf(t, member{"1.jpg", "one"}))
	fails := true
	s, err := OpenTars(failing{fails: &fails}, Options{Paths: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, shard := range []string{"t", ""} {
		fails = true
		if _, err := s.Read(t.Context(), shard, "1", nil); !store.IsEnvironmentError(err) {
			t.Errorf("shard %q: %v is not of the machine", shard, err)
		}
		fails = false
		wants(t, s, shard, map[string]string{"1": "one"})
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/secret", []byte("secret"))
	write(t, dir+"/a/train/1.jpg", []byte("one"))
	write(t, dir+"/b/2 小.png", []byte("two"))
	write(t, dir+"/b/train/1.jpg", []byte("not first"))
	s := open(t, Options{Paths: []string{dir + "/a", dir + "/b"}})
	wants(t, s, "any", map[string]string{"train/1.jpg": "one", "./train/1.jpg": "one", "2 小.png": "two", "3.png": "", "train/../2 小.png": "two"})
	for _, name := range []string{"../secret", "train/../../secret", dir + "/secret", "", "a\x00b", "train"} {
		if data, err := s.Read(t.Context(), "", name, nil); err == nil || strings.Contains(string(data), "secret") {
			t.Errorf("%q is read: %q", name, data)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Read(ctx, "", "train/1.jpg", nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// record writes a Parquet file with a column of keys, or none, and one of images:
// bytes, or datasets' struct. An image "" is null.
func record(t testing.TB, name string, keys arrow.Array, column string, images []member, nested bool) {
	t.Helper()
	mem := memory.DefaultAllocator
	raw := array.NewBinaryBuilder(mem, arrow.BinaryTypes.Binary)
	paths := array.NewStringBuilder(mem)
	for _, m := range images {
		paths.Append(m.name)
		if m.data == "" {
			raw.AppendNull()
		} else {
			raw.Append([]byte(m.data))
		}
	}
	var values arrow.Array = raw.NewArray()
	if nested {
		var err error
		if values, err = array.NewStructArray([]arrow.Array{values, paths.NewArray()}, []string{bytesField, pathField}); err != nil {
			t.Fatal(err)
		}
	}
	fields := []arrow.Field{{Name: column, Type: values.DataType(), Nullable: true}}
	columns := []arrow.Array{values}
	if keys != nil {
		fields = append(fields, arrow.Field{Name: "key", Type: keys.DataType()})
		columns = append(columns, keys)
	}
	schema := arrow.NewSchema(fields, nil)
	var b bytes.Buffer
	w, err := parquetio.NewWriter(&b, schema, parquetio.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(array.NewRecord(schema, columns, int64(len(images)))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, name, b.Bytes())
}

func texts(values ...string) arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	return b.NewArray()
}

func numbers(values ...int64) arrow.Array {
	b := array.NewInt64Builder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	return b.NewArray()
}

func TestParquet(t *testing.T) {
	one := []member{{"a.jpg", "one"}, {"b.jpg", "two"}, {"c.jpg", ""}, {"d.jpg", strings.Repeat("four", 100_000)}}
	for name, c := range map[string]struct {
		keys   arrow.Array
		column string
		nested bool
		images map[string]string
	}{
		"img2dataset":       {texts("k1", "k2", "k3", "k1"), "jpg", false, map[string]string{"k1": "one", "k2": "two", "k3": "", "a.jpg": "", "k9": "", "other": "second file"}},
		"datasets":          {nil, "image", true, map[string]string{"a.jpg": "one", "b.jpg": "two", "c.jpg": "", "d.jpg": one[3].data, "other": "second file"}},
		"datasets and keys": {texts("k1", "k2", "k3", "k4"), "image", true, map[string]string{"k1": "one", "k4": one[3].data, "a.jpg": ""}},
		"numbers":           {numbers(1, 2, 3, 1<<40), "bytes", false, map[string]string{"1": "one", "1099511627776": one[3].data, "01": ""}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			record(t, dir+"/0.parquet", c.keys, c.column, one, c.nested)
			second := []member{{"other", "second file"}}
			if c.keys != nil {
				record(t, dir+"/1.parquet", texts("other"), c.column, second, c.nested)
			} else {
				record(t, dir+"/1.parquet", nil, c.column, second, c.nested)
			}
			s := open(t, Options{Paths: []string{dir}})
			if byKey := c.keys != nil; NamedByKey(s) != byKey {
				t.Errorf("called by key: %v", !byKey)
			}
			wants(t, s, "0", c.images)
			wants(t, s, "", c.images) // again, by readers that stand elsewhere
		})
	}
}

func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/empty/readme", nil)
	record(t, dir+"/nokeys/0.parquet", nil, "jpg", []member{{"", "x"}}, false)
	record(t, dir+"/noimages/0.parquet", texts("a"), "thumbnail", []member{{"", "x"}}, false)
	write(t, dir+"/cut/0.parquet", []byte("PAR1 and no more"))
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "no path"},
		{Options{Paths: []string{dir + "/none"}}, "no such file"},
		{Options{Paths: []string{dir + "/*.zip"}}, "matches no file"},
		{Options{Paths: []string{dir}, Format: "zip"}, `format "zip"`},
		{Options{Paths: []string{dir + "/empty"}, Format: FormatTars}, "ends in .tar"},
		{Options{Paths: []string{dir + "/empty/readme"}}, "no folder"},
		{Options{Paths: []string{dir + "/noimages"}}, "no column holds encoded images; there are thumbnail, key"},
		{Options{Paths: []string{dir + "/noimages"}, Column: "x"}, `no column "x"`},
		{Options{Paths: []string{dir + "/noimages"}, Column: "key"}, "no bytes of images"},
		{Options{Paths: []string{dir + "/noimages"}, Column: "thumbnail", Key: "id"}, `no column "id" of keys`},
		{Options{Paths: []string{dir + "/cut"}}, "0.parquet"},
	} {
		if s, err := Open(store.Local{}, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, %v; want %q", c.o, s, err, c.want)
		}
	}
	s := open(t, Options{Paths: []string{dir + "/noimages"}, Column: "thumbnail"})
	wants(t, s, "", map[string]string{"a": "x"})
}

// TestPublishedTars reads tars that others wrote, and decodes what is in them.
func TestPublishedTars(t *testing.T) {
	const dir = "../../shared/data/wds"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("there is no ../shared/data/wds")
	}
	s := open(t, Options{Paths: []string{dir}})
	var d Decoder
	for shard, name := range map[string]string{"00000": "0", "": "321_421"} {
		data, err := s.Read(t.Context(), shard, name, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		if pixels, err := d.RandomCrop(data, 224, NewCropDraw(1, 1), name, nil); err != nil || len(pixels) != 224*224*3 {
			t.Errorf("%s: %d bytes, %v", name, len(pixels), err)
		}
	}
}

func FuzzTar(f *testing.F) {
	whole := tarOf(f, member{"1.jpg", "one"}, member{"2.png", "two"})
	f.Add(whole)
	f.Add(whole[:700])
	f.Add(tarOf(f, member{strings.Repeat("long", 60) + ".jpg", "x"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := t.TempDir() + "/t.tar"
		write(t, name, data)
		file, err := store.Local{}.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		places, _ := tarPlaces(file, name, 0, "", nil)
		for _, p := range places {
			if _, err := readAt(file, name, p.offset, int64(p.size), nil); err != nil {
				t.Error(err)
			}
		}
	})
}
