package annotated

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

const dog = `{"source": "coco", "text": "two dogs near it", "objects": [{"name": "dogs", "begin": 4, "end": 8, "quantity": {"text": "two", "begin": 0, "end": 3}, "attributes": [], "mentions": [{"begin": 14, "end": 16}]}], "relations": []}`

func read(t *testing.T, r io.Reader) (rows []Row, err error) {
	t.Helper()
	for row, err := range Read(r, "gold.jsonl") {
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func TestReadsBothForms(t *testing.T) {
	const parsed = `{"text":"two dogs near it","tokens":[],"graph":{"objects":[{"name":"dogs","head":"dog","quantity":"two","attributes":[],"begin":4,"end":8}],"relations":[]},"parser":"ruleparse/19","confidence":0.5}`
	rows, err := read(t, strings.NewReader(dog+"\n\n"+parsed))
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, r := range rows {
		if o := r.Objects[0]; r.Text[o.Begin:o.End] != "dogs" || o.Quantity.Text != "two" {
			t.Errorf("row %d: %+v", i, o)
		}
	}
	if len(rows[0].Objects[0].Mentions) != 1 || rows[0].Source != "coco" || rows[1].Confidence != 0.5 {
		t.Errorf("%+v", rows)
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	for line, want := range map[string]string{
		`{"text": "a dog"}`: "objects",
		`{"text": "a dog"`:  "unexpected end",
		`[]`:                "cannot unmarshal array",
		`{"text": "dog", "objects": [{"begin": 0, "end": 4}]}`:                                                                 "object 0 is at 0 to 4 of 3 bytes",
		`{"text": "dog", "objects": [{"begin": -1, "end": 3}]}`:                                                                "object 0 is at -1 to 3",
		`{"text": "dog", "objects": [{"begin": 0, "end": 3, "mentions": [{"begin": 3, "end": 4}]}]}`:                           "object 0 has a mention at 3 to 4",
		`{"text": "dog", "objects": [{"begin": 0, "end": 3}], "relations": [{"subject": 0, "object": 1}]}`:                     "relation 0 names object 1 of 1",
		`{"text": "dog", "objects": [{"begin": 0, "end": 3}], "relations": [{"subject": 0, "object": 0, "words": [3]}]}`:       "a word at 3",
		`{"text": "dog", "objects": [{"begin": 0, "end": 3, "attributes": [{"text": "red", "begin": 2, "end": 2}]}]}`:          "object 0 has an attribute at 2 to 2",
		`{"text": "dog", "objects": [{"begin": 0, "end": 3, "quantity": {"text": "two", "begin": 1, "end": 9}}]}`:              "object 0 has its quantity at 1 to 9",
		`{"text": "dog", "objects": [{"begin": 0, "end": 3, "quantity": 2}], "relations": []}`:                                 "cannot unmarshal number",
		`{"text": "dog", "objects": [{"begin": 0, "end": 3}], "relations": [{"subject": -1, "object": 0, "predicate": "on"}]}`: "object -1 of 1",
	} {
		rows, err := read(t, strings.NewReader(dog+"\n"+line+"\n"+dog))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "gold.jsonl: row 2: ") {
			t.Errorf("%s: %v", line, err)
		}
		if len(rows) != 1 {
			t.Errorf("%s: %d rows before it", line, len(rows))
		}
	}
	broken := errors.New("broken")
	if _, err := read(t, io.MultiReader(strings.NewReader(dog), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("a file that breaks off: %v", err)
	}
}

func TestDevelopmentIsOfTheTextAlone(t *testing.T) {
	// XXH64 of "dog on bench" and of "dog on couch", by another implementation.
	for text, want := range map[string]bool{"A dog on the bench.": false, "A dog on a couch": true, "the DOG, on couch.": true, "": false} {
		if IsDevelopment(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestWrittenRows(t *testing.T) {
	for name, want := range map[string][2]int{"graphs": {6272, 1290}, "long": {114, 14}} {
		f, err := os.Open("../../../shared/data/written/" + name + ".jsonl")
		if err != nil {
			t.Skipf("no ../shared/data: %v", err)
		}
		defer f.Close()
		rows, err := read(t, f)
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		for _, r := range rows {
			if IsDevelopment(r.Text) {
				kept++
			}
		}
		if len(rows) != want[0] || kept != want[1] {
			t.Errorf("%s: %d rows, %d kept for development", name, len(rows), kept)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(dog))
	f.Add([]byte(`{"text":"dog","graph":{"objects":[{"begin":0,"end":3,"quantity":"two"}]}}`))
	f.Add([]byte(`{"text":"dog","objects":[{"name":"cat","begin":-1,"end":-1}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		for row, err := range Read(strings.NewReader(string(b)), "f") {
			if err != nil {
				continue
			}
			for _, o := range row.Objects {
				if o.Begin >= 0 {
					_ = row.Text[o.Begin:o.End]
				}
			}
			for _, r := range row.Relations {
				_, _ = row.Objects[r.Subject], row.Objects[r.Object]
			}
		}
	})
}
