package main

import (
	"context"
	"fmt"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/schemas"
)

type showCommand struct {
	Dir      string `arg:"" help:"The output folder."`
	rowFlags `embed:""`
}

// Run implements the command.
func (c *showCommand) Run(ctx context.Context, std streams) error {
	f := folder.Folder{Store: std.files, Dir: c.Dir}
	std.warnIfIncomplete(c.Dir, folder.PassParse, folder.PassTexts)
	w := inspect.NewPrinter(std.out)
	return c.eachRow(ctx, f, func(n int, at schemas.RowRef) error {
		if n > 0 {
			fmt.Fprint(w, "\n\n")
		}
		return showRow(ctx, w, f, at)
	})
}

// showRow prints a row in full.
func showRow(ctx context.Context, w *inspect.Printer, f folder.Folder, at schemas.RowRef) error {
	g, err := inspect.GraphAt(f, at)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "key        %s\nimage_key  %s\nimage      %s\nsource     %s, row %d\ncaption    %s\ntext       %s\nparser     %s, confidence %.3f\n\n",
		g.Key, g.ImageKey, g.Image, g.Source, g.SourceRow, g.Caption, g.Text, g.Parser, g.Confidence)
	inspect.WriteTree(w, &g.Graph)
	at, err = inspect.Find(ctx, f, folder.PassTexts, inspect.Query{Key: g.Key, Shard: at.Shard})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		fmt.Fprintf(w, "\nno texts: %v\n", err)
		return w.Err()
	}
	t, err := inspect.TextsAt(f, at)
	if err != nil {
		return err
	}
	for i, p := range t.Pool.Positives {
		fmt.Fprintf(w, "\n+ %s  (%s)\n", p.Text, p.Kind)
		for _, n := range t.Pool.Negatives {
			if int(n.Of) == i {
				_, changed := inspect.Diff(p.Text, n.Text)
				fmt.Fprintf(w, "  − %s  (%s, %s)\n", inspect.Mark(changed, "[", "]"), n.Method, n.Changed)
			}
		}
	}
	return w.Err()
}
