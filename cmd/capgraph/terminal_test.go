package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// people are the commands that print for people, DIR being a folder of a run
// and KEY a caption of it.
var people = []string{
	"show DIR --key KEY", "why DIR --key KEY", "sample DIR", "vocab DIR", "rejects DIR", "stats DIR", "verify DIR", "eval negatives DIR",
	"eval graphs --compare DIR OTHER", "plan RECIPE --set output.dir=DIR", "run RECIPE --progress none --set output.dir=DIR",
}

// hostile makes a folder of captions that a terminal would obey, and fills the
// names in commands in.
func hostile(t *testing.T) *strings.Replacer {
	t.Helper()
	dir := t.TempDir()
	captions := filepath.Join(dir, "captions.jsonl")
	recipe, out, other := filepath.Join(dir, "pipeline.yaml"), filepath.Join(dir, "out"), filepath.Join(dir, "other")
	for path, content := range map[string]string{
		captions: `{"caption":"a \u001b]0;PWNED\u0007red dog on a mat","url":"1.jpg\u001b[31m","key":"k1"}` + "\n" +
			`{"caption":"a big \u009bcat on a sofa","url":"2.jpg","key":"k2"}` + "\n" +
			`{"caption":"\u001b[2J","url":"3.jpg","key":"k3\u001b[31m"}` + "\n",
		recipe: "source:\n  format: jsonl\n  paths: " + captions + "\n  columns: {image: url, key: key}\noutput:\n  dir: " + out + "\n",
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, set := range []string{"seed=7", "output.dir=" + other} {
		var errs bytes.Buffer
		if code := run(context.Background(), []string{"run", recipe, "--progress", "none", "--set", set}, streams{out: &bytes.Buffer{}, err: &errs}); code != 0 {
			t.Fatalf("exit %d: %s", code, errs.String())
		}
	}
	return strings.NewReplacer("DIR", out, "OTHER", other, "RECIPE", recipe, "KEY", "k1")
}

func TestCaptionsAreEscapedForTheTerminal(t *testing.T) {
	names := hostile(t)
	quoted := 0
	for _, command := range append(people, "parse") {
		var out, errs bytes.Buffer
		in := strings.NewReader("a \x1b]0;PWNED\x07red dog\n")
		if code := run(context.Background(), strings.Fields(names.Replace(command)), streams{in: in, out: &out, err: &errs}); code != 0 {
			t.Errorf("%s: exit %d: %s", command, code, errs.String())
		}
		if strings.ContainsAny(out.String(), "\x1b\x07\u009b") {
			t.Errorf("%s prints what a terminal obeys: %q", command, out.String())
		}
		quoted += strings.Count(out.String(), `\x1b`)
	}
	if quoted < 4 { // show and its image, why, rejects, parse
		t.Errorf("ESC is quoted %d times", quoted)
	}
}

// closed is standard output that takes nothing.
type closed struct{ err error }

func (c closed) Write([]byte) (int, error) { return 0, c.err }

func TestWhatCannotBePrintedIsAFailure(t *testing.T) {
	names := hostile(t)
	for _, command := range people {
		args := strings.Fields(names.Replace(command))
		var errs bytes.Buffer
		if code := run(context.Background(), args, streams{out: closed{syscall.ENOSPC}, err: &errs}); code != exitFailed || strings.Count(errs.String(), "no space left") != 1 {
			t.Errorf("%s: exit %d, %q", command, code, errs.String())
		}
		errs.Reset()
		if code := run(context.Background(), args, streams{out: closed{syscall.EPIPE}, err: &errs}); code != 0 || errs.Len() > 0 {
			t.Errorf("%s into a closed pipe: exit %d, %q", command, code, errs.String())
		}
	}
}
