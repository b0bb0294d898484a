package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/testing/storetest"
)

// TestHubCaptions makes texts of captions on the Hub and from the same files in a folder: their texts
// have the same bytes.
func TestHubCaptions(t *testing.T) {
	dir := t.TempDir()
	files := map[string][]byte{}
	for name, text := range map[string]string{
		"a.jsonl": `{"id":"a","caption":"A red dog on a couch"}` + "\n",
		"b.jsonl": `{"id":"b","caption":"A white cat sits under a table"}` + "\n",
	} {
		files["datasets/org/caps/main/data/"+name] = []byte(text)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := storetest.Hub(t, files)
	h.Token = "hf_SECRETSECRET"
	run := func(source, output string) (int, string, string) {
		return command("", "run", "--progress", "none", "--set", "source.format=jsonl", "--set", "source.paths="+source, "--set", "source.columns={key: id}", "--set", "output.dir="+output)
	}
	local, hub := filepath.Join(dir, "local"), filepath.Join(dir, "hub")
	if code, _, errs := run("hf://datasets/org/caps/data/*.jsonl", hub); code != 1 || !strings.Contains(errs, "HF_TOKEN") {
		t.Errorf("without a token: exit %d, %s", code, errs)
	}
	t.Setenv("HF_TOKEN", h.Token)
	if code, out, errs := run("hf://datasets/org/caps/data/*.jsonl", hub); code != 0 || strings.Contains(out+errs, h.Token) {
		t.Fatalf("exit %d, %s%s", code, out, errs)
	}
	if code, _, errs := run(dir+"/*.jsonl", local); code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	for _, shard := range []string{"texts/train-00000-of-00002.parquet", "texts/train-00001-of-00002.parquet"} {
		if !bytes.Equal(read(t, local, shard), read(t, hub, shard)) {
			t.Errorf("%s has other bytes", shard)
		}
	}
	if code, _, errs := run(dir+"/*.jsonl", "hf://datasets/org/caps/out"); code == 0 || !strings.Contains(errs, "only read") {
		t.Errorf("exit %d, %s", code, errs)
	}
	err := filepath.WalkDir(hub, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && bytes.Contains(read(t, path), []byte("SECRETSECRET")) {
			t.Errorf("%s has the token", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if code, out, errs := command("", "init", "hf://datasets/org/caps/data/*.jsonl", "-o", filepath.Join(dir, "r.yaml")); code != 0 {
		t.Errorf("init: exit %d, %s%s", code, out, errs)
	}
}
