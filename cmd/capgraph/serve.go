package main

import (
	"context"
	"fmt"
	"net"

	"capgraph/folder"
	"capgraph/images"
	"capgraph/look/serve"
)

// serveCommand shows a folder in a browser.
type serveCommand struct {
	Dir        string   `arg:"" help:"The output folder."`
	Addr       string   `default:"127.0.0.1:8765" help:"The address to listen on (default ${default})."`
	Compare    string   `placeholder:"DIR_B" help:"Another output folder, to judge against this one."`
	Judgements string   `default:"judgements.jsonl" placeholder:"FILE" help:"The file to append judgements to (default ${default})."`
	Images     []string `placeholder:"PATH" help:"The images of the rows: a folder, tars or Parquet."`
	Seed       uint64   `default:"7" help:"Seed of the order of the captions to judge."`

	repliesFlag `embed:""`
}

// Help returns the text below the usage.
func (serveCommand) Help() string {
	return `Shows the rows of a folder in a browser: a search, and each row in full. With --compare you judge which of two folders has the
better graphs or negatives for a caption, without knowing which is which: press 1, 2 or 0.
The address contains a token, without which nothing is shown.

    capgraph serve out/coco --images coco/val2017
    capgraph serve out/rules --compare out/hybrid`
}

// Validate refuses a malformed address.
func (c *serveCommand) Validate() error {
	_, port, err := net.SplitHostPort(c.Addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return fmt.Errorf("--addr %s: %w: want HOST:PORT, such as 127.0.0.1:8765, or :8765 for all addresses", c.Addr, err)
	}
	return nil
}

// Run implements the command.
func (c *serveCommand) Run(ctx context.Context, std streams) error {
	o := serve.Options{Folder: folder.Folder{Store: std.files, Dir: c.Dir}, Judgements: c.Judgements, Seed: c.Seed, Replies: c.Replies}
	if len(c.Images) > 0 {
		set, err := images.Open(std.files, images.Options{Paths: c.Images})
		if err != nil {
			return err
		}
		defer set.Close()
		o.Images = set
	}
	if c.Compare != "" {
		o.Compare = &folder.Folder{Store: std.files, Dir: c.Compare}
	}
	server, err := serve.New(o)
	if err != nil {
		return err
	}
	listener, err := serve.Listen(ctx, c.Addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "open %s in a browser; Ctrl-C ends\n", server.URL(listener.Addr()))
	return server.Serve(ctx, listener)
}
