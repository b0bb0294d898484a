package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestImpossibleArgumentsAreRefused gives commands what they can make nothing of.
func TestImpossibleArgumentsAreRefused(t *testing.T) {
	dir := t.TempDir()
	gold := filepath.Join(dir, "gold.csv")
	if err := os.WriteFile(gold, []byte("caption,scene_graph\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ command, want string }{
		{"eval negatives x --max-pairs=-3", "--max-pairs=-3: want 1 or more"},
		{"eval negatives x --max-pairs=0", "--max-pairs=0: want 1 or more"},
		{"eval graphs", "want --gold FILE, --gold FILE GRAPHS, --gold FILE --compare A B, or --compare DIR_A DIR_B"},
		{"eval graphs a b", "want --gold FILE, --gold FILE GRAPHS, --gold FILE --compare A B, or --compare DIR_A DIR_B"},
		{"eval graphs --compare a", "want --gold FILE, --gold FILE GRAPHS, --gold FILE --compare A B, or --compare DIR_A DIR_B"},
		{"eval graphs --compare a b --gold " + gold, "is not annotated graphs"},
		{"eval graphs --compare a b --examples=-1", "--examples=-1: want 0 or more"},
		{"serve x --addr foo", "--addr foo: address foo: missing port in address: want HOST:PORT"},
		{"serve x --addr 127.0.0.1:99999", "--addr 127.0.0.1:99999: address 99999: invalid port: want HOST:PORT"},
		{"sample x -n 0", "-n 0: want 1 or more"},
		{"sample x --limit=-1", "-n -1: want 1 or more"},
		{"sample x --method swap", "--method swap: there are add_attribute, "},
		{"vocab x --limit=-1", "-n -1: want 0 or more"},
		{"rejects x --limit=-1", "-n -1: want 0 or more"},
		{"run --workers=-1", "--workers=-1: want 1 or more, or 0 for all"},
		{"run --workers=1025", "--workers=1025: want at most 1024"},
		{"export x --to jsonl --images i -o o", "--images is not used by --to jsonl"},
		{"export x --to jsonl --neighbours n -o o", "--neighbours is not used by --to jsonl"},
		{"export x --to csv -o o", "--to must be one of \"negclip-tsv\",\"jsonl\",\"webdataset\",\"csclip\","},
		{"export x --to csclip --neighbours n -o o", "--neighbours is not used by --to csclip, only by negclip-tsv"},
		{"export x --to sentence-transformers --images i -o o", "--images is not used by --to sentence-transformers"},
		{"export x --to sentence-transformers --negatives=0 -o o", "--negatives=0: want 1 to 64"},
		{"export x --to webdataset --images " + dir + " --positives=0 -o " + dir + "/o", "--positives=0: want 1 or more"},
	} {
		var out, errs bytes.Buffer
		code := run(context.Background(), strings.Fields(c.command), streams{in: strings.NewReader(""), out: &out, err: &errs})
		if code != exitUsage || !strings.Contains(errs.String(), c.want) || out.Len() > 0 {
			t.Errorf("%s: exit %d, %q, %q, want exit %d and %q", c.command, code, out.String(), errs.String(), exitUsage, c.want)
		}
	}
}

// Flags and arguments may stand in any order, also before the command.
func TestArgumentsInAnyOrder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "nowhere")
	for _, command := range []string{
		"sample " + dir + " -n 2", "sample -n 2 " + dir, "-n 2 sample " + dir, "--limit=2 sample " + dir,
		"verify --shard 0/2 " + dir, "--shard 0/2 verify " + dir,
		"eval negatives " + dir + " --max-pairs 3", "eval --max-pairs 3 negatives " + dir, "--max-pairs 3 eval negatives " + dir,
	} {
		var out, errs bytes.Buffer
		run(t.Context(), strings.Fields(command), streams{in: strings.NewReader(""), out: &out, err: &errs})
		if !strings.Contains(errs.String(), dir) || strings.Contains(errs.String(), "unknown flag") {
			t.Errorf("%s: %q", command, errs.String())
		}
	}
	for command, want := range map[string]string{"--nonsense": "unknown flag --nonsense", "-n 2": "unknown flag -n", "nonsense run": "unexpected argument nonsense"} {
		var errs bytes.Buffer
		if code := run(t.Context(), strings.Fields(command), streams{out: &errs, err: &errs}); code != exitUsage || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit %d, %q", command, code, errs.String())
		}
	}
}

// Commands that are suggested begin as the program was started.
func TestSuggestedCommandsCanBeTyped(t *testing.T) {
	for args0, want := range map[string]string{
		"capgraph": "capgraph", "dist/capgraph": "dist/capgraph", "./capgraph": "./capgraph", "/opt/my tools/capgraph": "'/opt/my tools/capgraph'",
		"/tmp/go-build123/b001/exe/capgraph": "go run ./cmd/capgraph",
	} {
		if got := programName(args0); got != want {
			t.Errorf("%s: %s, want %s", args0, got, want)
		}
	}
}

// TestNamesInAnotherEncodingAreRefused gives every command a name that is not UTF-8, of which a
// folder that is written would make another.
func TestNamesInAnotherEncodingAreRefused(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "o\xff")
	if err := os.Mkdir(name, 0o777); err != nil {
		t.Skip("names are UTF-8 here:", err)
	}
	for _, args := range [][]string{
		{"run", "--set", "source.format=cc12m", "--set", "source.paths=../../testdata/cc12m.tsv", "--set", "output.dir=" + name},
		{"run", name}, {"plan", name}, {"init", name}, {"verify", name}, {"stats", name}, {"cat", name}, {"train", name}, {"cache", "stats", name},
		{"llm", "export", name}, {"export", dir, "--to", "jsonl", "-o", name}, {"report", "--replies", name, dir}, {"synth", name},
	} {
		code, out, errs := command("", args...)
		if code != exitUsage || !strings.Contains(errs, "is not UTF-8") || !strings.Contains(errs, "rename") || out != "" {
			t.Errorf("%q: exit %d, %q, %q", args, code, out, errs)
		}
	}
	if made, err := os.ReadDir(dir); err != nil || len(made) != 1 {
		t.Errorf("%v, %v", made, err)
	}
}

// TestAMissingKeyIsConfiguration runs recipes whose key is in no variable.
func TestAMissingKeyIsConfiguration(t *testing.T) {
	t.Setenv("CAPGRAPH_NO_KEY", "")
	for _, set := range []string{"parse.parser=llm", "negatives.replacements=llm"} {
		args := []string{"run", "../../pipeline.yaml", "--progress", "none", "--set", "source.paths=../../testdata/cc12m.tsv", "--set", "output.dir=" + t.TempDir(),
			"--set", set, "--set", "parse.model=m", "--set", "parse.endpoints=[http://127.0.0.1:9]", "--set", "parse.api_key_env=CAPGRAPH_NO_KEY"}
		var out, errs bytes.Buffer
		if code := run(context.Background(), args, streams{out: &out, err: &errs}); code != exitUsage || !strings.Contains(errs.String(), "parse.api_key_env: the environment variable that it names is not set") {
			t.Errorf("%s: exit %d, %q", set, code, errs.String())
		}
	}
}
