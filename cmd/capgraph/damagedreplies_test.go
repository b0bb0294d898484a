package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDamagedRepliesAreLeftOut flips a bit of a reply: no command gives another reply out, each says that
// one is damaged, and prune removes it.
func TestDamagedRepliesAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	replies, answers := filepath.Join(dir, "replies"), filepath.Join(dir, "answers.jsonl")
	var lines strings.Builder
	for i := range 3 {
		fmt.Fprintf(&lines, `{"custom_id":"%064x","response":{"status_code":200,"body":{"choices":[{"message":{"content":"answer %d"}}]}}}`+"\n", i, i)
	}
	if err := os.WriteFile(answers, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"llm", "import", answers, "--recipe", "../../pipeline.yaml", "--set", "parse.parser=llm", "--set", "parse.model=m", "--set", "parse.cache=" + replies}
	if code, out, errs := command("", args...); code != 0 {
		t.Fatalf("import: exit %d, %s%s", code, out, errs)
	}
	file := filepath.Join(replies, "replies-00000.db")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(data, []byte("answer 1"))
	data[at] ^= 1
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		out  string
		errs string
	}{
		{[]string{"cache", "export", replies}, exitFailed, "answer 2", "1 reply is damaged (the first in " + file + "), and left out: 'capgraph cache prune " + replies + " --unusable'"},
		{[]string{"cache", "stats", replies}, exitFailed, "caption-graph/2  2 ", "1 reply is damaged"},
		{[]string{"cache", "prune", replies, "--unusable"}, 0, "3 replies removed", ""},
		{[]string{"cache", "export", replies}, 0, "", ""},
	} {
		code, out, errs := command("", c.args...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) || strings.Contains(out, "nswer 1") {
			t.Errorf("%q: exit %d, %q, %q", c.args, code, out, errs)
		}
	}
}
