package sources

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
	"capgraph/store"
)

// TestCases looks into files that failed once, as people have them, and reads them as recognised: the
// format and columns, the captions, the images with any, and the rejects. Every file of the folder is in the table. What
// texts are made of 402 to 405: TestCaptionCases of cmd/capgraph.
func TestCases(t *testing.T) {
	root := filepath.Join("..", "..", "shared", "cases")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("the inputs of public bug reports are not there: %v", err)
	}
	cases := []tableCase{
		{name: "004_flickr30k.csv", options: "csv caption=comment image=image_name", rows: "3 captions, 2 images",
			first: "1000.jpg | 1000.jpg | Two young guys with shaggy hair look at their hands ."},
		{name: "005b_captions.csv", options: "csv", rows: "3 captions, 2 images",
			first: "1000.jpg | 1000.jpg | A child in a pink dress is climbing up a set of stairs ."},
		{name: "015_i2d_list.json", options: "json", rows: "2 captions, 2 images",
			first: "http://a.example/1.jpg | http://a.example/1.jpg | a dog on a beach with a ball"},
		{name: "043_empty.parquet", message: "is parquet and has no rows"},
		{name: "048_enc_plainfooter.parquet", message: "is encrypted Parquet"},
		{name: "062_multicap.tar", options: "webdataset lines=each", rows: "4 captions, 2 images",
			first: "062_multicap.tar/s0.jpg | s0 | a dog runs on the beach with a ball"},
		{name: "077_multi.tar", options: "webdataset", rows: "4 captions, 0 images", first: " | 0 | a dog runs on the beach with a ball"},
		{name: "077_multi.tar", options: "webdataset", set: Options{Columns: map[string][]string{Image: {"2.jpg"}}}, rows: "4 captions, 4 images",
			first: "077_multi.tar/0.2.jpg | 0 | a dog runs on the beach with a ball"},
		{name: "090_allfailed", options: "img2dataset", rows: "4 captions, 4 images, 4 not_selected"},
		{name: "097_files", options: "img2dataset", rows: "4 captions, 4 images",
			first: "00000/000000000.jpg | 000000000 | a dog runs on the beach with a ball"},
		{name: "097_files", options: "img2dataset", set: Options{Format: "folder"}, rows: "4 captions, 4 images",
			first: "00000/000000000.jpg | 00000/000000000.jpg | a dog runs on the beach with a ball"},
		{name: "100_hf_path.parquet", options: "parquet", rows: "4 captions, 4 images"},
		{name: "103_hf_flickr.parquet", options: "parquet", rows: "8 captions, 4 images"},
		{name: "104_hf_flickr8k.parquet", options: "parquet", rows: "12 captions, 4 images"},
		{name: "142_region_descriptions.json", options: "visualgenome", rows: "3 captions, 1 images, 1 duplicate_key, 1 missing_caption"},
		{name: "151_dataset_flickr30k.json", options: "karpathy", rows: "28 captions, 4 images",
			first: "0.jpg | 0 | a dog runs on the beach with a ball"},
		{name: "151_dataset_flickr30k.json", options: "karpathy", set: Options{Where: map[string]string{"split": "in (train, restval)"}},
			rows: "14 captions, 2 images, 14 not_selected"},
		{name: "160_q.jsonl", message: `jsonl: invalid surrogate pair "\\ud83d`},
		{name: "160_q.jsonl", set: Options{Format: "jsonl"}, rows: "4 captions, 2 images, 1 invalid_utf8, 6 malformed, 1 missing_caption, 2 wrong_type"},
		{name: "220_long.jsonl", options: "jsonl", rows: "4 captions, 4 images"},
		{name: "240_float_ids.json", options: "coco", rows: "3 captions, 2 images", first: "a.jpg | 9 | a dog on a beach with a ball"},
		{name: "270_imageid.jsonl", options: "jsonl image=image_id", rows: "30 captions, 15 images", first: "0 | 0 | a dog on a sofa"},
		{name: "271_token.txt", options: "cc12m", rows: "30 captions, 15 images", first: "0.jpg | 0.jpg | a dog on a sofa"},
		{name: "301_sharegpt4v.json", options: "json caption=conversations.1.value", rows: "4 captions, 4 images", first: "sam/images/sa_0.jpg | sam/images/sa_0.jpg | a dog runs on the beach with a ball"},
		{name: "314d_pixelprose.parquet", options: "parquet caption=vlm_caption", rows: "4 captions, 4 images"},
		{name: "303_perimage", options: "json", rows: "4 captions, 4 images", first: "0.jpg | 0.jpg | a dog runs on the beach with a ball"},
		{name: "304_textcaps.json", options: "json caption=caption_str image=image_name", rows: "4 captions, 4 images",
			first: "0054c910 | 0054c910 | a dog runs on the beach with a ball"},
		{name: "307_tokens.jsonl", options: "jsonl", rows: "4 captions, 4 images",
			first: "val_image.zip@/00000000.jpg | val_image.zip@/00000000.jpg | a dog runs on the beach with a ball ."},
		{name: "308_lfs", message: "is not read as parquet: is a Git LFS pointer and not the file itself (fetch it: git lfs pull)"},
		{name: "309_md", options: "folder lines=one", rows: "2 captions, 2 images"},
		{name: "309_md", options: "folder lines=one", set: Options{Format: "folder", Lines: LinesEach}, rows: "9 captions, 2 images"},
		{name: "310_reprlist.csv", options: "csv", rows: "5 captions, 2 images", first: "0.jpg | 0.jpg | a dog runs on the beach with a ball"},
		{name: "311e_cp1252.csv", options: "csv caption=title image=filepath encoding=windows-1252", rows: "4 captions, 4 images",
			first: "images/0.jpg | images/0.jpg | a dog runs on the beach with a ball at a café"},
		{name: "316_spark", options: "parquet", rows: "200 captions, 200 images"},
		{name: "316_spark", options: "parquet", set: Options{Where: map[string]string{"split": "train", "lang": "en"}}, rows: "100 captions, 100 images, 100 not_selected"},
		{name: "317c_dr.tar", options: "webdataset caption=syn.json.syn_text", rows: "8 captions, 4 images", first: "317c_dr.tar/u0.jpg | u0 | a dog runs on the beach with a ball"},
		{name: "317k_dr.parquet", options: "parquet caption=syn.json.syn_text image=url.txt", rows: "8 captions, 4 images"},
		{name: "318_unusual.jsonl", options: "jsonl", rows: "34 captions, 34 images"},
		{name: "321b_jpgtxt", options: "folder", rows: "4 captions, 4 images", first: "0.jpg | 0.jpg | a dog runs on the beach with a ball"},
		{name: "326_jsontxt", options: "folder caption=txt.scene", rows: "2 captions, 2 images",
			first: "0.jpg | 0.jpg | a studio portrait of a young woman with short red hair against a white background"},
		{name: "326_jsontxt", set: Options{Format: "folder"}, rows: "0 captions, 0 images, 2 wrong_type"},
		{name: "317c_dr.tar", set: Options{Format: "webdataset", Columns: map[string][]string{Caption: {"syn.json.syn_text"}, Image: {"url.txt"}}, Keep: []string{"paug.json.param_aug"}},
			rows: "8 captions, 4 images", first: "http://a.example/0.jpg | u0 | a dog runs on the beach with a ball"},
		{name: "317k_dr.parquet", set: Options{Format: "parquet", Columns: map[string][]string{Caption: {"syn.json.syn_text"}, Image: {"url.txt"}, Key: {"json.uid"}}},
			rows: "8 captions, 4 images", first: "http://a.example/0.jpg | http://a.example/0.jpg | a dog runs on the beach with a ball"},
		{name: "151_karp", message: "is a folder without files that could hold captions (5 images)"},
		{name: "402_persons.txt", message: captionsAlone},
		{name: "403_signs.txt", message: captionsAlone},
		{name: "404_colour_verbs.txt", message: captionsAlone},
		{name: "405_portions.txt", message: captionsAlone},
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.ContainsFunc(cases, func(c tableCase) bool { return c.name == e.Name() }) {
			t.Errorf("%s is in no case", e.Name())
		}
	}
	for _, c := range cases {
		t.Run(c.name+" "+c.set.Format, func(t *testing.T) {
			path := filepath.Join(root, c.name)
			found, err := Recognise(t.Context(), store.Local{}, path)
			if c.options == "" && c.message == "" {
				found, err = Found{Options: Options{Paths: []string{path}}}, nil
			}
			if c.message != "" {
				if err == nil || !strings.Contains(err.Error(), c.message) {
					t.Errorf("%v, want %q", err, c.message)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			opts := found.Options
			if got := describeOptions(opts); got != c.options && c.options != "" {
				t.Errorf("recognised as %q, want %q", got, c.options)
			}
			if c.set.Format != "" {
				opts = Options{Format: c.set.Format, Paths: opts.Paths}
			}
			if c.set.Columns != nil {
				opts.Columns = c.set.Columns
			}
			opts.Where, opts.Keep = c.set.Where, c.set.Keep
			if c.set.Lines != "" {
				opts.Lines = c.set.Lines
			}
			rows, first := readAll(t, opts)
			if rows != c.rows {
				t.Errorf("read as %q, want %q", rows, c.rows)
			}
			if c.first != "" && first != c.first {
				t.Errorf("the first row is %q, want %q", first, c.first)
			}
		})
	}
}

// A tableCase is a file with how it is read.
type tableCase struct {
	name    string
	options string // what Recognise finds: the format, and the columns of roles that are named
	set     Options
	rows    string // captions, images and rejects, or an error
	first   string // the first row: image, image key and caption
	message string // of Recognise, if it fails
}

// captionsAlone is in the message about a file of captions without images.
const captionsAlone = "of captions alone, write a first line, caption, and name the file .tsv"

// describeOptions returns a format and the columns of its roles.
func describeOptions(o Options) (s string) {
	s = o.Format
	if o.Encoding != "" {
		defer func() { s += " encoding=" + o.Encoding }()
	}
	if o.Lines != "" {
		defer func() { s += " lines=" + o.Lines }()
	}
	for _, role := range slices.Sorted(maps.Keys(o.Columns)) {
		s += fmt.Sprintf(" %s=%s", role, strings.Join(o.Columns[role], "+"))
	}
	return s
}

// readAll reads all files, and says what is in them, and which row is the first caption. Each file is
// read from each of its positions too.
func readAll(t *testing.T, opts Options) (what, first string) {
	t.Helper()
	files, err := Expand(store.Local{}, opts)
	if err != nil {
		return err.Error(), ""
	}
	captions, images, rejects := 0, map[string]bool{}, map[string]int{}
	for _, f := range files {
		one := opts
		if f.members == nil {
			one.Paths = []string{f.Path}
		}
		rows, _, err := read(t, one, schemas.Position{})
		if err != nil {
			return err.Error(), first
		}
		for _, r := range rows {
			if r.Reject != "" {
				rejects[r.Reject]++
				continue
			}
			captions++
			if r.Image != "" {
				images[r.ImageKey] = true
			}
			if first == "" {
				first = strings.Join([]string{r.Image, r.ImageKey, r.Caption}, " | ")
			}
		}
		checkResume(t, one)
	}
	what = fmt.Sprintf("%d captions, %d images", captions, len(images))
	for _, r := range slices.Sorted(maps.Keys(rejects)) {
		what += fmt.Sprintf(", %d %s", rejects[r], r)
	}
	return what, first
}
