package sources

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"capgraph/schemas"
	"capgraph/store"
)

// tarOf is a tar of files, each its name and what it holds.
func tarOf(t testing.TB, files ...[2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f[0], Size: int64(len(f[1])), Mode: 0o600}
		if strings.HasSuffix(f[0], "/") {
			h.Typeflag, h.Size = tar.TypeDir, 0
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := w.Write([]byte(f[1])); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// samples is a tar with what tars have.
func samples(t testing.TB) []byte {
	picture := strings.Repeat("\xff\xd8 pixels", 200)
	return tarOf(t,
		[2]string{"./", ""},
		[2]string{"./00000.JPG", picture}, [2]string{"./00000.txt", "a red bus\n"}, [2]string{"./00000.json", `{"url": "http://a/0", "width": 5, "punsafe": NaN, "said": "NaN", "low": -Infinity}`},
		[2]string{"./._00000.JPG", "of macOS"},
		[2]string{"00001.jpg", picture}, [2]string{"00001.json", `{"caption": "ein grüner Bus", "url": "http://a/1", "width": 6}`},
		[2]string{"00002.png", picture},
		[2]string{"00003.txt", ""}, [2]string{"00003.webp", picture},
		[2]string{"photo", picture},
		[2]string{"train/été.jpg", picture}, [2]string{"train/été.txt", "\ufeffun café"},
		[2]string{"00004.jpg", picture}, [2]string{"00004.json", `["a", "list"]`}, [2]string{"00004.txt", "a caption beside a list"},
		[2]string{"00005.jpg", picture}, [2]string{"00005.json", `{"caption": 7}`},
		[2]string{"00006.jpg", picture}, [2]string{"00006.json", `{"caption": "cut`},
		[2]string{"00007.jpg", picture}, [2]string{"00007.json", `{"caption": null}`},
		[2]string{"00008.jpg", picture}, [2]string{"00008.txt", "a \xff byte"},
		[2]string{"00009.jpg", picture}, [2]string{"00009.txt", strings.Repeat("x", MaxLine+1)},
		[2]string{"00010.txt", "the last"},
	)
}

func TestWebDataset(t *testing.T) {
	data := samples(t)
	for name, data := range map[string][]byte{"plain": data, "gzip": gzipped(t, data), "zstd": zstded(t, data)} {
		t.Run(name, func(t *testing.T) {
			opts := write(t, "webdataset", data)
			opts.Keep = []string{"width", "punsafe", "said", "low"}
			rows, _, err := read(t, opts, schemas.Position{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range rows {
				got = append(got, strings.TrimSpace(fmt.Sprintf("%s|%s|%.30s|%d|%s %s|%v", r.Key, r.Image, r.Caption, r.SourceRow, r.Reject, r.Detail, r.Keep)))
			}
			want := []string{
				"00000|in/00000.JPG|a red bus\n|0| |[5  NaN ]",
				"00001|in/00001.jpg|ein grüner Bus|1| |[6   ]",
				"00002|in/00002.png||2|missing_caption the member .txt, .caption or the field caption is not there or null; the sample consists of .png|[]",
				"00003|in/00003.webp||3| |[   ]",
				`00000-000000004|||4|malformed the member photo has no extension, and so belongs to no sample|[]`,
				"train/été|in/train/été.jpg|un café|5| |[   ]",
				"00004|in/00004.jpg|a caption beside a list|6| |[   ]",
				"00005|in/00005.jpg||7|wrong_type caption is no text: 7|[]",
				`00006|in/00006.jpg||8|malformed unexpected EOF: {"caption": "cut|[]`,
				"00007|in/00007.jpg||9|missing_caption the member .txt, .caption or the field caption is not there or null; the sample consists of .jpg, .json|[]",
				`00008|in/00008.jpg|a � byte|10|invalid_utf8 caption is not UTF-8: "a � byte"|[]`,
				"00009|in/00009.jpg||11|line_too_long the member 00009.txt is longer than 1048576 bytes|[]",
				"00010||the last|12| |[   ]",
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if len(rows[0].Same) != 1 || len(rows[5].Same) != 0 {
				t.Errorf("the URL says which image it is: %v, %v", rows[0].Same, rows[5].Same)
			}
			checkResume(t, opts)
		})
	}
}

// A key that comes again, as where all pictures come before all captions, is no
// caption that is lost in silence.
func TestKeysThatComeTwice(t *testing.T) {
	rows, _, err := read(t, write(t, "webdataset", tarOf(t,
		[2]string{"a.txt", "first"}, [2]string{"b.jpg", "-"}, [2]string{"a.txt", "second"}, [2]string{"b.txt", "apart"}, [2]string{"c.txt", "one"}, [2]string{"c.txt", "two"},
	)), schemas.Position{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, strings.TrimSpace(r.Key+" "+r.Caption+" "+r.Reject))
	}
	want := []string{"a first", "b  missing_caption", "a second duplicate_key", "b apart", "c one malformed"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Columns are members by their extension, or fields of the JSON.
func TestWebDatasetColumns(t *testing.T) {
	data := tarOf(t,
		[2]string{"a.jpg", "-"}, [2]string{"a.txt", "alt text"}, [2]string{"a.blip.txt", "a red bus"}, [2]string{"a.json", `{"TEXT": "a blue bus", "url": "http://a/1", "split": "train", "photo": 7}`},
		[2]string{"b.jpg", "-"}, [2]string{"b.txt", "alt text"}, [2]string{"b.json", `{"split": "val"}`},
	)
	for _, c := range []struct {
		columns map[string][]string
		where   map[string]string
		want    []string
	}{
		{nil, nil, []string{"alt text in/a.jpg a ", "alt text in/b.jpg b "}},
		{map[string][]string{Caption: {"blip.txt"}}, nil, []string{"a red bus in/a.jpg a ", " in/b.jpg b missing_caption"}},
		{map[string][]string{Caption: {"TEXT"}, Image: {"url"}, ImageKey: {"photo"}}, nil, []string{"a blue bus http://a/1 7 ", "  b missing_caption"}},
		{nil, map[string]string{"split": "val"}, []string{"alt text in/a.jpg a not_selected", "alt text in/b.jpg b "}},
	} {
		opts := write(t, "webdataset", data)
		opts.Columns, opts.Where = c.columns, c.where
		rows, _, err := read(t, opts, schemas.Position{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rows {
			got = append(got, strings.Join([]string{r.Caption, r.Image, r.ImageKey, r.Reject}, " "))
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v %v: got %q, want %q", c.columns, c.where, got, c.want)
		}
	}
}

// What a folder leads to are its tars, compressed or not, and nothing else in it.
func TestTarsOfAFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"00001.tar.gz", "00000.tar", "00000.parquet", "00000_stats.json", "._00000.tar", "00002.tar.zst", "3.tgz"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Expand(store.Local{}, Options{Format: "webdataset", Paths: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, filepath.Base(f.Path))
	}
	if want := []string{"00000.tar", "00001.tar.gz", "00002.tar.zst", "3.tgz"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A tar that another program wrote is read as it is.
func TestRealTars(t *testing.T) {
	opts := Options{Format: "webdataset", Paths: []string{shared(t, "wds/00000.tar")}}
	rows, _, err := read(t, opts, schemas.Position{})
	if err != nil || len(rows) != 1 || rows[0].Caption == "" || rows[0].Reject != "" || rows[0].Image == "" {
		t.Errorf("%+v, %v", rows, err)
	}
	opts.Paths = []string{shared(t, "wds/clip-retrieval-image1.tar")}
	rows, _, err = read(t, opts, schemas.Position{})
	if err != nil || len(rows) == 0 {
		t.Fatal(len(rows), err)
	}
	for _, r := range rows {
		if r.Reject != RejectMissingCaption {
			t.Errorf("a picture alone is %+v", r)
		}
	}
}
