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
		code := run(context.Background(), append([]string{"eval", "negatives"}, args...), streams{in: strings.NewReader(""), out: &out, err: &errs})
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

func TestEvalGraphsOfAnnotatedRows(t *testing.T) {
	gold := filepath.Join(t.TempDir(), "gold.jsonl")
	const rows = `{"source": "coco", "text": "a dog on a couch", "objects": [{"name": "dog", "begin": 2, "end": 5, "attributes": []}, {"name": "couch", "begin": 11, "end": 16}], "relations": [{"subject": 0, "predicate": "on", "object": 1}]}
{"source": "web", "text": "a dog on the bench", "objects": [{"name": "dog", "begin": 2, "end": 5}], "relations": []}
`
	command := func(content string, args ...string) (int, string, string) {
		if err := os.WriteFile(gold, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		code := run(context.Background(), append([]string{"eval", "graphs", "--gold", gold}, args...), streams{in: strings.NewReader(""), out: &out, err: &errs})
		return code, out.String(), errs.String()
	}
	for part, want := range map[string][2]string{"dev": {"coco", "web"}, "train": {"web", "coco"}} {
		code, out, errs := command(rows, "--split", part)
		if code != 0 || !strings.Contains(out, "\n"+want[0]+" ") || strings.Contains(out, "\n"+want[1]+" ") || !strings.Contains(out, "part "+part+" of") {
			t.Errorf("part %s: exit %d, %q, %q", part, code, out, errs)
		}
	}
	if code, out, errs := command(rows, "--errors"); code != 0 || !strings.Contains(out, "objects extra: 1\n  a dog on the bench\n    parser: ( bench ) ( dog , on , bench )") {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	for content, want := range map[string]string{
		rows + `{"text": "a dog"}`:                                   "row 3: no \"objects\"",
		`{"text": "a dog on the bench", "objects": []}`:              "no row of part dev",
		"caption,scene_graph\na wall,( wall )\n":                     "is not annotated graphs",
		`[{"caption": "a wall", "scene_graph": "( wall )"}]`:         "is not annotated graphs",
		`{"text": "a dog on a couch", "objects": [{"name": "dog"}]}`: "object 0 is at 0 to 0",
	} {
		if code, out, errs := command(content, "--split", "dev"); code == 0 || !strings.Contains(errs, want) || !strings.Contains(errs, gold) {
			t.Errorf("%s: exit %d, %q, %q", content, code, out, errs)
		}
	}
	graphs := filepath.Join(t.TempDir(), "graphs.jsonl")
	parsed := func(texts string) {
		var out, errs bytes.Buffer
		if code := run(context.Background(), []string{"parse", "--format", "json"}, streams{in: strings.NewReader(texts), out: &out, err: &errs}); code != 0 {
			t.Fatal(errs.String())
		}
		if err := os.WriteFile(graphs, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	parsed("a dog on the bench\na dog on a couch\n")
	_, own, _ := command(rows)
	if code, out, errs := command(rows, graphs); code != 0 || out != own {
		t.Errorf("graphs of a file: exit %d, %q, %q, want %q", code, out, errs, own)
	}
	if code, out, errs := command(rows, "--compare", graphs, graphs); code != 0 || !strings.Contains(out, "+0.0  0.0 to 0.0") {
		t.Errorf("two files: exit %d, %q, %q", code, out, errs)
	}
	if code, out, errs := command(rows, "--calibration"); code != 0 || !strings.Contains(out, "confidence") || strings.Count(out, "\ncoco ") != 2 {
		t.Errorf("calibration: exit %d, %q, %q", code, out, errs)
	}
	parsed("a dog on a couch\n")
	if code, _, errs := command(rows, graphs); code != exitFailed || !strings.Contains(errs, graphs+": it has no graph of \"a dog on the bench\"") {
		t.Errorf("a caption without a graph: exit %d, %q", code, errs)
	}
	for args, want := range map[string]string{
		"--without nothing":                         "no rule is called",
		"--without move_settings_to_head " + graphs: "--without turns off rules of the rule parser",
		"--compare " + graphs:                       "want --gold FILE",
		graphs + " " + graphs:                       "want --gold FILE",
		"--compare --errors a b":                    "cannot be combined with --errors",
		"--compare missing missing":                 "missing",
		"--compare " + graphs + " none":             "none",
	} {
		if code, out, errs := command(rows, strings.Fields(args)...); code == 0 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %q, %q", args, code, out, errs)
		}
	}
	if code, out, _ := command(`[{"caption": "a wall", "scene_graph": "( wall )"}]`); code != 0 || !strings.Contains(out, "all                 1      100.0") {
		t.Errorf("DiscoSG's form: exit %d, %q", code, out)
	}
	foil := `{"caption": "A sofa stands in a room.", "hall_caption": "A **couch** stands in a room.", "human_corrected_hall_caption": "A **sofa** stands in a room.", "hallucination": "hallucination: a couch", "fixed": "true"}`
	if code, out, errs := command("["+foil+"]", "--errors"); code != 0 || !strings.Contains(out, "SPICE             0.0  100.0") || !strings.Contains(out, "row 1: SPICE 100.0 of the right caption, 100.0 of the foiled one: a couch") {
		t.Errorf("DiscourseFOIL's form: exit %d, %q, %q", code, out, errs)
	}
	for content, want := range map[string]string{
		"[" + strings.Replace(foil, `"true"`, `"false"`, 1) + "]": `no row has "fixed": "true"`,
		"[" + foil + ",": "row 2: ",
	} {
		if code, out, errs := command(content); code == 0 || !strings.Contains(errs, want) || !strings.Contains(errs, gold) {
			t.Errorf("%s: exit %d, %q, %q, want %q", content, code, out, errs, want)
		}
	}
}

func TestEvalJudgedRefuses(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"eval negatives x --split test", "--source and --split need --judged"},
		{"eval negatives x --judged eval_test.go --siblings eval_test.go", "--judged cannot be combined"},
		{"eval negatives x --judged eval_test.go --split some", "--split must be one of"},
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), strings.Fields(c.args), streams{out: &out, err: &errs}); code != exitUsage || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: %d, %q, want %q", c.args, code, errs.String(), c.want)
		}
	}
}
