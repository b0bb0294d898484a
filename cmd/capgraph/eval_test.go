package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	evalnegatives "capgraph/eval/negatives"
)

func TestEvalNegatives(t *testing.T) {
	dir := t.TempDir()
	tsv, captions := filepath.Join(dir, "neg.tsv"), filepath.Join(dir, "captions.txt")
	for path, content := range map[string]string{
		tsv: "\ttitle\tfilepath\tneg_caption\tneg_image\n" +
			"0\tA dog.\tval/1.jpg\t['A cat .']\t[1]\n" +
			"1\tA bus.\tval/2.jpg\t['A car.', 'A bike.']\t[0]\n",
		captions: "the dog\n",
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := run(context.Background(), append([]string{"eval", "negatives"}, args...), streams{strings.NewReader(""), &out, &errs})
		return code, out.String(), errs.String()
	}
	code, out, errs := command(tsv, "--json")
	var report evalnegatives.Report
	if err := json.Unmarshal([]byte(out), &report); code != 0 || err != nil || report.Groups[0].Negatives != 3 {
		t.Errorf("exit %d, %q, %q, %v", code, out, errs, err)
	}
	if code, out, errs = command(tsv, "--captions", captions); code != 0 || !strings.Contains(out, "1 caption of 1 image;") {
		t.Errorf("restricted to one caption: exit %d, %q, %q", code, out, errs)
	}
	if code, _, errs = command(captions); code != exitFailed || !strings.Contains(errs, "no .parquet file") {
		t.Errorf("a file of no format: exit %d, %q", code, errs)
	}
	for content, want := range map[string]string{
		`[{"image": "val/1.jpg", "caption": ["a puppy", "a hound"]}]`:                                                    "judged",
		`[{"image": "val/1.jpg", "caption": "a puppy"}]`:                                                                 "judged",
		"\ufeff" + `[{"image": "val/1.jpg", "caption": ["a puppy"]}]`:                                                    "judged",
		`{"images": [{"filename": "1.jpg", "cocoid": 1, "sentences": [{"raw": "a puppy"}]}]}`:                            "judged",
		`{"images": [{"id": 1, "file_name": "1.jpg"}], "annotations": [{"id": 7, "image_id": 1, "caption": "a puppy"}]}`: "judged",
		`[]`:  "no captions in it",
		`{}`:  "annotations",
		`dog`: "siblings.json",
	} {
		siblings := filepath.Join(dir, "siblings.json")
		if err := os.WriteFile(siblings, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, out, errs = command(tsv, "--siblings", siblings); (code == 0) != (want == "judged") || !strings.Contains(out+errs, want) {
			t.Errorf("%s: exit %d, %q, %q", content, code, out, errs)
		}
	}
	for size, want := range map[int]string{100 << 10: "", 2 << 20: captions + ", line 2: bufio.Scanner: token too long (want a caption a line"} {
		if err := os.WriteFile(captions, []byte("the dog\n"+strings.Repeat("x", size)+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, _, errs = command(tsv, "--captions", captions); (code == 0) != (want == "") || !strings.Contains(errs, want) {
			t.Errorf("a line of %d bytes: exit %d, %q", size, code, errs)
		}
	}
}
