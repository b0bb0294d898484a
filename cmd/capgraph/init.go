package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/internal/usage"
	"capgraph/look/inspect"
	"capgraph/sources"
	"capgraph/store"
)

type initCommand struct {
	Paths  []string `arg:"" name:"path" help:"Captions: files, a folder or a glob."`
	Output string   `short:"o" default:"pipeline.yaml" help:"The recipe to write, which must not exist (default ${default}); - is standard output."`
}

// Help is shown below the flags.
func (initCommand) Help() string {
	return `Looks into captions, finds out in which form they are, and writes a recipe for them with every key and what it does.

  capgraph init dataset_coco.json
  capgraph run`
}

// recipeHead begins a recipe that the command writes.
const recipeHead = `# The recipe of a run: from captions to scene graphs to positive and hard-negative texts. Every key is here, but for those of a
# served model and of how balance learns; but for source and output, each has its default and can be left out.
`

// Run implements the command.
func (c *initCommand) Run(ctx context.Context, std streams) error {
	files := std.files
	if c.Output != "-" {
		if _, err := files.Stat(c.Output); err == nil {
			return usage.Errorf("%s exists already and stays: set source.format and source.paths there, move it, or name another file with -o", c.Output)
		}
	}
	found, err := sources.Recognise(ctx, files, c.Paths...)
	if err != nil {
		var unknown *sources.UnknownError
		if !store.OfMachine(err) && !errors.As(err, &unknown) && ctx.Err() == nil {
			err = &usage.Error{Text: err.Error()}
		}
		return err
	}
	recipe, err := config.Write(recipeHead, found.Options, "out/"+nameOf(c.Paths[0]))
	if err != nil {
		return err
	}
	out, err := create(c.Output, std)
	if err != nil {
		return err
	}
	defer out.discard()
	if _, err := io.WriteString(out, recipe); err != nil {
		return err
	}
	if err := out.publish(); err != nil {
		return err
	}
	return c.tell(std, found)
}

// From so many files on, of fewer bytes than so many in the mean, a person is told what each costs.
const (
	manyFiles = 1000
	smallFile = 20 << 10
)

// tell says what was found, and what comes next.
func (c *initCommand) tell(std streams, found sources.Found) error {
	w := inspect.NewPrinter(std.out)
	if c.Output == "-" {
		w = inspect.NewPrinter(std.err)
	}
	size := int64(0)
	for _, f := range found.Files {
		size += f.Size
	}
	fmt.Fprintf(w, "%s: %s, %s, %s bytes\n", strings.Join(found.Options.Paths, ", "), found.Options.Format, text.Counted(len(found.Files), "file", "files"), text.Thousands(size))
	if column := found.Options.Columns[sources.Caption]; column != "" {
		fmt.Fprintf(w, "captions are in column %s\n", column)
	}
	fmt.Fprintf(w, "a caption: %s\n", inspect.Shorten(found.Caption))
	if n := int64(len(found.Files)); n >= manyFiles && size < n*smallFile {
		fmt.Fprintf(w, "the files have %s in the mean, and each is a shard of its own: %d files of the output, and some 30 KB beside its rows; join them first (docs/inputs.md says how)\n",
			text.Counted(size/n, "byte", "bytes"), folder.FilesOfShard())
	}
	if c.Output != "-" {
		next := "capgraph run"
		if c.Output != usualRecipe {
			next += " " + text.Quote(c.Output)
		}
		fmt.Fprintf(w, "\nwrote %s\nnext: %s\n", c.Output, next)
	}
	return w.Err()
}

// nameOf is what the folder of a corpus is called: the name of its file or folder
// without extensions, or of the folder that a glob is in.
func nameOf(name string) string {
	name = store.Clean(name)
	for store.IsGlob(path.Base(name)) {
		name = store.Dir(name)
	}
	stem, _, _ := strings.Cut(path.Base(name), ".")
	if stem == "" || stem == "/" {
		return "captions"
	}
	return stem
}
