package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/look/inspect"
	"capgraph/negatives"
	"capgraph/schemas"
	"capgraph/stages"
)

// whyCommand explains what happened to a row.
type whyCommand struct {
	Dir string `arg:"" help:"The output folder."`

	All bool `help:"Print every dropped candidate, not three examples of each method and reason."`

	rowFlags    `embed:""`
	repliesFlag `embed:""`
}

// repliesFlag is the flag of commands that generate candidate negatives again from stored replies.
type repliesFlag struct {
	Replies string `default:"replies" placeholder:"DIR" help:"Folder of the model's replies, if a model proposed replacements: parse.cache of the recipe (default ${default}). No model is called."`
}

// Help returns the text below the usage.
func (whyCommand) Help() string {
	return `Prints the caption, its cleaned text, its graph, and for each candidate negative whether it was kept or dropped, and why.
For a rejected row it prints the stage and the reason.
The candidates are generated again, with the settings of the folder. docs/negatives.md explains the reasons.

    capgraph why out/sample 14cf795772c2-000000012

A score is the log-odds with which texts alone show a negative; 0 is even. A judge's score is how plausible it finds the edit:
below the cut, the candidate is dropped.`
}

// Run implements the command.
func (c *whyCommand) Run(ctx context.Context, std streams) error {
	f := folder.Folder{Store: std.files, Dir: c.Dir}
	w := inspect.NewPrinter(std.out)
	std.warnIfIncomplete(c.Dir, folder.PassParse)
	err := c.eachRow(ctx, f, func(n int, at schemas.RowRef) error {
		if n > 0 {
			fmt.Fprint(w, "\n\n")
		}
		return c.printRow(ctx, w, f, at)
	})
	var none *inspect.NoRowError
	if c.Key == "" || !errors.As(err, &none) {
		return err
	}
	r, err := inspect.FindReject(ctx, f, c.Key)
	if r == nil {
		return cmp.Or(err, error(none))
	}
	fmt.Fprintf(w, "caption  %s\n", r.Caption)
	writeReject(w, folder.PassParse, r)
	return w.Err()
}

// printRow explains what happened to a row of graphs/.
func (c *whyCommand) printRow(ctx context.Context, w *inspect.Printer, f folder.Folder, at schemas.RowRef) error {
	g, err := inspect.GraphAt(f, at)
	if err != nil {
		return err
	}
	r, err := inspect.FindShardReject(f, folder.PassTexts, at.Shard, g.Key)
	if err != nil {
		return err
	}
	if r == nil {
		return c.printCandidates(ctx, w, f, at, g)
	}
	writeGraph(w, g)
	fmt.Fprintln(w)
	writeReject(w, folder.PassTexts, r)
	return w.Err()
}

// writeGraph writes the caption and the graph of a row.
func writeGraph(w io.Writer, g *inspect.GraphRow) {
	fmt.Fprintf(w, "caption  %s\ntext     %s\nparser   %s\n\n", g.Caption, g.Text, g.Parser)
	inspect.WriteTree(w, &g.Graph)
}

// writeReject writes why a pass rejected a row.
func writeReject(w io.Writer, pass folder.Pass, r *folder.Reject) {
	fmt.Fprintf(w, "source   %s, row %d\nrejected by %s in pass %s: %s\n", r.Source, r.SourceRow, r.Stage, pass, r.Reason)
	if r.Detail != "" {
		fmt.Fprintf(w, "detail   %s\n", r.Detail)
	}
}

// printCandidates prints whether each candidate negative was kept or dropped.
func (c *whyCommand) printCandidates(ctx context.Context, w *inspect.Printer, f folder.Folder, at schemas.RowRef, g *inspect.GraphRow) error {
	fates, err := stages.Explain(ctx, f, c.Replies, at.Shard, g.Key)
	if err != nil {
		return err
	}
	writeGraph(w, g)
	for i, p := range fates.Pool.Positives {
		fmt.Fprintf(w, "\n+ %s  (%s)\n", p.Text, p.Kind)
		for _, n := range fates.Pool.Negatives {
			if int(n.Of) == i {
				fmt.Fprintf(w, "  kept     %s  (%s, score %.2f%s)\n", n.Text, n.Method, n.Score, judgeScore(fates, n.Text, n.Method))
			}
		}
	}
	if n := len(fates.Unsaid); n > 0 {
		fmt.Fprintf(w, "\n%d %s without a text\n", n, text.Plural(n, "sentence", "sentences"))
		for _, s := range fates.Unsaid {
			fmt.Fprintf(w, "  %-22s  %s\n", cmp.Or(s.Why, "others come first"), s.Text)
		}
	}
	if fates.Unknown > 0 {
		fmt.Fprintf(w, "\n%d %s no reply in %s: its proposals are not shown\n", fates.Unknown,
			text.Plural(fates.Unknown, "request to the model for this image has", "requests to the model for this image have"), c.Replies)
	}
	fmt.Fprintf(w, "\n%d %s dropped\n", len(fates.Dropped), text.Plural(len(fates.Dropped), "candidate", "candidates"))
	slices.SortStableFunc(fates.Dropped, func(a, b negatives.Dropped) int {
		return cmp.Or(cmp.Compare(a.Method, b.Method), cmp.Compare(a.Reason.String(), b.Reason.String()))
	})
	c.printDropped(w, fates)
	return w.Err()
}

// shownDropped is the number of dropped candidates of a method and reason to print without --all.
const shownDropped = 3

// printDropped prints the dropped candidates, which are sorted by method and reason.
func (c *whyCommand) printDropped(w io.Writer, fates *stages.Explanation) {
	all := fates.Dropped
	for len(all) > 0 {
		first := all[0]
		other := func(d negatives.Dropped) bool { return d.Method != first.Method || d.Reason != first.Reason }
		n := slices.IndexFunc(all, other)
		if n < 0 {
			n = len(all)
		}
		shown := n
		if !c.All {
			shown = min(n, shownDropped)
		}
		for _, d := range all[:shown] {
			fmt.Fprintf(w, "  %-17s  %-13s  %s%s\n", d.Method, d.Reason, d.Text, judgeScore(fates, d.Text, d.Method))
		}
		if n > shown {
			fmt.Fprintf(w, "  %-17s  %-13s  … and %d more (--all)\n", first.Method, first.Reason, n-shown)
		}
		all = all[n:]
	}
}

// judgeScore returns the score of the judge of plausibility, or "" if it did not see the candidate.
func judgeScore(fates *stages.Explanation, text, method string) string {
	j, ok := fates.Judged[text]
	if !ok || j.Method != method {
		return ""
	}
	return fmt.Sprintf(", judge %+.2f, cut %+.2f", j.Score, j.Cut)
}
