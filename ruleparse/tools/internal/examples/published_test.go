package examples

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"capgraph/internal/annotated"
	"capgraph/scenegraph"
)

// writeData makes a folder with a few captions in each file that graphs are packed of.
func writeData(t *testing.T) *Source {
	t.Helper()
	dir := t.TempDir()
	for _, sub := range []string{"webalt", "cc3m", "coco"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	type text struct {
		Text *string `parquet:"TEXT,optional"`
	}
	marked := "Tea &amp; <b>two</b>  cups\nby Zoë"
	for name, rows := range map[string][]text{"train_5000": {{&marked}, {nil}}, "train_more": nil} {
		if err := parquet.WriteFile(filepath.Join(dir, "webalt", name+".parquet"), rows); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string]string{
		"cc3m/cc3m_val_first8000.tsv": "a red dog\thttp://a.example\na cat\thttp://b.example\n",
		"coco/captions_val2017.json":  `{"annotations":[{"caption":"A boat."}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &Source{Data: dir}
}

const (
	dogRow = `{"source":"cc3m","text":"a red dog","objects":[{"name":"dog","begin":6,"end":9,"attributes":[{"text":"red","begin":2,"end":5,"form":"pre"}]}],"relations":[]}`
	teaRow = `{"source":"web","text":"Tea & two cups by Zoë","objects":[{"name":"cups","begin":10,"end":14,"quantity":{"text":"two","begin":6,"end":9},"attributes":[]},{"name":"Zoë","begin":18,"end":22,"attributes":[]}],"relations":[{"subject":0,"predicate":"by","object":1,"words":[15]}]}`
)

func TestPackedGraphsHaveNoTextAndAreReadBack(t *testing.T) {
	s := writeData(t)
	var file bytes.Buffer
	if err := s.PackGraphs(strings.NewReader(dogRow+"\n"+teaRow), &file); err != nil {
		t.Fatal(err)
	}
	plain := unzip(t, file.Bytes())
	for _, word := range []string{"dog", "cups", "Zoë"} {
		if strings.Contains(plain, word) {
			t.Errorf("the file has %q of a caption", word)
		}
	}
	rows, err := s.readPublished(file.Bytes())
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if r := rows[0]; r.Text != "a red dog" || r.Objects[0].Name != "dog" || r.Objects[0].Attributes[0].Text != "red" || r.Source != "cc3m" {
		t.Errorf("%+v", r)
	}
	if r := rows[1]; r.Text != "Tea & two cups by Zoë" || r.Objects[0].Quantity.Text != "two" || r.Objects[1].Name != "Zoë" || r.Relations[0].Predicate != "by" {
		t.Errorf("%+v", r)
	}
}

func TestPackGraphsNamesTheRowThatIsWrong(t *testing.T) {
	s := writeData(t)
	for in, want := range map[string]string{
		`{"text":"a bird","objects":[]}`:                                                `row 1: "a bird" is in none of webalt/train_5000.parquet`,
		dogRow + "\n" + `{"text":"a cat","objects":[{"name":"dog","begin":2,"end":5}]}`: `row 2: "dog" is not the text at 2`,
		`{"text":"a cat","objects":[{"name":"cat","begin":-1,"end":-1}]}`:               `row 1: "cat" is not the text at -1`,
		`{"text":"a cat","objects":[{"name":"cat","begin":2,"end":9}]}`:                 "row 1: object 0 is at 2 to 9 of 5 bytes",
		`{"text":`: "row 1: unexpected end",
	} {
		if err := s.PackGraphs(strings.NewReader(in), &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

func TestReadPublishedNamesTheRowThatIsWrong(t *testing.T) {
	s := writeData(t)
	hash := hashText("a red dog")
	for in, want := range map[string]string{
		`{"file":"cc3m/cc3m_val_first8000.tsv","row":1,"hash":"` + hash + `"}`:                                        "row 1: cc3m/cc3m_val_first8000.tsv has another caption in row 1",
		`{"file":"cc3m/cc3m_val_first8000.tsv","row":2,"hash":"` + hash + `"}`:                                        "has 2 captions and not the one of row 2",
		`{"file":"cc3m/cc3m_val_first8000.tsv","row":-1}`:                                                             "has 2 captions and not the one of row -1",
		`{"file":"../secret.json","row":0}`:                                                                           `"../secret.json" is none of webalt/train_5000.parquet`,
		`{"file":"cc3m/cc3m_val_first8000.tsv","row":0,"hash":"` + hash + `","objects":[{"begin":6,"end":10}]}`:       "row 1: object 0 is at 6 to 10 of 9 bytes",
		`{"file":"cc3m/cc3m_val_first8000.tsv","row":0,"hash":"` + hash + `","objects":[{"begin":-1,"end":-1}]}`:      "has no offsets",
		`{"file":"cc3m/cc3m_val_first8000.tsv","row":0,"hash":"` + hash + `","relations":[{"subject":0,"object":1}]}`: "relation 0 names object 0 of 0",
		`{"file":`: "row 1: unexpected EOF",
	} {
		if rows, err := s.readPublished(zip(t, in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %s", in, rows, err, want)
		}
	}
	if _, err := s.readPublished([]byte("no gzip")); err == nil {
		t.Error("what is no gzip is read")
	}
	if err := os.Remove(filepath.Join(s.Data, "coco", "captions_val2017.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.readPublished(zip(t, `{"file":"coco/captions_val2017.json"}`)); err == nil || !strings.Contains(err.Error(), "captions_val2017.json") {
		t.Errorf("a file that is not there: %v", err)
	}
}

func FuzzAddCaption(f *testing.F) {
	f.Add([]byte(`{"objects":[{"begin":6,"end":9,"attributes":[{"begin":2,"end":5}]}],"relations":[{"words":[3]}]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var g publishedGraph
		if json.Unmarshal(line, &g) != nil {
			return
		}
		g.Hash = hashText("a red dog")
		if row, err := g.addCaption([]string{"a red dog"}); err == nil && row.Text != "a red dog" {
			t.Errorf("the caption is %q", row.Text)
		}
	})
}

// TestPublishedGraphs reads the graphs of the repository: each belongs to a caption of the data, and
// no caption is one of the other annotated graphs or has two.
func TestPublishedGraphs(t *testing.T) {
	s := &Source{Data: filepath.Join("..", "..", "..", "..", "..", "shared", "data")}
	if _, err := os.Stat(s.Data); err != nil {
		t.Skipf("no folder of data: %v", err)
	}
	rows, err := s.ReadPublished()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	seen := otherTexts(t, s)
	for _, r := range rows {
		if seen[scenegraph.TextID(r.Text)] {
			t.Errorf("annotated twice: %q", r.Text)
		}
		seen[scenegraph.TextID(r.Text)] = true
	}
}

func zip(t *testing.T, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func unzip(t *testing.T, b []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := out.ReadFrom(z); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// otherTexts returns the captions of the graphs in the folder of data.
func otherTexts(t *testing.T, s *Source) map[int64]bool {
	t.Helper()
	seen := map[int64]bool{}
	for _, name := range []string{FirstGraphs, MoreGraphs, "long.jsonl"} {
		path := filepath.Join(s.Data, "written", name)
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for row, err := range annotated.Read(f, path) {
			if err != nil {
				t.Fatal(err)
			}
			seen[scenegraph.TextID(row.Text)] = true
		}
	}
	return seen
}
