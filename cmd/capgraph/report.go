package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"capgraph"
	"capgraph/folder"
	"capgraph/images"
	"capgraph/internal/text"
	"capgraph/look/inspect"
	"capgraph/look/report"
	"capgraph/store"
)

type reportCommand struct {
	Dir     string   `arg:"" help:"The output folder."`
	Output  string   `short:"o" help:"The page to write (default: report.html in the output folder)."`
	Compare string   `placeholder:"DIR_B" help:"Another output folder, shown side by side."`
	Images  []string `placeholder:"PATH" help:"The images of the rows: a folder, tars or Parquet."`
	Seed    uint64   `default:"7" help:"Seed of the random choice."`

	repliesFlag `embed:""`
}

// Help returns the text below the usage.
func (reportCommand) Help() string {
	return `Writes one HTML page that needs no server, network or script. It shows where rows went and why, and from a random sample of
rows scene graphs drawn over their captions, positives with their negatives, dropped candidates, and distributions.`
}

// Run implements the command.
func (c *reportCommand) Run(ctx context.Context, std streams) error {
	if c.Output == "" {
		c.Output = store.Join(c.Dir, "report.html")
	}
	command := fmt.Sprintf("capgraph report %s -o %s --seed %d", text.Quote(c.Dir), text.Quote(c.Output), c.Seed)
	f := folder.Folder{Store: std.files, Dir: c.Dir}
	std.warnIfIncomplete(c.Dir, folder.PassParse, folder.PassTexts)
	var other *folder.Folder
	if c.Compare != "" {
		other = &folder.Folder{Store: std.files, Dir: c.Compare}
		std.warnIfIncomplete(c.Compare, folder.PassParse, folder.PassTexts)
		command += " --compare " + text.Quote(c.Compare)
	}
	if err := checkReplaceable(std.files, c.Output); err != nil {
		return err
	}
	// An earlier report is replaced by a complete one or stays.
	if _, err := f.Store.SweepFor(c.Output); err != nil {
		return err
	}
	options := report.FolderOptions{Seed: c.Seed, Replies: c.Replies, Command: command, Version: capgraph.Version}
	if len(c.Images) > 0 {
		set, err := images.Open(std.files, images.Options{Paths: c.Images})
		if err != nil {
			return err
		}
		defer set.Close()
		options.Image = func(ctx context.Context, row *inspect.GraphRow) ([]byte, error) {
			return inspect.ReadImage(ctx, set, "", row)
		}
		for _, path := range c.Images {
			options.Command += " --images " + text.Quote(path)
		}
	}
	out, err := f.Store.Create(c.Output)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err := report.WriteFolder(ctx, out, f, other, options); err != nil {
		return err
	}
	if err := out.Replace(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.out, "%s is written: open it in a browser\n", c.Output)
	return err
}

func (c *reportCommand) stopError() error { return partialOutputError(c.Output) }

// checkReplaceable returns an error if the file exists and is not a report.
func checkReplaceable(files store.Store, name string) error {
	f, err := files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err == nil && !bytes.Contains(head, []byte("<title>capgraph report")) {
		err = fmt.Errorf("%s exists already and is not a report: move it, or name another file with -o", name)
	}
	return err
}
