package clean

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file anew")

// TestSampleCorpus compares the text of every caption of the sample corpus with
// testdata/corpus.golden: the caption, then its text, or its reason in brackets.
func TestSampleCorpus(t *testing.T) {
	c := cleaner(t, nil)
	var got bytes.Buffer
	for _, caption := range sampleCaptions(t) {
		text, reason := c.Clean(caption)
		switch {
		case reason != "":
			fmt.Fprintf(&got, "%+q\n\t[%s]\n", caption, reason)
		case text != caption:
			fmt.Fprintf(&got, "%+q\n\t%s\n", caption, text)
		default:
			fmt.Fprintf(&got, "%+q\n\t=\n", caption)
		}
	}
	const golden = "testdata/corpus.golden"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := bytes.Split(got.Bytes(), []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range max(len(gotLines), len(wantLines)) {
		if i >= len(gotLines) || i >= len(wantLines) || !bytes.Equal(gotLines[i], wantLines[i]) {
			t.Fatalf("%s differs from line %d on; if that is meant, run go test ./clean -update", golden, i+1)
		}
	}
}

// sampleCaptions returns the captions of both files of the sample corpus.
func sampleCaptions(t *testing.T) (captions []string) {
	t.Helper()
	data, err := os.ReadFile("../testdata/cc12m.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		if _, caption, ok := bytes.Cut(line, []byte("\t")); ok {
			captions = append(captions, string(caption))
		}
	}
	data, err = os.ReadFile("../testdata/coco.json")
	if err != nil {
		t.Fatal(err)
	}
	var coco struct {
		Annotations []struct{ Caption string }
	}
	if err := json.Unmarshal(data, &coco); err != nil {
		t.Fatal(err)
	}
	for _, a := range coco.Annotations {
		captions = append(captions, a.Caption)
	}
	return captions
}
