package export

import (
	"archive/tar"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"capgraph/schemas"
)

// parts returns a row whose positives have the given kinds and whose negatives have the given places.
func parts(key, image, text string, positives [][2]string, negatives ...schemas.HardNegative) *Row {
	r := &Row{Key: key, ImageKey: image, Image: image, Text: text}
	r.Positives = []schemas.Positive{{Text: text, Kind: schemas.KindCaption}}
	for _, p := range positives {
		r.Positives = append(r.Positives, schemas.Positive{Text: p[1], Kind: p[0]})
	}
	r.Negatives = negatives
	return r
}

func negative(of int16, changed, text string) schemas.HardNegative {
	return schemas.HardNegative{Text: text, Of: of, Method: "replace_" + changed, Changed: changed, Category: "none"}
}

// kitchen has two captions of one image, one without negatives, and one of another image.
func kitchen() []*Row {
	object, relation := schemas.KindObject, schemas.KindRelation
	return []*Row{
		parts("1", "a.jpg", "A brown dog sits on a ‘red’ couch.", [][2]string{{object, "a brown dog"}, {object, "a couch"}, {relation, "a brown dog is on a couch"}, {relation, "there is a couch under a brown dog"}},
			negative(0, "attribute", "A black dog sits on a red couch."), negative(1, "object", "a brown horse"), negative(2, "object", "a bench"), negative(1, "object", "a brown puppy"),
			negative(3, "relation", "a brown dog is under a couch"), negative(3, "order", "a couch is on a brown dog"), negative(3, "object", "a brown dog is on a bed")),
		parts("2", "a.jpg", "the bench is not there", [][2]string{{object, "a dog"}}),
		parts("3", "b.jpg", "snow", nil),
	}
}

func TestCSCLIP(t *testing.T) {
	dir := writeTexts(t, map[string][]*Row{"0": kitchen()})
	s, out, err := export(t, "csclip", Options{Dir: dir, Images: "coco"})
	if err != nil {
		t.Fatal(err)
	}
	var rows []csclipRow
	if err := json.Unmarshal([]byte(read(t, out)), &rows); err != nil || len(rows) != 1 {
		t.Fatalf("%v: %d rows", err, len(rows))
	}
	got, err := json.Marshal(rows[0])
	want := `{"sample_id":"a.jpg","image_path":"coco/a.jpg","original_caption":"A brown dog sits on a ‘red’ couch.","entities":["a brown dog","a couch"],` +
		`"negative_entities":{"a brown dog":[{"negative":"a brown horse","change_type":"object"},{"negative":"a brown puppy","change_type":"object"}],"a couch":[{"negative":"a bench","change_type":"object"}]},` +
		`"relations":[{"subject":"a brown dog","relation_type":"is on","object":"a couch","negatives":[{"relation_type":"is under","change_type":"antonym"},{"subject":"a couch","object":"a brown dog","change_type":"subject_object_swap"}]},` +
		`{"subject":"a couch","relation_type":"under","object":"a brown dog","negatives":[]}]}`
	if string(got) != want || err != nil {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if s.Rows != 3 || s.Written != 1 || fmt.Sprint(s.LeftOut) != "[{no negative of an object or a relation 2}]" {
		t.Errorf("%+v", s)
	}
	_, out, err = export(t, "csclip", Options{Dir: writeTexts(t, map[string][]*Row{"0": kitchen()[2:]})})
	if err := errors.Join(err, json.Unmarshal([]byte(read(t, out)), &rows)); err != nil || len(rows) != 0 {
		t.Errorf("without rows: %v, %s", err, read(t, out))
	}
}

func TestNegBench(t *testing.T) {
	dir := writeTexts(t, map[string][]*Row{"0": kitchen()})
	s, out, err := export(t, "negbench", Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	captions, questions := readCSV(t, out+"/captions.csv"), readCSV(t, out+"/mcq.csv")
	if len(captions) != 3 || len(questions) != 2 || s.Written != 2 {
		t.Fatalf("%v, %v, %+v", captions, questions, s)
	}
	for i, c := range captions[1:] {
		// The bench is mentioned by the other caption, and a puppy is a dog.
		if c[3] != "['a brown dog', 'a couch']" || c[4] != "['a brown horse']" || c[0] != "a.jpg" {
			t.Errorf("%q", c)
		}
		if !strings.Contains(c[1], strings.TrimSuffix(kitchen()[i].Text, ".")) || !strings.Contains(c[1], "brown horse") || strings.Contains(c[2], "horse") {
			t.Errorf("%q", c)
		}
	}
	q := questions[1]
	if q[0] != "0" || q[6] != "a.jpg" || !slices.Contains([]string{"positive", "negative", "hybrid"}, q[5]) || strings.Contains(q[1], "of a brown horse") {
		t.Errorf("%q", q)
	}
	for _, wrong := range q[2:5] {
		if wrong == q[1] || !strings.Contains(wrong, "of a brown horse") && !strings.HasPrefix(wrong, "a photo without a") || strings.Contains(wrong, "without a brown horse") {
			t.Errorf("%q is a wrong answer of %q", wrong, q)
		}
	}
	_, again, err := export(t, "negbench", Options{Dir: dir})
	if err != nil || read(t, again+"/captions.csv") != read(t, out+"/captions.csv") || read(t, again+"/mcq.csv") != read(t, out+"/mcq.csv") {
		t.Errorf("other bytes, %v", err)
	}
}

func readCSV(t *testing.T, name string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(read(t, name))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestSentenceTransformers(t *testing.T) {
	dir := writeTexts(t, map[string][]*Row{"0": kitchen()})
	for negatives, want := range map[int]string{
		1: "a brown dog|a brown horse a couch|a bench a brown dog is on a couch|a brown dog is under a couch ",
		3: "a brown dog is on a couch|a brown dog is under a couch|a couch is on a brown dog|a brown dog is on a bed ",
		9: "",
	} {
		s, out, err := export(t, "sentence-transformers", Options{Dir: dir, Negatives: negatives})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, r := range readParquet(t, out) {
			if r["anchor"] != "A brown dog sits on a ‘red’ couch." || len(r) != negatives+2 {
				t.Errorf("%v", r)
			}
			got += r["positive"]
			for i := range negatives {
				got += "|" + r[fmt.Sprintf("negative_%d", i+1)]
			}
			got += " "
		}
		if got != want || s.Rows != 3 || s.Rows != s.Written+s.LeftOut[0].Rows {
			t.Errorf("%d negatives: %q, %+v", negatives, got, s)
		}
	}
}

// readParquet returns the rows of a file of strings, by column.
func readParquet(t *testing.T, name string) (rows []map[string]string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := parquet.NewReader(f)
	defer r.Close()
	for {
		row := map[string]any{}
		if err := r.Read(&row); errors.Is(err, io.EOF) {
			return rows
		} else if err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{}
		for column, v := range row {
			texts[column] = fmt.Sprint(v)
		}
		rows = append(rows, texts)
	}
}

// TestTarsOfTexts writes tars without images: those of each shard have its name, and .tar.idx has where
// each sample begins.
func TestTarsOfTexts(t *testing.T) {
	rows := kitchen()
	rows[2].Key = "has.dot"
	dir := writeTexts(t, map[string][]*Row{"00007": rows, "00009": kitchen()[1:]})
	for format, want := range map[string][]string{
		"webdataset":  {"1.json", "1.txt", "1.neg.json", "2.json", "2.txt", "2.neg.json"},
		"c2lip":       {"1.json", "1.txt", "2.json", "2.txt"},
		"flair":       {"1.json", "1.txt", "2.json", "2.txt"},
		"tripletclip": {"1.caption", "1.neg_caption"},
	} {
		s, out, err := export(t, format, Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		names, data := listTar(t, out+"/00007.tar")
		if !slices.Equal(names, want) {
			t.Errorf("%s: %v", format, names)
		}
		if !slices.ContainsFunc(s.LeftOut, func(l LeftOut) bool { return l.Reason == badTarKey && l.Rows == 1 }) || len(s.Warnings) != 1 {
			t.Errorf("%s: %+v", format, s)
		}
		index, samples := read(t, out+"/00007.tar.idx"), 0
		for i := 0; i+16 <= len(index); i += 8 {
			at := binary.LittleEndian.Uint64([]byte(index[i:]))
			if h, err := tar.NewReader(strings.NewReader(read(t, out+"/00007.tar")[at:])).Next(); err != nil || !strings.HasPrefix(h.Name, fmt.Sprint(samples+1, ".")) {
				t.Errorf("%s: sample %d begins with %v, %v", format, i/8, h, err)
			}
			samples++
		}
		var info struct {
			Counts map[string]int `json:"shard_counts"`
		}
		if err := json.Unmarshal([]byte(read(t, out+"/.nv-meta/.info.json")), &info); err != nil || info.Counts["00007.tar"] != samples || len(info.Counts) != 2 {
			t.Errorf("%s: %v, %v", format, info, err)
		}
		switch format {
		case "c2lip":
			wantJSON(t, data["1.json"], `{"shortLLA_captions":"A brown dog sits on a ‘red’ couch.","nounphrases":["a brown dog","a couch"]}`)
			wantJSON(t, data["2.json"], `{"shortLLA_captions":"the bench is not there","nounphrases":["a dog"]}`)
		case "flair":
			wantJSON(t, data["2.json"], `{"raw_caption":["the bench is not there"],"shortIB_captions":[],"longIB_captions":[],"shortSV_captions":["a dog"],"longSV_captions":[],"shortLLA_captions":[],"longLLA_captions":[]}`)
		case "tripletclip":
			wantJSON(t, data["1.neg_caption"], "A black dog sits on a red couch.")
		}
	}
}

func wantJSON(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTripletCLIPWithImages names tars and images as its loader does.
func TestTripletCLIPWithImages(t *testing.T) {
	images := t.TempDir()
	if err := os.WriteFile(filepath.Join(images, "a.jpg"), []byte("\xff\xd8\xff\xe0 an image"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := writeTexts(t, map[string][]*Row{"0": kitchen()})
	s, out, err := export(t, "tripletclip", Options{Dir: dir, Images: filepath.ToSlash(images)})
	if err != nil {
		t.Fatal(err)
	}
	if names, _ := listTar(t, out+"/shard-0.tar"); !slices.Equal(names, []string{"1.image", "1.caption", "1.neg_caption"}) {
		t.Errorf("%v", names)
	}
	if s.Rows != 3 || s.Written != 1 || fmt.Sprint(s.LeftOut) != "[{no negative of the caption 1} {no such image 1}]" {
		t.Errorf("%+v", s)
	}
}

// listTar returns the names of members in order, and their content.
func listTar(t *testing.T, name string) (names []string, content map[string]string) {
	t.Helper()
	content = map[string]string{}
	for r := tar.NewReader(strings.NewReader(read(t, name))); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return names, content
		}
		data, readErr := io.ReadAll(r)
		if err := errors.Join(err, readErr); err != nil {
			t.Fatal(err)
		}
		names, content[h.Name] = append(names, h.Name), string(data)
	}
}
