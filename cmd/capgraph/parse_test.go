package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func command(stdin string, args ...string) (int, string, string) {
	var out, errs bytes.Buffer
	code := run(context.Background(), args, streams{in: strings.NewReader(stdin), out: &out, err: &errs})
	return code, out.String(), errs.String()
}

func TestParseCommand(t *testing.T) {
	code, out, errs := command("a man riding a big wave\n\n!!!", "parse", "--format", "factual")
	if want := "( man , ride , wave ) , ( wave , is , big )\n\n\n"; code != 0 || out != want {
		t.Errorf("factual: exit %d, %q, %q; want %q", code, out, errs, want)
	}
	code, out, errs = command("a RED café\r\n\n", "parse", "--format", "json")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if code != 0 || len(lines) != 2 {
		t.Fatalf("json: exit %d, %q, %q", code, out, errs)
	}
	var l parseLine
	if err := json.Unmarshal([]byte(lines[0]), &l); err != nil {
		t.Fatal(err)
	}
	o := l.Graph.Objects[0]
	if l.Text != "a RED café" || len(l.Tokens) != 3 || o.Name != "café" || l.Text[o.Begin:o.End] != "café" || o.Attributes[0].Text != "red" {
		t.Errorf("json: %+v", l)
	}
	code, out, errs = command("a red\xff\xfe dog\n", "parse", "--format", "json")
	if err := json.Unmarshal([]byte(out), &l); err != nil {
		t.Fatal(code, out, errs, err)
	}
	if last := l.Tokens[len(l.Tokens)-1]; l.Text[last.Begin:last.End] != "dog" {
		t.Errorf("json of what is no UTF-8: the offsets of the last token are of %q in %q", l.Text[last.Begin:last.End], l.Text)
	}
	code, out, _ = command("a man riding a big wave\n", "parse")
	if want := "a man riding a big wave\n0 man\n  └─ ride → 1 wave\n1 wave\n  └─ is big\n\n"; code != 0 || out != want {
		t.Errorf("text: exit %d, %q, want %q as show draws it", code, out, want)
	}
	if code, _, _ := command("", "parse", "--format", "xml"); code != exitUsage {
		t.Errorf("unknown format: exit %d", code)
	}
}

// TestTheEncoderIsAsked has a caption of which the linear model alone loses the colour.
func TestTheEncoderIsAsked(t *testing.T) {
	const caption = "a woman in purple vapes near a fountain"
	gold := filepath.Join(t.TempDir(), "gold.jsonl")
	row := `{"text":"a woman in purple vapes near a fountain","objects":[],"relations":[]}`
	if err := os.WriteFile(gold, []byte(row), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		want bool
	}{
		{"parse", true},
		{"parse --parser auto --format json", true},
		{"parse --parser rules", false},
		{"texts", true},
		{"eval graphs --errors --gold " + gold, true},
		{"eval graphs --errors --parser rules --gold " + gold, false},
	} {
		code, out, errs := command(caption+"\n", strings.Fields(c.args)...)
		if got := strings.Contains(strings.ReplaceAll(out, caption, ""), "in purple"); code != 0 || got != c.want {
			t.Errorf("%s: exit %d, \"in purple\" %v, want %v: %q, %q", c.args, code, got, c.want, out, errs)
		}
	}
}

func TestEvalGraphs(t *testing.T) {
	gold := filepath.Join(t.TempDir(), "gold.csv")
	rows := "image_id,region_id,caption,scene_graph\n" +
		"1,1,a man riding a big wave,\"( man , ride , wave ) , ( wave , is , big )\"\n" +
		"1,2,a wall,( fence )\n1,3,broken,( wall\n"
	if err := os.WriteFile(gold, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := command("", "eval", "graphs", "--gold", gold, "--errors")
	for _, want := range []string{"set match", "50.0", "gold: ( fence )", "parser: ( wall )"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit %d, no %q in %q, %q", code, want, out, errs)
		}
	}
	if !strings.Contains(errs, "row 3") {
		t.Errorf("a broken row is not told: %q", errs)
	}
	if code, _, errs := command("", "eval", "graphs"); code == 0 || !strings.Contains(errs, "--gold") {
		t.Errorf("nothing to do: exit %d, %q", code, errs)
	}
}

func TestEvalGraphsWantsTwoRuns(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ args, says string }{
		{dir + " " + dir, "no .parquet file"},
		{dir + " " + dir + "/gone", "no .parquet file"},
		{dir + "/gone " + dir, "no such file"},
		{dir, "--compare DIR_A DIR_B"},
	} {
		args := append([]string{"eval", "graphs", "--compare"}, strings.Fields(c.args)...)
		if code, out, errs := command("", args...); code == 0 || !strings.Contains(errs, c.says) {
			t.Errorf("%s: exit %d, %q, %q", c.args, code, out, errs)
		}
	}
}
