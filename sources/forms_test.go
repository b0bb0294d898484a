package sources

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"capgraph/schemas"
	"capgraph/store"
	"capgraph/testing/heap"
)

// TestTablesOfText reads tables as spreadsheets, pandas and people write them.
func TestTablesOfText(t *testing.T) {
	for name, c := range map[string]struct{ format, data, want string }{
		"comma":                   {"csv", "image,caption\n1.jpg,a dog\n2.jpg,\"a cat, and \"\"two\"\" dogs\"\n", `1.jpg a dog; 2.jpg a cat, and "two" dogs`},
		"semicolon":               {"csv", "image;caption\n1.jpg;a dog, a cat\n", "1.jpg a dog, a cat"},
		"tab":                     {"csv", "image\tcaption\n1.jpg\ta dog, a cat\n", "1.jpg a dog, a cat"},
		"bar and spaces":          {"csv", "image| caption\n1.jpg| a dog\n", "1.jpg a dog"},
		"tsv":                     {"tsv", "image\tcaption\n1.jpg\ta dog\n", "1.jpg a dog"},
		"a comma in tsv":          {"tsv", "caption\na dog, a cat\n", "a dog, a cat"},
		"one column":              {"csv", "caption\na dog\n\"a, b\"", "a dog; a, b"},
		"byte mark, CRLF, no end": {"csv", "\ufeffimage,caption\r\n1.jpg,\"two\r\nlines\"\r\n2.jpg,a cat", "1.jpg two\nlines; 2.jpg a cat"},
		"a quotation mark within": {"csv", "image,caption\n1.jpg,a 5\" nail\n2.jpg,\"\"\n3.jpg,\"x\"\n", "1.jpg a 5\" nail; 2.jpg missing_caption; 3.jpg x"},
		"one that does not close": {"csv", "image,caption\n1.jpg,\"a dog\n2.jpg,a cat\n3.jpg,a bus\n", "malformed; 2.jpg a cat; 3.jpg a bus"},
		"one that another closes": {"csv", "image,caption\n1.jpg,\"a dog\n2.jpg,\"a cat\"\n3.jpg,a bus\n", "malformed; 2.jpg a cat; 3.jpg a bus"},
		"cells too few, too many": {"csv", "image,caption\n1.jpg\n2.jpg,a,b\n\n3.jpg,a bus\n", "malformed; malformed; malformed; 3.jpg a bus"},
		"not UTF-8":               {"csv", "image,caption\n1.jpg,caf\xe9\n2.jpg,a bus\n", "1.jpg caf\ufffd invalid_utf8; 2.jpg a bus"},
		"a list in a cell":        {"csv", "image,caption\n1.jpg,\"[\"\"a dog\"\", \"\"a cat\"\"]\"\n2.jpg,[a bus]\n", "1.jpg a dog; 1.jpg a cat; 2.jpg [a bus]"},
		"only a header":           {"csv", "image,caption\n", ""},
		"no header":               {"csv", "http://a/1.jpg,a dog\n", "has no header: its first line is http://a/1.jpg,a dog"},
		"no header, names":        {"csv", "7.jpg#0,a dog\n", "has no header"},
		"empty":                   {"csv", "", "is empty and has no header"},
		"no caption":              {"csv", "image,label\n1.jpg,dog\n", "missing_caption"},
	} {
		for _, packed := range [][]byte{[]byte(c.data), gzipped(t, []byte(c.data))} {
			opts := write(t, c.format, packed)
			rows, _, err := read(t, opts, schemas.Position{})
			if err != nil {
				if c.want == "" || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: %v, want %q", name, err, c.want)
				}
				continue
			}
			if got := sayRows(rows); got != c.want && (name != "no caption" || !strings.Contains(got, c.want)) {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
			checkResume(t, opts)
		}
	}
	opts := write(t, "csv", []byte("image,caption\n1.jpg,a dog\n"))
	opts.Columns = map[string][]string{Caption: {"text"}}
	if _, err := open(t, opts, schemas.Position{}); err == nil || !strings.Contains(err.Error(), `has no column "text"; it has image, caption (say which of them it is: source.columns: {caption: NAME})`) {
		t.Error(err)
	}
}

// sayRows says the images and captions of rows, and their rejects.
func sayRows(rows []Row) string {
	var all []string
	for _, r := range rows {
		all = append(all, strings.TrimSpace(strings.TrimSpace(r.Image+" "+r.Caption)+" "+r.Reject))
	}
	return strings.Join(all, "; ")
}

// TestJSONTables reads lists of objects and objects of captions, with what Python writes.
func TestJSONTables(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"list":                         {`[{"url": "http://a/1", "caption": "a dog", "score": NaN}, {"url": "http://a/2", "caption": "NaN \"Infinity\"", "n": [-Infinity, NaN]}]`, `http://a/1 a dog; http://a/2 NaN "Infinity"`},
		"captions that are no numbers": {`[{"caption": NaN}, {"caption": -Infinity}, {"caption": "a dog"}]`, "missing_caption; missing_caption; a dog"},
		"object of texts":              {`{"1.jpg": "a dog", "2.jpg": ["a cat", "a bus"], "3.jpg": {"caption": "a car", "n": NaN}, "4.jpg": 5, "5.jpg": []}`, "1.jpg a dog; 2.jpg a cat; 2.jpg a bus; 3.jpg a car; 4.jpg malformed; 5.jpg missing_caption"},
		"object with images":           {`{"x": {"file_name": "1.jpg", "caption": "a dog"}, "2.jpg": {"image_id": 2, "caption": "a cat"}}`, "1.jpg a dog; 2.jpg a cat"},
		"list of texts":                {` ["a dog", "a cat"] `, "a dog; a cat"},
		"sentences":                    {`[{"img": "1.jpg", "caption": [{"raw": "a dog"}, {"raw": "a cat"}]}]`, "1.jpg a dog; 1.jpg a cat"},
		"empty list":                   {`[]`, ""},
		"neither":                      {`5`, "is no JSON list"},
		"cut off":                      {`[{"caption": "a dog"}, {"capt`, "the JSON is cut off"},
		"cut off in a number":          {`[{"caption": "a dog", "n": Na`, "not JSON"},
	} {
		opts := write(t, "json", []byte(c.data))
		rows, _, err := read(t, opts, schemas.Position{})
		if err != nil {
			if c.want == "" || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", name, err, c.want)
			}
			continue
		}
		if got := sayRows(rows); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		checkResume(t, opts)
	}
}

// TestNaNBeyondABuffer reads numbers that JSON lacks at every offset around the end of a buffer, in all
// formats of JSON, and resumes at each row.
func TestNaNBeyondABuffer(t *testing.T) {
	for pad := range 12 {
		long := strings.Repeat("x", nanWindow-60+pad)
		image := func(i int) string {
			return fmt.Sprintf(`{"image": "%d.jpg", "pad": "%s", "n": NaN, "m": [-Infinity, Infinity ,NaN], "caption": "a NaN dog"}`, i, long)
		}
		for format, data := range map[string]string{
			"json": "[" + image(1) + "," + image(2) + "\n," + image(3) + "]", "karpathy": "[" + image(1) + "," + image(2) + "]", "jsonl": image(1) + "\n" + image(2) + "\n",
			"coco": `{"x": -Infinity, "images": [{"id": 1, "n": NaN, "p": "` + long + `"}], "annotations": [{"id": NaN, "image_id": 1, "caption": "no"}, {"id": 2, "n": NaN, "image_id": 1, "caption": "a NaN dog"}]}`,
		} {
			opts := write(t, format, []byte(data))
			rows, _, err := read(t, opts, schemas.Position{})
			if err != nil || len(rows) < 2 || rows[len(rows)-1].Caption != "a NaN dog" {
				t.Fatalf("%s, %d: %v, %v", format, pad, sayRows(rows), err)
			}
			checkResume(t, opts)
		}
	}
}

// TestParquetTextsWithLists reads texts that hold a list of captions, and resumes at each of them.
func TestParquetTextsWithLists(t *testing.T) {
	type row struct {
		URL     string `parquet:"url"`
		Caption string `parquet:"caption"`
	}
	rows := []row{{"1.jpg", `['a dog runs', 'a dog on grass']`}, {"2.jpg", "a cat"}, {"3.jpg", `["a bus stops", "a red bus", "a street"]`}}
	opts := write(t, "parquet", parquetOf(t, rows, pq.MaxRowsPerRowGroup(1)))
	got, _, err := read(t, opts, schemas.Position{})
	if err != nil || len(got) != 6 || got[5].Caption != "a street" || got[5].Image != "3.jpg" {
		t.Fatalf("%v, %v", sayRows(got), err)
	}
	checkResume(t, opts)
}

// TestSeveralCaptions makes each caption of an image a row of its own, under one image key.
func TestSeveralCaptions(t *testing.T) {
	type series struct {
		File    string  `parquet:"filename"`
		First   string  `parquet:"caption_0"`
		Second  *string `parquet:"caption_1,optional"`
		Caption string  `parquet:"short"`
	}
	cat := "a cat"
	seriesFile := parquetOf(t, []series{{"1.jpg", "a dog", &cat, "dog"}, {"2.jpg", "a bus", nil, "bus"}}, pq.MaxRowsPerRowGroup(1))
	for name, c := range map[string]struct {
		format  string
		data    []byte
		columns map[string][]string
		want    string
	}{
		"list of JSON lines": {"jsonl", []byte(`{"image": "1.jpg", "captions": ["a dog", null, 5]}` + "\n" + `{"image": "2.jpg", "captions": ["a bus"]}`), nil,
			"00000-000000000 1.jpg a dog; 00000-000000001 1.jpg  missing_caption; 00000-000000002 1.jpg  wrong_type; 00000-000000003 2.jpg a bus"},
		"with a key": {"jsonl", []byte(`{"id": "k", "caption": ["a dog", "a cat"]}` + "\n" + `{"id": "l", "caption": ["a bus"]}` + "\n" + `{"id": "m", "caption": []}`), map[string][]string{Key: {"id"}},
			"k#0 k a dog; k#1 k a cat; l l a bus; m m  missing_caption"},
		"without an image": {"jsonl", []byte(`{"caption": ["a dog", "a cat"]}` + "\n" + `{"caption": "a bus"}`), nil,
			"00000-000000000 00000-000000000 a dog; 00000-000000001 00000-000000000 a cat; 00000-000000002 00000-000000002 a bus"},
		"columns of a series": {"parquet", seriesFile, nil, "00000-000000000 1.jpg a dog; 00000-000000001 1.jpg a cat; 00000-000000002 2.jpg a bus"},
		"named columns": {"parquet", seriesFile, map[string][]string{Caption: {"caption_1", "short"}},
			"00000-000000000 1.jpg a cat; 00000-000000001 1.jpg dog; 00000-000000002 2.jpg bus"},
		"series in CSV": {"csv", []byte("image,caption_0,caption_1\n1.jpg,a dog,\n2.jpg,a bus,a car\n"), nil,
			"00000-000000000 1.jpg a dog; 00000-000000001 2.jpg a bus; 00000-000000002 2.jpg a car"},
		"numbered as Flickr8k": {"cc12m", []byte("1.jpg#0\ta dog\n1.jpg#1\ta cat\nhttp://a/1.jpg#1\ta bus\nx#1\ta car\n"), nil,
			"00000-000000000 1.jpg a dog; 00000-000000001 1.jpg a cat; 00000-000000002 http://a/1.jpg#1 a bus; 00000-000000003 x#1 a car"},
		"lines in a tar": {"webdataset", tarOf(t, [2]string{"a.jpg", "-"}, [2]string{"a.txt", "a dog\r\n\n a cat \n"}, [2]string{"b.jpg", "-"}, [2]string{"b.txt", "a bus\n"}), nil,
			"a#0 a a dog; a#1 a a cat; b b a bus\n"},
	} {
		opts := write(t, c.format, c.data)
		opts.Columns = c.columns
		rows, _, err := read(t, opts, schemas.Position{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, r := range rows {
			got = append(got, strings.TrimSpace(strings.TrimRight(r.Key+" "+r.ImageKey+" "+r.Caption+" ", " ")+" "+strings.TrimPrefix(" "+r.Reject, " ")))
		}
		want := strings.ReplaceAll(c.want, "  ", " ")
		if s := strings.Join(got, "; "); s != strings.TrimSpace(want) {
			t.Errorf("%s: got\n%q, want\n%q", name, s, want)
		}
		checkResume(t, opts)
	}
}

// TestImagesInParquet calls an image of datasets by its path, and one without a path by file and row.
// The pictures are not read: a row of 20 MB is within its limit.
func TestImagesInParquet(t *testing.T) {
	type row struct {
		Image struct {
			Bytes []byte  `parquet:"bytes"`
			Path  *string `parquet:"path,optional"`
		} `parquet:"image,optional"`
		Caption []string `parquet:"caption,list"`
	}
	rows := make([]row, 3)
	name := "a.jpg"
	rows[0].Image.Path, rows[0].Image.Bytes = &name, bytes.Repeat([]byte("x"), 20<<20)
	for i := range rows {
		rows[i].Caption = []string{fmt.Sprint("a dog ", i), "a cat"}
	}
	opts := write(t, "parquet", parquetOf(t, rows))
	got, _, err := read(t, opts, schemas.Position{})
	opts.Columns = map[string][]string{Image: {Image}}
	if named, _, err := read(t, opts, schemas.Position{}); err != nil || !reflect.DeepEqual(got, named) {
		t.Errorf("named: %q, %v", sayRows(named), err)
	}
	if want := "a.jpg a dog 0; a.jpg a cat; in/1 a dog 1; in/1 a cat; in/2 a dog 2; in/2 a cat"; err != nil || sayRows(got) != want {
		t.Errorf("%q, %v, want %q", sayRows(got), err, want)
	}
	checkResume(t, opts)
}

// TestFolders reads folders of images with captions beside them, at any depth, and notices changes.
func TestFolders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for name, text := range map[string]string{
		"10_dog/1.jpg": "-", "10_dog/1.txt": "a dog\na brown dog", "10_dog/a.b.png": "-", "10_dog/a.b.caption": "a cat", "10_dog/2.jpg": "-",
		"10_dog/3.txt": "a text without image", "10_dog/.hidden.jpg": "-", "10_dog/1.npz": "-", "10_dog/4.jpg": "-", "10_dog/4.json": `{"caption": "a bus", "n": NaN}`,
		"5_cat/deep/1.webp": "-", "5_cat/deep/1.txt": "a red car", "empty/x.npz": "-", "images/only.jpg": "-",
	} {
		put(t, filepath.Join(dir, name), []byte(text))
	}
	opts := Options{Format: "folder", Paths: []string{dir}}
	files, err := Expand(store.Local{}, opts)
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	if got, want := readFolders(t, opts), "10_dog/1.jpg a dog; 10_dog/1.jpg a brown dog; 10_dog/2.jpg missing_caption; a text without image missing_image; 10_dog/4.jpg a bus; 10_dog/a.b.png a cat; 5_cat/deep/1.webp a red car"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	two := Options{Format: "folder", Paths: []string{dir + "/10_dog", dir + "/5_cat/"}}
	if got, want := readFolders(t, two), "10_dog/1.jpg a dog;"; !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "5_cat/deep/1.webp a red car") {
		t.Errorf("got %q, want %q", got, want)
	}
	one := Options{Format: "folder", Paths: []string{dir + "/10_dog"}}
	if got, want := readFolders(t, one), "1.jpg a dog;"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	checkResume(t, one)
	var before, after bytes.Buffer
	files[0].Describe(&before)
	put(t, filepath.Join(dir, "10_dog/2.txt"), []byte("a new one"))
	files, _ = Expand(store.Local{}, opts)
	files[0].Describe(&after)
	if reflect.DeepEqual(before, after) {
		t.Error("a new file is not noticed")
	}
	found, err := Recognise(t.Context(), store.Local{}, dir)
	if err != nil || found.Options.Format != "folder" || !found.HasImages {
		t.Errorf("%+v, %v", found, err)
	}
	for path, want := range map[string]string{dir + "/empty": "has no images with captions beside them", dir + "/10_dog/1.txt": "is a file"} {
		if _, err := Expand(store.Local{}, Options{Format: "folder", Paths: []string{path}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if err := os.Remove(filepath.Join(dir, "10_dog/1.txt")); err != nil {
		t.Fatal(err)
	}
	if r, err := Open(t.Context(), store.Local{}, files[0], opts, schemas.Position{}); err != nil {
		t.Error(err)
	} else if err := r.Next(new(Row)); err == nil || !store.IsUnreachable(err) {
		t.Errorf("a file that is gone: %v", err)
	}
}

// TestLinksInFolders follows links only within the folder, and names the others.
func TestLinksInFolders(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "data")
	for name, text := range map[string]string{
		"data/a/1.jpg": "-", "data/a/1.txt": "a dog", "data/a/2.jpg": "-", "data/a/3.jpg": "-", "data/a/4.jpg": "-", "data/b/5.txt": "a cat", "data/b/5.jpg": "-", "data/a/7.txt": "a cow", "data/a/8.txt": "a hen", "data/a/9.txt": "a pig", "outside/7.jpg": "-", "outside/3.txt": "a secret", "outside/x/6.jpg": "-", "outside/x/6.txt": "a secret",
	} {
		put(t, filepath.Join(top, name), []byte(text))
	}
	link := func(target, name string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	link("nowhere.txt", "a/2.txt")
	link("../../outside/3.txt", "a/3.txt")
	link("../b/5.txt", "a/4.txt")
	link("../../outside/7.jpg", "a/7.jpg")
	link("nowhere.jpg", "a/8.jpg")
	link("../b/5.jpg", "a/9.jpg")
	opts := Options{Format: "folder", Paths: []string{dir}}
	if got, want := readFolders(t, opts), "a/1.jpg a dog; a/2.jpg missing_caption; a/3.jpg missing_caption; a/4.jpg a cat; a/7.jpg a cow missing_image; a/8.jpg a hen missing_image; a/9.jpg a pig; b/5.jpg a cat"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	files, err := Expand(store.Local{}, opts)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(t.Context(), store.Local{}, files[0], opts, schemas.Position{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var details []string
	for row := (Row{}); r.Next(&row) == nil; row = (Row{}) {
		details = append(details, row.Detail)
	}
	for i, want := range map[int]string{1: "2.txt is a link to a file that is not there", 2: "3.txt is a link to ", 4: "7.jpg is a link to ", 5: "8.jpg is a link to a file that is not there"} {
		if i >= len(details) || !strings.HasPrefix(details[i], want) {
			t.Errorf("details %q, want %q", details, want)
		}
	}
	for target, want := range map[string]string{"..": "c: is a link to ", "../../outside": "which is not below", ".": "a folder that it is in", "none": "a file that is not there"} {
		link(target, "b/c")
		_, err := Expand(store.Local{}, opts)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "data/b/c") {
			t.Errorf("%s: %v, want %q", target, err, want)
		}
		if err := os.Remove(filepath.Join(dir, "b/c")); err != nil {
			t.Fatal(err)
		}
	}
}

func readFolders(t *testing.T, opts Options) string {
	t.Helper()
	files, err := Expand(store.Local{}, opts)
	if err != nil {
		t.Fatal(err)
	}
	var all []Row
	for i, f := range files {
		f.Key = fmt.Sprint(i)
		r, err := Open(t.Context(), store.Local{}, f, opts, schemas.Position{})
		if err != nil {
			t.Fatal(err)
		}
		for {
			var row Row
			if r.Next(&row) != nil {
				break
			}
			all = append(all, row)
		}
		r.Close()
	}
	return sayRows(all)
}

// TestComparisons compares numbers in all their forms, and texts in lists.
func TestComparisons(t *testing.T) {
	data := []byte("n,caption\n9,nine\n10,ten\n1e3,thousand\n-0.5,less\n,none\nx,letter\ninf,infinite\n")
	for where, want := range map[string]string{
		"> 9": "ten thousand infinite", ">=9": "nine ten thousand infinite", "< 10": "nine less", "<= 10.0": "nine ten less",
		"in (9, x)": "nine letter", "in (x)": "letter", "in ()": "none", "9": "nine", "> y": "",
	} {
		opts := write(t, "csv", data)
		opts.Where = map[string]string{"n": where}
		rows, _, err := read(t, opts, schemas.Position{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rows {
			if r.Reject == "" {
				got = append(got, r.Caption)
			} else if r.Reject != RejectNotSelected {
				t.Errorf("%s: %s", where, r.Reject)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %q, want %q", where, s, want)
		}
	}
}

// TestFilesThatAreCutOff names the byte at which a tar ends, and says that Parquet is cut off, once.
func TestFilesThatAreCutOff(t *testing.T) {
	data := tarOf(t, [2]string{"a.jpg", "-"}, [2]string{"a.txt", "a dog"}, [2]string{"b.jpg", strings.Repeat("x", 20_000)})[:9000]
	opts := write(t, "webdataset", data)
	if _, _, err := read(t, opts, schemas.Position{}); err == nil || !strings.Contains(err.Error(), "byte 9000: is cut off") {
		t.Errorf("a tar: %v", err)
	}
	path := filepath.Join(t.TempDir(), "cut.parquet")
	put(t, path, parquetOf(t, webRows(50))[:900])
	_, err := Recognise(t.Context(), store.Local{}, path)
	if err == nil || !strings.Contains(err.Error(), "is Parquet, cut off at its end") || strings.Contains(err.Error(), "no text") {
		t.Errorf("Parquet: %v", err)
	}
}

// TestTarsWithSeveralImages names the members that may be the image.
func TestTarsWithSeveralImages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "0.tar")
	put(t, path, tarOf(t, [2]string{"a.input.jpg", "-"}, [2]string{"a.edited.png", "-"}, [2]string{"a.txt", "a dog on a mat"}, [2]string{"b.other.jpg", "-"}, [2]string{"b.txt", "a cat on a mat"}))
	found, err := Recognise(t.Context(), store.Local{}, path)
	if err != nil || found.HasImages || strings.Join(found.ImageMembers, " ") != "input.jpg edited.png" {
		t.Errorf("%+v, %v", found, err)
	}
	opts := Options{Format: "webdataset", Paths: []string{path}, Columns: map[string][]string{Image: {"input.jpg"}}}
	rows, _, err := read(t, opts, schemas.Position{})
	if want := "0.tar/a.input.jpg a dog on a mat; a cat on a mat missing_image"; err != nil || sayRows(rows) != want {
		t.Errorf("%q, %v, want %q", sayRows(rows), err, want)
	}
}

// TestSidecarsOfManyCaptions counts all captions of the rows of a sidecar, which is held in memory.
func TestSidecarsOfManyCaptions(t *testing.T) {
	type row struct {
		Key      string   `parquet:"key"`
		Status   string   `parquet:"status"`
		Captions []string `parquet:"captions,list"`
	}
	rows := make([]row, 1800)
	captions := slices.Repeat([]string{strings.Repeat("x", 10_000)}, 20)
	for i := range rows {
		rows[i] = row{fmt.Sprint(i), "success", captions}
	}
	path := filepath.Join(t.TempDir(), "00000.parquet")
	put(t, path, parquetOf(t, rows, pq.Compression(&pq.Zstd), pq.MaxRowsPerRowGroup(50)))
	opts := Options{Format: "img2dataset", Paths: []string{path}, Columns: map[string][]string{Caption: {"captions"}}}
	var err error
	peak := heap.Peak(func() { _, err = open(t, opts, schemas.Position{}) })
	if err == nil || !strings.Contains(err.Error(), "is sorted in memory") || peak > 450<<20 {
		t.Errorf("%v, a heap of %d MB", err, peak>>20)
	}
}

// TestADamagedFileWithSplits is recognised, with the fault, and its splits up to there are counted.
func TestADamagedFileWithSplits(t *testing.T) {
	image := `{"filename": "1.jpg", "split": "train", "sentences": [{"raw": "a dog on a mat"}]}, `
	path := filepath.Join(t.TempDir(), "cut.json")
	put(t, path, []byte(`{"images": [`+strings.Repeat(image, 150)+`{"file`))
	found, err := Recognise(t.Context(), store.Local{}, path)
	if err != nil || found.Options.Format != "karpathy" || found.Splits["train"] != 150 {
		t.Fatalf("%+v, %v", found, err)
	}
	if len(found.PassedOver) != 1 || !found.PassedOver[0].Read || !strings.Contains(found.PassedOver[0].Reason, "unexpected EOF") {
		t.Errorf("%+v", found.PassedOver)
	}
}
