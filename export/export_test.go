package export

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/scenegraph"
	"capgraph/schemas"
	"capgraph/schemas/drawing"
	"capgraph/store"
)

// row has a caption, a sub-graph text, and a negative of each where asked for.
func row(key, image, text string, negatives bool) *Row {
	r := &Row{Key: key, ImageKey: image, Image: image + ".jpg", Text: text}
	r.Positives = []schemas.Positive{
		{Text: text, Kind: schemas.KindCaption, ID: scenegraph.TextID(text)}, {Text: "a bus", Kind: schemas.KindObject, ID: scenegraph.TextID("a bus")},
	}
	if negatives {
		r.Negatives = []schemas.HardNegative{
			{Text: "not " + text, Of: 0, Method: "replace_object", Changed: "object", Category: "none"},
			{Text: "a red bus", Of: 1, Method: "replace_attribute", Changed: "attribute", Category: "c_obj"},
		}
	}
	return r
}

// writeTexts makes the folder of a run with the rows of each shard.
func writeTexts(t *testing.T, shards map[string][]*Row) string {
	t.Helper()
	dir := filepath.ToSlash(t.TempDir())
	if err := os.Mkdir(dir+"/texts", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, rows := range shards {
		var b bytes.Buffer
		w, err := NewParquet(&b)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+"/texts/"+name+".parquet", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// writeTars makes a folder of tars in img2dataset's form, with images that are
// their own names.
func writeTars(t *testing.T, tars map[string][]string) string {
	t.Helper()
	dir := filepath.ToSlash(t.TempDir())
	for name, members := range tars {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, m := range members {
			if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: m, Size: int64(len(m)), Mode: 0o600}); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(m)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+"/"+name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// export runs a format and returns its output.
func export(t *testing.T, format string, o Options) (Summary, string, error) {
	t.Helper()
	o.Store = store.Local{}
	if o.Output == "" {
		o.Output = filepath.ToSlash(t.TempDir()) + "/out"
	}
	o.Positives, o.Negatives = cmp.Or(o.Positives, 3), cmp.Or(o.Negatives, 1)
	for _, f := range Formats() {
		if f.Name == format {
			s, err := f.Write(context.Background(), o)
			return s, o.Output, err
		}
	}
	t.Fatalf("no format %s", format)
	return Summary{}, "", nil
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestNegCLIP(t *testing.T) {
	rows := []*Row{
		row("1", "a", `it's "5 o'clock"`, true), row("2", "a", "tab\there", true), row("3", "b", "no negative", false),
		row("4", "c", "猫 café \u00a0", true), row("5", "d", "back\\slash", true), row("6", "", "no image", true), row("7", "e", "NA", true),
	}
	rows[5].Image = ""
	dir := writeTexts(t, map[string][]*Row{"0": rows})
	s, out, err := export(t, "negclip-tsv", Options{Dir: dir, Images: "coco/val2014"})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"\ttitle\tfilepath\tneg_caption\tneg_image",
		"0\t\"it's \"\"5 o'clock\"\"\"\tcoco/val2014/a.jpg\t\"['not it\\'s \"\"5 o\\'clock\"\"']\"\t[]",
		"1\t\"tab\there\"\tcoco/val2014/a.jpg\t['not tab\\there']\t[]",
		"2\t猫 café \u00a0\tcoco/val2014/c.jpg\t['not 猫 café \\xa0']\t[]",
		"3\tback\\slash\tcoco/val2014/d.jpg\t['not back\\\\slash']\t[]",
		"",
	}, "\n")
	if got := read(t, out); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if s.Rows != 7 || s.Written != 4 || len(s.Warnings) != 1 || fmt.Sprint(s.LeftOut) != "[{no negative of the caption 1} {no image path 1} {a caption that pandas reads as a missing value 1}]" {
		t.Errorf("summary %+v", s)
	}
}

// TestNegCLIPOfTars warns once of images that its loader cannot open.
func TestNegCLIPOfTars(t *testing.T) {
	rows := []*Row{row("1", "a", "one", true), row("2", "b", "two", true)}
	rows[0].Image, rows[1].Image = "00000.tar/a.jpg", "00000.tar/b.jpg"
	dir := writeTexts(t, map[string][]*Row{"0": rows})
	s, _, err := export(t, "negclip-tsv", Options{Dir: dir, Images: "cc3m"})
	if err != nil || len(s.Warnings) != 2 || !strings.Contains(s.Warnings[1], "members of tars, such as cc3m/00000.tar/a.jpg") {
		t.Errorf("%v: %q", err, s.Warnings)
	}
}

// d has no neighbour with rows; e's only one is d, so that it falls with it.
func TestNegCLIPNumbersNeighboursByTheirRows(t *testing.T) {
	dir := writeTexts(t, map[string][]*Row{"0": {
		row("1", "a", "one", true), row("2", "a", "two", true), row("3", "b", "three", true), row("4", "b", "no negative", false),
		row("5", "d", "four", true), row("6", "e", "five", true), row("7", "c", "six", true),
	}})
	file := filepath.ToSlash(t.TempDir()) + "/neighbours.tsv"
	if err := os.WriteFile(file, []byte("a\tb\tc\nb\tc\tgone\ta\nc\ta\td\nd\tgone\td\ne\td\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, out, err := export(t, "negclip-tsv", Options{Dir: dir, Neighbours: file})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range strings.Split(strings.TrimSpace(read(t, out)), "\n")[1:] {
		f := strings.Split(line, "\t")
		got = append(got, f[0]+" "+f[1]+" "+f[4])
	}
	// of the images near b, a is third in its line: its row 2 % 2 = 0
	if want := "[0 one [2, 3] 1 two [2, 3] 2 three [3, 0] 3 six [0]]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if s.Written != 4 || s.Rows != 7 || len(s.Warnings) != 0 {
		t.Errorf("summary %+v", s)
	}
	if err := os.WriteFile(file, []byte("a\tb\nalone\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := export(t, "negclip-tsv", Options{Dir: dir, Neighbours: file}); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a line without neighbours: %v", err)
	}
}

func TestWebDataset(t *testing.T) {
	dir := writeTexts(t, map[string][]*Row{
		"00000": {row("000000000", "u0", "one", true), row("000000001", "u1", "two <b>", false)},
		"00007": {row("000070002", "u2", "three", true), row("000070009", "u9", "four", true)},
	})
	images := writeTars(t, map[string][]string{
		"00000.tar": {"000000000.jpg", "000000000.json", "000000001.PNG", "000000001.txt", "rejected.jpg"},
		"00007.tar": {"./000070009.webp", "000070002.jpeg"},
	})
	s, out, err := export(t, "webdataset", Options{Dir: dir, Images: images})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range []string{"00000.tar", "00001.tar"} {
		r := tar.NewReader(strings.NewReader(read(t, out+"/"+name)))
		for h, err := r.Next(); err == nil; h, err = r.Next() {
			if h.Format != tar.FormatUSTAR || h.ModTime.Unix() != 0 {
				t.Errorf("%s: format %v, time %v", h.Name, h.Format, h.ModTime)
			}
			got = append(got, h.Name)
		}
	}
	want := strings.Fields(`000000000.jpg 000000000.json 000000000.txt 000000000.neg.json
		000000001.png 000000001.json 000000001.txt 000000001.neg.json
		000070009.webp 000070009.json 000070009.txt 000070009.neg.json
		000070002.jpeg 000070002.json 000070002.txt 000070002.neg.json`)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("members %v", got)
	}
	if sizes := read(t, out+"/sizes.json"); sizes != "{\n  \"00000.tar\": 2,\n  \"00001.tar\": 2\n}\n" {
		t.Errorf("sizes.json: %s", sizes)
	}
	if s.Written != 4 || s.Rows != 4 {
		t.Errorf("summary %+v", s)
	}
	if json := `{"key":"000000001","image_key":"u1","image":"u1.jpg","pos_0":"two <b>","pos_1":"a bus","pos_2":"two <b>"}`; !strings.Contains(read(t, out+"/00000.tar"), json) {
		t.Errorf("no %s", json)
	}
	_, again, err := export(t, "webdataset", Options{Dir: dir, Images: images})
	if err != nil || read(t, again+"/00001.tar") != read(t, out+"/00001.tar") {
		t.Errorf("a second export differs, %v", err)
	}
	if _, _, err := export(t, "webdataset", Options{Dir: dir, Images: images, Output: out}); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("into a full folder: %v", err)
	}
}

func TestWebDatasetSaysWhatDoesNotFit(t *testing.T) {
	dir := writeTexts(t, map[string][]*Row{"00000": {row("000000000", "u0", "one", true), row("000000001", "u1", "two", true)}})
	for _, c := range []struct {
		name string
		tars map[string][]string
		want string
	}{
		{"nothing", nil, "has no image for any row"},
		{"no tar", map[string][]string{"00001.tar": {"x.jpg"}}, "no 00000.tar"},
		{"other keys", map[string][]string{"00000.tar": {"x.jpg"}}, "not made from these tars"},
	} {
		_, out, err := export(t, "webdataset", Options{Dir: dir, Images: writeTars(t, c.tars)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if entries, _ := os.ReadDir(out); len(entries) > 0 {
			t.Errorf("%s: leaves %v", c.name, entries)
		}
	}
	images := writeTars(t, map[string][]string{"00000.tar": {"000000001.jpg"}})
	s, _, err := export(t, "webdataset", Options{Dir: dir, Images: images})
	if err != nil || fmt.Sprint(s.LeftOut) != "[{no image in the tar 1}]" {
		t.Errorf("an image is missing: %+v, %v", s, err)
	}
}

// A tar that is cut off is no tar without the rest of its images, also where
// the cut is between two members.
func TestATarThatIsCutOffIsNamed(t *testing.T) {
	dir := writeTexts(t, map[string][]*Row{"00000": {row("000000000", "u0", "one", true), row("000000001", "u1", "two", true)}})
	images := writeTars(t, map[string][]string{"00000.tar": {"000000000.jpg", "000000001.jpg"}})
	whole := read(t, images+"/00000.tar")
	for _, format := range []string{"webdataset", "c2lip"} {
		for _, size := range []int{0, 520, 1024, 1536, 2048} { // of two members of 1024 each, and 1024 of the end
			if err := os.WriteFile(images+"/00000.tar", []byte(whole[:size]), 0o644); err != nil {
				t.Fatal(err)
			}
			_, _, err := export(t, format, Options{Dir: dir, Images: images})
			if err == nil || !strings.Contains(err.Error(), "00000.tar is cut off") || !strings.Contains(err.Error(), "again") {
				t.Errorf("%s, cut after %d bytes: %v", format, size, err)
			}
		}
	}
}

// A key that USTAR has no form for goes into a PAX header; the others do not.
func TestWebDatasetKeepsAnyKey(t *testing.T) {
	keys := []string{"plain", "ünï 4", strings.Repeat("long", 80)}
	var rows []*Row
	var members []string
	for _, key := range keys {
		rows, members = append(rows, row(key, key, "one", true)), append(members, key+".jpg")
	}
	dir := writeTexts(t, map[string][]*Row{"00000": rows})
	_, out, err := export(t, "webdataset", Options{Dir: dir, Images: writeTars(t, map[string][]string{"00000.tar": members})})
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(strings.NewReader(read(t, out+"/00000.tar")))
	var got []string
	for h, err := r.Next(); err == nil; h, err = r.Next() {
		if key, ok := strings.CutSuffix(h.Name, ".jpg"); ok {
			got = append(got, key)
		}
		if want := map[bool]tar.Format{true: tar.FormatUSTAR, false: tar.FormatPAX}[strings.HasPrefix(h.Name, "plain")]; h.Format != want {
			t.Errorf("%s: format %v, want %v", h.Name, h.Format, want)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(keys) {
		t.Errorf("members %q", got)
	}
}

func TestJSONLines(t *testing.T) {
	dir := writeTexts(t, map[string][]*Row{"0": {row("1", "a", `a "b"`, false)}, "1": {row("2", "b", "NA", true), row("3", "c", "c", true)}})
	_, out, err := export(t, "jsonl", Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(read(t, out)), "\n")
	var first map[string]any
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil || len(lines) != 3 || fmt.Sprint(first["neg"]) != "[]" || first["text"] != `a "b"` {
		t.Errorf("%v, %v", lines, err)
	}
	if _, _, err := export(t, "jsonl", Options{Dir: dir, Output: out}); !errors.Is(err, store.ErrExists) {
		t.Errorf("onto a file: %v", err)
	}
}

// A path of an image that leads out of the folder of images is left out, with its row.
func TestImagePathsOutside(t *testing.T) {
	for _, c := range []struct{ folder, image, want string }{ // empty: left out
		{"images", "a.jpg", "images/a.jpg"},
		{"images", "train/a.jpg", "images/train/a.jpg"},
		{"images", "train/../a.jpg", "images/a.jpg"},
		{"images", "../secret/s.jpg", ""},
		{"images", "a/../../s.jpg", ""},
		{"images", "/etc/hostname", ""},
		{"images", "/images/a.jpg", ""},
		{"images", "file:///etc/hostname", ""},
		{"images", "file://host/a.jpg", ""},
		{"images", "https://example.org/a.jpg", "https://example.org/a.jpg"},
		{"images", "s3://bucket/a.jpg", "s3://bucket/a.jpg"},
		{"images", "../x://y", ""},
		{"/data", "/data/a.jpg", "/data/a.jpg"},
		{"/data", "/data/../etc/hostname", ""},
		{"/data", "/database/a.jpg", ""},
		{"/data", "file:///data/a.jpg", "/data/a.jpg"},
		{"s3://bucket/images", "a.jpg", "s3://bucket/images/a.jpg"},
		{"s3://bucket/images", "/a.jpg", ""},
		{"", "a.jpg", "a.jpg"},
		{"", "../a.jpg", ""},
		{"", "/etc/hostname", ""},
	} {
		r := row("1", "a", "a dog", true)
		r.Image = c.image
		dir := writeTexts(t, map[string][]*Row{"0": {r, row("2", "b", "a cat", true)}})
		s, out, err := export(t, "negclip-tsv", Options{Dir: dir, Images: c.folder})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(read(t, out)), "\n")
		if c.want == "" {
			if len(lines) != 2 || fmt.Sprint(s.LeftOut) != "[{an image path that leads out of the folder of images 1}]" {
				t.Errorf("%s in %s: %v, %v", c.image, c.folder, lines, s.LeftOut)
			}
		} else if got := strings.Split(lines[1], "\t")[2]; got != c.want || len(lines) != 3 {
			t.Errorf("%s in %s: %s", c.image, c.folder, got)
		}
	}
}

func TestNoTextsYet(t *testing.T) {
	for _, f := range Formats() {
		_, _, err := export(t, f.Name, Options{Dir: t.TempDir(), Images: "x"})
		var notReady *NoTextsError
		if !errors.As(err, &notReady) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

func TestADamagedShardIsNamed(t *testing.T) {
	dir := writeTexts(t, map[string][]*Row{"00000": {row("1", "a", "b", true)}})
	if err := os.WriteFile(dir+"/texts/00001.parquet", []byte("PAR1 and no more"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := export(t, "jsonl", Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "texts/00001.parquet") {
		t.Errorf("%v", err)
	}
	bad := row("9", "a", "b", true)
	bad.Negatives[0].Of = 2
	dir = writeTexts(t, map[string][]*Row{"00000": {row("1", "a", "b", true), bad}})
	if _, _, err := export(t, "jsonl", Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), `row 1 (key "9"): neg_of 2`) {
		t.Errorf("%v", err)
	}
}

func TestAnEpochTakesEachImageOnce(t *testing.T) {
	var rows []*Row
	for i := range 3000 {
		rows = append(rows, row(fmt.Sprint(i), fmt.Sprint("image", i/3), fmt.Sprint("caption ", i), i%2 == 0))
	}
	dir := writeTexts(t, map[string][]*Row{"0": rows[:1500], "1": rows[1500:]})
	epoch := func(d drawing.Draw) string {
		var b bytes.Buffer
		if _, err := WriteEpoch(context.Background(), store.Local{}, dir, d, 77, NewJSONLines(&b)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	lines := strings.Split(strings.TrimSpace(epoch(drawing.NewDraw(1, 0, 2))), "\n")
	seen, captions := map[string]bool{}, map[int]int{}
	for _, line := range lines {
		var r jsonRow
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if seen[r.ImageKey] || len(r.Pos) == 0 {
			t.Fatalf("%s twice or without a text", r.ImageKey)
		}
		seen[r.ImageKey] = true
		var i int
		fmt.Sscan(r.Key, &i)
		captions[i%3]++
		for n, of := range r.NegOf {
			if int(of) >= len(r.Pos) || r.Neg[n] == "" {
				t.Fatalf("%s", line)
			}
		}
	}
	if len(seen) != 1000 {
		t.Errorf("%d images", len(seen))
	}
	for c := range 3 {
		if captions[c] < 250 {
			t.Errorf("caption %d of an image drawn %d times in 1000", c, captions[c])
		}
	}
	first, again, second := epoch(drawing.NewDraw(1, 0, 2)), epoch(drawing.NewDraw(1, 0, 2)), epoch(drawing.NewDraw(1, 1, 2))
	if first != again || first == second {
		t.Error("an epoch is not a function of its number")
	}
}

func FuzzPythonString(f *testing.F) {
	f.Add("it's \"both\" \\ \n\t\x00\x7f \u00a0\u2028\U000e0001 猫")
	f.Fuzz(func(t *testing.T, s string) {
		var b strings.Builder
		writePythonString(&b, s)
		if strings.ContainsAny(b.String(), "\n\r\t\x00") {
			t.Errorf("%q is not one field of one line: %s", s, b.String())
		}
	})
}

func FuzzTarImages(f *testing.F) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	_ = w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "a.jpg", Size: 1})
	_, _ = w.Write([]byte{1})
	_ = w.Close()
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "0.tar")
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		for img, err := range tarImages(store.Local{}, name) {
			if err == nil && len(img.data) > len(data) {
				t.Fatal("an image is larger than its tar")
			}
		}
	})
}
