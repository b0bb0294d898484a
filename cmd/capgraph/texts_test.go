package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestTextsCommand(t *testing.T) {
	code, out, errs := command("a brown horse in a field\n\na brown horse in a field\n\xff\xfe dogs\na red café", "texts")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if code != 0 || len(lines) != 5 {
		t.Fatalf("exit %d, %q, %q", code, out, errs)
	}
	var all [5]struct {
		textsLine
		Reject string
	}
	for i, line := range lines {
		if err := json.Unmarshal([]byte(line), &all[i]); err != nil {
			t.Fatal(err)
		}
		if all[i].Row != int64(i) {
			t.Errorf("line %d is of row %d", i, all[i].Row)
		}
	}
	if p, n := all[0].Positives, all[0].Negatives; len(p) < 3 || p[0].Text != "a brown horse in a field" || len(n) < 3 || int(n[0].Of) >= len(p) {
		t.Errorf("%+v", all[0])
	}
	if !strings.Contains(lines[4], `"negatives":[`) {
		t.Errorf("negatives are left out: %s", lines[4])
	}
	if all[1].Reject != "empty" || all[3].Reject != "bad_encoding" || all[4].Text != "a red café" {
		t.Errorf("%v", lines)
	}
	if lines[2] != strings.Replace(lines[0], `"row":0`, `"row":2`, 1) {
		t.Errorf("the same caption again has other texts: %s", lines[2])
	}
	if _, other, _ := command("a brown horse in a field\n", "texts", "--seed", "1"); other == lines[0]+"\n" {
		t.Error("another seed makes the same texts")
	}
	if code, out, _ := command("", "texts"); code != 0 || out != "" {
		t.Errorf("no captions: exit %d, %q", code, out)
	}
	for want, args := range map[string][]string{
		"nosuch":                  {"--vocabulary", "nosuch"},
		"captions in memory have": {"--set", "output.dir=x"},
		"max_negative":            {"--set", "negatives.max_negative=1"},
	} {
		if code, _, errs := command("a dog\n", append([]string{"texts"}, args...)...); code == 0 || !strings.Contains(errs, want) {
			t.Errorf("%v: exit %d, %q", args, code, errs)
		}
	}
}

// The colours of a corpus of two captions are two; with the counts of public captions there are more.
func TestPublicCountsOfATinyRun(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "captions.jsonl")
	captions := `{"caption":"a man in a red shirt"}` + "\n" + `{"caption":"a brown horse"}` + "\n"
	if err := os.WriteFile(source, []byte(captions), 0o600); err != nil {
		t.Fatal(err)
	}
	texts := func(out string, more ...string) string {
		out = filepath.Join(dir, out)
		args := append([]string{"run", "--progress", "none", "--set", "source.format=jsonl", "--set", "source.paths=" + source, "--set", "output.dir=" + out}, more...)
		if code, _, errs := command("", args...); code != 0 {
			t.Fatal(errs)
		}
		files, err := filepath.Glob(filepath.Join(out, "texts", "*.parquet"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		code, rows, errs := command("", "cat", files[0])
		if code != 0 {
			t.Fatal(errs)
		}
		return rows
	}
	own := texts("own", "--set", "negatives.public_counts=0")
	with := texts("with", "--set", "negatives.public_counts=100")
	for _, colour := range []string{"blue shirt", "black shirt", "white shirt"} {
		if strings.Contains(own, colour) {
			t.Errorf("the corpus has no %s", colour)
		}
	}
	if !regexp.MustCompile(`(blue|black|white|green|yellow|pink|grey|orange|purple) shirt`).MatchString(with) {
		t.Errorf("no shirt has a colour of public captions: %s", with)
	}
	if again := texts("again", "--set", "negatives.public_counts=100"); again != with {
		t.Error("the same run makes other texts")
	}
}
