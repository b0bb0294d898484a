package sources

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/store"
)

// The rows of Parquet files of TestFormsAreRecognised.
type (
	listedImage struct {
		Bytes []byte `parquet:"bytes"`
		Path  string `parquet:"path"`
	}
	listedImages struct {
		Images  []listedImage `parquet:"images,list"`
		Caption string        `parquet:"caption"`
	}
	numberedCaptions struct {
		Image    string `parquet:"image"`
		Captions struct {
			First  string `parquet:"0"`
			Second string `parquet:"1"`
		} `parquet:"captions"`
	}
	nestedCaptions struct {
		Image    string     `parquet:"image"`
		Captions [][]string `parquet:"captions,list"`
	}
	tarPictures struct {
		Picture []byte `parquet:"jpg"`
		Text    string `parquet:"txt"`
	}
)

// TestFormsAreRecognised looks into files as people have them, and reads them as recognised. A file
// whose name begins with / is below a folder that is recognised.
func TestFormsAreRecognised(t *testing.T) {
	twoCaptions := numberedCaptions{Image: "1.jpg"}
	twoCaptions.Captions.First, twoCaptions.Captions.Second = "a dog on a mat", "a brown dog"
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"
	for _, c := range []struct {
		name    string
		files   map[string]string
		options string
		rows    string
		first   string
		message string
	}{
		{name: "one object", files: map[string]string{"a.json": "{\n\"image\": \"1.jpg\", \"caption\": \"a dog on a mat\", \"score\": 0.5}"},
			options: "json", rows: "1 captions, 1 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "one object with several captions", files: map[string]string{"a.json": "{\n\"captions\": [\"a dog on a mat\", \"a dog\"], \"tags\": [\"x\", \"y\"]}"},
			options: "json", rows: "2 captions, 0 images"},
		{name: "columns", files: map[string]string{"a.json": `{"image": ["1.jpg", "2.jpg"], "caption": ["a dog on a mat", "a cat on a bed"]}`},
			options: "json", rows: "2 captions, 2 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "columns by row number", files: map[string]string{"a.json": `{"image": {"0": "1.jpg", "1": "2.jpg"}, "text": {"0": "a dog on a mat", "1": "a cat on a bed"}}`},
			options: "json caption=text", rows: "2 captions, 2 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "columns of different lengths", files: map[string]string{"a.json": `{"image": ["1.jpg", "2.jpg"], "caption": ["a dog on a mat"], "id": [1, 2, 3]}`},
			message: "is read by columns, and image has 2 values and caption 1"},
		{name: "a list below data", files: map[string]string{"a.json": `{"version": "1 of 2", "data": [{"file_name": "1.jpg", "caption": "a dog on a mat"}], "n": 1}`},
			options: "json image=file_name", rows: "1 captions, 1 images"},
		{name: "parts of a corpus", files: map[string]string{"a.json": `{"train": [{"image": "1.jpg", "caption": "a dog on a mat"}], "val2014": [{"image": "2.jpg", "caption": "a cat on a bed"}, {"image": "3.jpg", "caption": "a bus on a road"}], "info": {}}`},
			options: "json", rows: "3 captions, 3 images"},
		{name: "rows of another name", files: map[string]string{"a.json": `{"blip": [{"image_path": "1.jpg", "caption": "a dog on a mat"}]}`},
			options: "json image=image_path", rows: "1 captions, 1 images"},
		{name: "captions by image", files: map[string]string{"a.json": `{"img_a": "a dog on a mat", "img_b": "a cat on a bed"}`},
			options: "json", rows: "2 captions, 2 images", first: "img_a | img_a | a dog on a mat"},
		{name: "another shape", files: map[string]string{"a.json": `{"dataset": "x", "pages": {"a": {"b": [1]}}, "n": 5}`},
			message: `is JSON of another shape: an object of dataset (a text), pages (an object), n (a number)`},
		{name: "lists in a row", files: map[string]string{"a.jsonl": `{"id": 1, "annotations": [{"caption": "a dog on a mat"}, {"caption": "a dog"}], "image": "1.jpg"}` + "\n"},
			options: "jsonl caption=annotations.caption", rows: "2 captions, 1 images"},
		{name: "numpy in a cell", files: map[string]string{"a.csv": "image,caption\n1.jpg,\"['a dog on a mat'\n 'a dog']\"\n"},
			options: "csv", rows: "2 captions, 1 images"},
		{name: "objects in a cell", files: map[string]string{"a.csv": "image,sentences\n1.jpg,\"[{'raw': 'a dog on a mat'}, {'raw': 'a dog'}]\"\n"},
			options: "csv caption=sentences.raw", rows: "2 captions, 1 images"},
		{name: "an object in a text", files: map[string]string{"a.jsonl": `{"image": "1.jpg", "caption": "{\"scene\": \"a dog on a mat\", \"style\": \"photo\"}"}` + "\n"},
			options: "jsonl caption=caption.scene", rows: "1 captions, 1 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "an object in a text of a list", files: map[string]string{"a.json": `[{"image": "1.jpg", "caption": "{\"caption\": \"a dog on a mat\", \"style\": \"photo\"}"}]`},
			options: "json", rows: "1 captions, 1 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "JSON in a TSV", files: map[string]string{"a.tsv": "http://a/1.jpg\t{\"scene\": \"a dog on a mat\"}\n"}, message: "is not read as tsv"},
		{name: "sep for Excel", files: map[string]string{"a.csv": "sep=;\nimage;caption\n1.jpg;a dog, on a mat\n"}, options: "csv", rows: "1 captions, 1 images"},
		{name: "quoted sep for Excel", files: map[string]string{"a.csv": "\"sep=;\"\r\nimage;caption\r\n1.jpg;a dog on a mat\r\n"}, options: "csv", rows: "1 captions, 1 images"},
		{name: "GBK", files: map[string]string{"a.csv": "image,caption\n1.jpg,\xd2\xbb\xd6\xbb\xb9\xb7\xd4\xda\xb5\xe6\n"}, message: "name its encoding: source.encoding"},
		{name: "UTF-16", files: map[string]string{"a.csv": "\xff\xfei\x00m\x00g\x00,\x00c\x00a\x00p\x00t\x00i\x00o\x00n\x00\n\x001\x00.\x00j\x00p\x00g\x00,\x00a\x00 \x00d\x00o\x00g\x00\n\x00"},
			options: "csv image=img encoding=utf-16le", rows: "1 captions, 1 images", first: "1.jpg | 1.jpg | a dog"},
		{name: "UTF-8 with a broken line", files: map[string]string{"a.csv": "image,caption\n1.jpg,un café\n2.jpg,un thé\n3.jpg,a caf\xe9\n"},
			options: "csv", rows: "2 captions, 2 images, 1 invalid_utf8"},
		{name: "image by what it holds", files: map[string]string{"a.csv": "n,where,title\n1,img/1.jpg,a dog on a mat\n2,img/2.jpg,a cat on a bed\n"},
			options: "csv caption=title image=where", rows: "2 captions, 2 images"},
		{name: "path", files: map[string]string{"a.csv": "path,caption\nimg/1.jpg,a dog on a mat\n"}, options: "csv", rows: "1 captions, 1 images", first: "img/1.jpg | img/1.jpg | a dog on a mat"},
		{name: "path of something else", files: map[string]string{"a.csv": "path,caption\nshard 5,a dog on a mat\n"}, options: "csv", rows: "1 captions, 0 images"},
		{name: "hive", files: map[string]string{"/lang=en/year=2024/a.csv": "image,caption\n1.jpg,a dog on a mat\n", "/lang=de/year=2024/b.csv": "image,caption\n2.jpg,ein Hund auf der Matte\n", "/_SUCCESS": ""},
			options: "csv", rows: "2 captions, 2 images"},
		{name: "pointers", files: map[string]string{"a.jsonl": pointer}, message: "is a Git LFS pointer"},
		{name: "pointers beside images", files: map[string]string{"/1.jpg": "x", "/1.txt": pointer}, message: "the member 1.txt is a Git LFS pointer"},
		{name: "names with extensions", files: map[string]string{"/1.jpg": "x", "/1.jpg.txt": "a dog on a mat", "/1.png": "x", "/1.png.txt": "a cat on a bed", "/2.jpg": "x", "/2.txt": "a bus on a road"},
			options: "folder", rows: "3 captions, 3 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "tags beside captions", files: map[string]string{"/1.jpg": "x", "/1.txt": "dog, mat, room, floor", "/1.caption": "a dog on a mat"},
			options: "folder", rows: "1 captions, 1 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "tags beside a caption in JSON", files: map[string]string{"/1.jpg": "x", "/1.txt": "dog, mat, room, floor", "/1.json": `{"caption": "a dog on a mat", "w": 3}`},
			options: "folder caption=caption", rows: "1 captions, 1 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "texts in Windows-1252", files: map[string]string{"/1.jpg": "x", "/1.txt": "a dog at a caf\xe9", "/2.jpg": "x", "/2.txt": "a cat on a bed"},
			options: "folder encoding=windows-1252", rows: "2 captions, 2 images", first: "1.jpg | 1.jpg | a dog at a café"},
		{name: "texts in UTF-16", files: map[string]string{"/1.jpg": "x", "/1.txt": "\xff\xfea\x00 \x00d\x00o\x00g\x00"},
			options: "folder encoding=utf-16le", rows: "1 captions, 1 images", first: "1.jpg | 1.jpg | a dog"},
		{name: "UTF-16 without a mark", files: map[string]string{"a.csv": "\x00i\x00m\x00g\x00,\x00c\x00a\x00p\x00t\x00i\x00o\x00n\x00\n\x001\x00.\x00j\x00p\x00g\x00,\x00a\x00 \x00d\x00o\x00g\x00\n"},
			options: "csv image=img encoding=utf-16be", rows: "1 captions, 1 images", first: "1.jpg | 1.jpg | a dog"},
		{name: "as many lines in each text", files: map[string]string{"/1.jpg": "x", "/1.txt": "A dog lies on a mat.\nA brown dog sleeps.\n", "/2.jpg": "x", "/2.txt": "A cat lies on a bed.\nThe bed is white."},
			options: "folder lines=each", rows: "4 captions, 2 images"},
		{name: "sentences, more in one text than in others", files: map[string]string{"/1.jpg": "x", "/1.txt": "A dog lies on a mat.\nThe mat is brown.\nThere is a ball.", "/2.jpg": "x", "/2.txt": "A cat lies on a bed.\nThe bed is white.", "/3.jpg": "x", "/3.txt": "A bus."},
			options: "folder lines=one", rows: "3 captions, 3 images"},
		{name: "captions, more in one text than in others", files: map[string]string{"/1.jpg": "x", "/1.txt": "a dog on a mat\na brown dog\na dog asleep", "/2.jpg": "x", "/2.txt": "a cat on a bed\na white bed", "/3.jpg": "x", "/3.txt": "a bus"},
			options: "folder lines=each", rows: "6 captions, 3 images"},
		{name: "sentences about the first", files: map[string]string{"/1.jpg": "x", "/1.txt": "A woman stands in a park.\nShe holds an umbrella.", "/2.jpg": "x", "/2.txt": "A man sits on a bench.\nHe reads a paper."},
			options: "folder lines=one", rows: "2 captions, 2 images"},
		{name: "captions between bars", files: map[string]string{"a.csv": "image,caption\n1.jpg,a dog on a mat|a brown dog sleeps\n2.jpg,a cat on a bed|a white bed here\n"},
			options: "csv lines=each", rows: "4 captions, 2 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "captions between bars in JSON", files: map[string]string{"a.json": `[{"image": "1.jpg", "caption": "a dog on a mat|a brown dog sleeps"}, {"image": "2.jpg", "caption": "a cat on a bed|a white bed here"}]`},
			options: "json lines=each", rows: "4 captions, 2 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "titles with the name of a site", files: map[string]string{"a.csv": "image,caption\n1.jpg,a dog on a mat | Stock of all photos\n2.jpg,a cat on a bed | Stock of all photos\n3.jpg,a bus on a road | Stock of all photos\n"},
			options: "csv", rows: "3 captions, 3 images", first: "1.jpg | 1.jpg | a dog on a mat | Stock of all photos"},
		{name: "a dictionary in a cell", files: map[string]string{"a.csv": "image,caption\n1.jpg,\"{'en': 'a dog on a mat', 'score': 0.5}\"\n"},
			options: "csv caption=caption.en", rows: "1 captions, 1 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "a table in a tar", files: map[string]string{"a.tar": string(tarOf(t, [2]string{"a.csv", "image,caption\n1.jpg,a dog on a mat\n2.jpg,a cat on a bed\n"}))}, message: "is not read as webdataset: the member"},
		{name: "a comment before the header", files: map[string]string{"a.tsv": "# exported\nimage\tcaption\n1.jpg\ta dog on a mat\n2.jpg\ta cat on a bed\n"}, message: "2 cells, and the header has 1"},
		{name: "a caption among labelled lines", files: map[string]string{"/1.jpg": "x", "/1.txt": "caption: a dog on a mat\nmodel: blip\nscore: 0.3\n", "/2.jpg": "x", "/2.txt": "caption: a cat on a bed\nmodel: blip"},
			options: "folder", rows: "2 captions, 2 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "labelled lines without a caption", files: map[string]string{"/1.jpg": "x", "/1.txt": "subject: dog\nplace: mat\n"}, message: "is JSON with the fields subject, place"},
		{name: "captions alone", files: map[string]string{"a.txt": "a dog on a mat\na cat on a bed\n"}, message: "line 1 has no tab: a dog on a mat; of captions alone, write a first line, caption"},
		{name: "a column of captions", files: map[string]string{"a.csv": "caption\na dog on a mat\na cat on a bed\n"}, options: "csv", rows: "2 captions, 0 images"},
		{name: "JavaScript", files: map[string]string{"a.json": `var data = [{"caption": "a dog on a mat"}];`}, message: "is not read as json: not JSON"},
		{name: "JSON in a fence", files: map[string]string{"/1.jpg": "x", "/1.txt": "```json\n{\"caption\": \"a dog on a mat\", \"style\": \"photo\"}\n```\n"},
			options: "folder", rows: "1 captions, 1 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "captions by number", files: map[string]string{"a.jsonl": `{"image": "1.jpg", "captions": {"0": "a dog on a mat", "1": "a brown dog"}}` + "\n" + `{"image": "2.jpg", "captions": {"0": "a cat on a bed"}}` + "\n"},
			options: "jsonl", rows: "3 captions, 2 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "captions by number of an image", files: map[string]string{"a.json": `{"1.jpg": {"captions": {"2": "a brown dog", "1": "a dog on a mat"}}, "2.jpg": {"captions": {"1": "a cat on a bed"}}}`},
			options: "json", rows: "3 captions, 2 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "texts by number of an image", files: map[string]string{"a.json": `{"1.jpg": {"0": "a dog on a mat", "1": "a brown dog"}, "2.jpg": {"0": "a cat on a bed"}}`},
			options: "json", rows: "3 captions, 2 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "a column without a name", files: map[string]string{"a.csv": ",file,caption\n0,1.jpg,a dog on a mat\n1,2.jpg,a cat on a bed\n"},
			options: "csv", rows: "2 captions, 2 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "line ends that are written out", files: map[string]string{"a.csv": "image,caption\n1.jpg,a dog on a mat\\na brown dog sleeps\n2.jpg,a cat on a bed\\na white bed here\n"},
			options: "csv lines=each", rows: "4 captions, 2 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "lists of lists in Parquet", files: map[string]string{"a.parquet": string(parquetOf(t, []nestedCaptions{{"1.jpg", [][]string{{"a dog on a mat", "a brown dog"}, {"a dog"}}}}))},
			options: "parquet", rows: "3 captions, 1 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "captions by language", files: map[string]string{"a.jsonl": `{"image": "1.jpg", "caption": {"en": "a dog on a mat", "0": "x"}}` + "\n"},
			options: "jsonl caption=caption.en", rows: "1 captions, 1 images"},
		{name: "a list of images and one of captions", files: map[string]string{"a.json": `{"images": ["1.jpg", "2.jpg"], "captions": ["a dog on a mat", "a cat on a bed"]}`},
			options: "json", rows: "2 captions, 2 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "an image and its captions in a line", files: map[string]string{"a.jsonl": `{"1.jpg": ["a dog on a mat", "a brown dog"]}` + "\n" + `{"2.jpg": "a cat on a bed"}` + "\n"},
			options: "jsonl", rows: "3 captions, 2 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "pairs in lines", files: map[string]string{"a.jsonl": `["1.jpg", "a dog on a mat"]` + "\n" + `["2.jpg", "a cat on a bed", 0.5]` + "\n"},
			options: "jsonl", rows: "2 captions, 2 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "a list in JSON in JSON", files: map[string]string{"a.csv": `image,caption` + "\n" + `1.jpg,"""[\""a dog on a mat\"", \""a brown dog\""]"""` + "\n"},
			options: "csv", rows: "2 captions, 1 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "captions between semicolons", files: map[string]string{"a.csv": "image,caption\n1.jpg,a dog on a mat; a brown dog sleeps\n2.jpg,a cat on a bed; a white bed here\n"},
			options: "csv lines=each", rows: "4 captions, 2 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "a semicolon in some captions", files: map[string]string{"a.csv": "image,caption\n1.jpg,a dog on a mat; it sleeps\n2.jpg,a cat on a bed\n3.jpg,a bus on a road\n"},
			options: "csv", rows: "3 captions, 3 images"},
		{name: "tags between semicolons", files: map[string]string{"a.csv": "image,caption\n1.jpg,red dog; mat; room; floor\n2.jpg,white cat; bed; room; lamp\n"},
			options: "csv", rows: "2 captions, 2 images"},
		{name: "tags with underscores beside a caption in JSON", files: map[string]string{"/1.jpg": "x", "/1.txt": "brown_dog red_mat room floor", "/1.json": `{"caption": "a dog on a mat", "w": 3}`},
			options: "folder caption=caption", rows: "1 captions, 1 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "a tag a line", files: map[string]string{"/1.jpg": "x", "/1.txt": "dog\nred mat\nroom\nfloor", "/2.jpg": "x", "/2.txt": "cat\nbed\nlamp\nwhite wall"},
			options: "folder lines=one", rows: "2 captions, 2 images"},
		{name: "a caption of YAML over lines", files: map[string]string{"/1.jpg": "x", "/1.txt": "caption: >\n  a dog\n  on a mat\nmodel: blip\n"},
			options: "folder", rows: "1 captions, 1 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "one image with a longer name in a tar", files: map[string]string{"a.tar": string(tarOf(t, [2]string{"1.image.jpg", "x"}, [2]string{"1.caption.txt", "a dog on a mat"}))},
			options: "webdataset caption=caption.txt image=image.jpg", rows: "1 captions, 1 images", first: "a.tar/1.image.jpg | 1 | a dog on a mat"},
		{name: "a tar without captions", files: map[string]string{"a.tar": string(tarOf(t, [2]string{"1.jpg", "x"}, [2]string{"1.cls", "3"}))}, message: "the sample consists of .jpg, .cls"},
		{name: "images in a list of Parquet", files: map[string]string{"a.parquet": string(parquetOf(t, []listedImages{{Images: []listedImage{{Path: "1.jpg", Bytes: make([]byte, MaxRow+1)}}, Caption: "a dog on a mat"}}))},
			options: "parquet", rows: "1 captions, 1 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "captions by number in Parquet", files: map[string]string{"a.parquet": string(parquetOf(t, []numberedCaptions{twoCaptions}))},
			options: "parquet", rows: "2 captions, 1 images", first: "1.jpg | 1.jpg | a dog on a mat"},
		{name: "pictures of a tar in Parquet", files: map[string]string{"a.parquet": string(parquetOf(t, []tarPictures{{make([]byte, MaxRow+1), "a dog on a mat"}}))},
			options: "parquet caption=txt", rows: "1 captions, 1 images", first: "a.parquet/0 | a.parquet/0 | a dog on a mat"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := dir
			for name, data := range c.files {
				put(t, filepath.Join(dir, name), []byte(data))
				if !strings.HasPrefix(name, "/") {
					path = filepath.Join(dir, name)
				}
			}
			found, err := Recognise(context.Background(), store.Local{}, path)
			if c.message != "" {
				if err == nil || !strings.Contains(err.Error(), c.message) {
					t.Errorf("%v (%s), want %q", err, describeOptions(found.Options), c.message)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			rows, first := readAll(t, found.Options)
			if got := describeOptions(found.Options); got != c.options || rows != c.rows || c.first != "" && first != c.first {
				t.Errorf("%s: %s, first %s; want %s: %s, first %s", got, rows, first, c.options, c.rows, c.first)
			}
		})
	}
}

// TestPartitions selects by columns that folders give, and keeps them.
func TestPartitions(t *testing.T) {
	dir := t.TempDir()
	for _, lang := range []string{"en", "de%20AT", nullPartition} {
		put(t, filepath.Join(dir, "lang="+lang, "a.jsonl"), []byte(`{"caption": "a dog on a mat"}`+"\n"))
	}
	opts := Options{Format: "jsonl", Paths: []string{filepath.Join(dir, "*", "*.jsonl")}, Keep: []string{"lang"}, Where: map[string]string{"lang": "in (en, de AT)"}}
	if got, _ := readAll(t, opts); got != "2 captions, 0 images, 1 not_selected" {
		t.Error(got)
	}
}

// TestTable reads a table that a join reads.
func TestTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("sep=;\nurl;text\nu1;\"a \"\"red\"\" bus;\nhere\"\nu2; a dog\nu3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := OpenTable(t.Context(), store.Local{}, path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	var got []string
	for {
		cells, err := table.Next()
		if err != nil {
			if want := "row 3: 1 cells, and the header has 2: u3"; err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
			break
		}
		got = append(got, strings.Join(cells, "|"))
	}
	if want := []string{"u1|a \"red\" bus;\nhere", "u2|a dog"}; strings.Join(got, "&") != strings.Join(want, "&") {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPointersInTars tells of images of a tar that Git LFS left pointers of, and reads the captions beside them.
func TestPointersInTars(t *testing.T) {
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"
	for content, want := range map[string]string{"\xff\xd8\xff\xe0": "", pointer: "a.tar/1.jpg: is a Git LFS pointer and not the file itself (fetch it: git lfs pull)"} {
		path := filepath.Join(t.TempDir(), "a.tar")
		if err := os.WriteFile(path, tarOf(t, [2]string{"0.jpg", "\xff\xd8"}, [2]string{"0.txt", "a cat"}, [2]string{"1.jpg", content}, [2]string{"1.txt", "a dog on a mat"}), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := Recognise(t.Context(), store.Local{}, path)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, p := range found.PassedOver {
			got += filepath.Base(filepath.Dir(p.Name)) + "/" + filepath.Base(p.Name) + ": " + p.Reason
		}
		if got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	}
}
