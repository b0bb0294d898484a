package main

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestOldFlagsAreAccepted gives each command its old flags: they mean what the new ones do, and no
// help shows them.
func TestOldFlagsAreAccepted(t *testing.T) {
	parser, err := kong.New(&cli{}, exportVars())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range renamedFlags {
		node := parser.Model.Node
		for _, word := range strings.Fields(r.command) {
			i := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word })
			if i < 0 {
				t.Fatalf("%s is no command", r.command)
			}
			node = node.Children[i]
		}
		flags := map[string]bool{}
		for _, f := range node.Flags {
			flags[f.Name] = true
		}
		if !flags[r.new] || flags[r.old] {
			t.Errorf("%s: want the flag --%s, and not --%s", r.command, r.new, r.old)
		}
		words := strings.Fields(r.command)
		for _, form := range [][2][]string{
			{{"--" + r.old, "value"}, {"--" + r.new, "value"}},
			{{"--" + r.old + "=a=b"}, {"--" + r.new + "=a=b"}},
			{{"--", "--" + r.old}, {"--", "--" + r.old}},
			{{"--" + r.old + "x"}, {"--" + r.old + "x"}},
		} {
			args, want := slices.Concat(words, form[0]), slices.Concat(words, form[1])
			if got := replaceOldFlags(args); !slices.Equal(got, want) {
				t.Errorf("%q: %q, want %q", args, got, want)
			}
		}
		var out, errs bytes.Buffer
		if code := run(context.Background(), append(words, "--help"), streams{in: strings.NewReader(""), out: &out, err: &errs}); code != 0 {
			t.Errorf("%s --help: exit %d, %s", r.command, code, errs.String())
		}
		for _, word := range strings.FieldsFunc(out.String(), func(c rune) bool { return c != '-' && (c < 'a' || c > 'z') }) {
			if word == "--"+r.old {
				t.Errorf("the help of %s shows --%s", r.command, r.old)
			}
		}
	}
	for args, want := range map[string]string{ // through the whole program
		"sample x --n 0":              "-n 0: want 1 or more",
		"eval negatives x --pairs=-3": "--max-pairs=-3: want 1 or more",
		"run --log=loud":              "--progress must be one of",
		"eval clip m --on mmlu=x":     `no benchmark is called "mmlu"`,
	} {
		if code, _, errs := command("", strings.Fields(args)...); code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %q, want %q", args, code, errs, want)
		}
	}
	if got := replaceOldFlags([]string{"cat", "--n", "3"}); !slices.Equal(got, []string{"cat", "--n", "3"}) {
		t.Errorf("the flag of another command: %q", got)
	}
}
