package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/negatives/methods"
	"capgraph/negatives/whole"
)

type sampleCommand struct {
	Dir     string `arg:"" help:"The output folder."`
	Changed string `enum:",object,attribute,relation,action,order,join,negation" default:"" help:"Only negatives that change this: object, attribute, relation, action, order, join or negation."`
	Method  string `help:"Only negatives made by this method, such as swap_objects."`
	Limit   int    `short:"n" default:"20" help:"Number of pairs."`
	Seed    uint64 `default:"7" help:"Seed of the random choice."`
}

// Validate refuses invalid flags.
func (c *sampleCommand) Validate() error {
	if c.Limit < 1 {
		return fmt.Errorf("-n %d: want 1 or more", c.Limit)
	}
	all := slices.AppendSeq(methods.List(), maps.Keys(whole.Methods()))
	slices.Sort(all)
	if c.Method != "" && !slices.Contains(all, c.Method) {
		return fmt.Errorf("--method %s: there are %s", c.Method, strings.Join(all, ", "))
	}
	return nil
}

// Run implements the command.
func (c *sampleCommand) Run(std streams) error {
	f := folder.Folder{Store: std.files, Dir: c.Dir}
	std.warnIfIncomplete(c.Dir, folder.PassTexts)
	pairs, err := inspect.SamplePairs(f, inspect.Filter{Changed: c.Changed, Method: c.Method}, c.Limit, c.Seed)
	if err != nil {
		return err
	}
	w := inspect.NewPrinter(std.out)
	for _, p := range pairs {
		a, b := inspect.Diff(p.Positive.Text, p.Negative.Text)
		fmt.Fprintf(w, "%s  %s, %s\n  + %s\n  − %s\n", p.Key, p.Negative.Method, p.Negative.Changed,
			inspect.Mark(a, "[", "]"), inspect.Mark(b, "[", "]"))
	}
	if len(pairs) == 0 {
		fmt.Fprintln(w, "no such negative was found")
	}
	return w.Err()
}
