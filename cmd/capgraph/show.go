package main

import (
	"fmt"

	"capgraph/inspect"
	"capgraph/pipeline"
	"capgraph/stages"
	"capgraph/store"
)

type showCmd struct {
	Dir string `arg:"" help:"The output folder."`
	Key string `required:"" help:"The key of the caption."`
}

// Run implements the command.
func (c *showCmd) Run(std streams) error {
	f := pipeline.Folder{Store: store.Local{}, Dir: c.Dir}
	std.warnUnlessWhole(c.Dir, stages.PassParse, stages.PassTexts)
	at, err := inspect.Find(f, stages.Graphs, c.Key)
	if err != nil {
		return err
	}
	g, err := inspect.GraphAt(f, at)
	if err != nil {
		return err
	}
	w := inspect.NewPrinter(std.out)
	fmt.Fprintf(w, "key        %s\nimage_key  %s\nimage      %s\nsource     %s, row %d\ncaption    %s\ntext       %s\nparser     %s, confidence %.3f\n\n",
		g.Key, g.ImageKey, g.Image, g.Source, g.SourceRow, g.Caption, g.Text, g.Parser, g.Confidence)
	inspect.Tree(w, &g.Graph)
	at, err = inspect.Find(f, stages.Texts, c.Key)
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
				_, changed := inspect.Difference(p.Text, n.Text)
				fmt.Fprintf(w, "  − %s  (%s, %s)\n", inspect.Mark(changed, "[", "]"), n.Method, n.Changed)
			}
		}
	}
	return w.Err()
}
