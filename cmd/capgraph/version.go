package main

import (
	"fmt"
	"io"
	"io/fs"

	"capgraph"
	"capgraph/internal/build"
	"capgraph/internal/licences"
)

type versionCommand struct {
	Licences bool `help:"Print the licences of capgraph, of the data that it carries and of the modules that it links."`
}

func (c *versionCommand) Run(std streams) error {
	if c.Licences {
		return printLicences(std.out)
	}
	_, err := fmt.Fprintf(std.out, "capgraph %s\n", build.This())
	return err
}

func printLicences(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s\n%s\ninternal/lexicon/wordnet.LICENSE\n\n%s\ntrain/tokenizer/bpe_simple_vocab_16e6.LICENSE\n\n%s",
		capgraph.Notice, capgraph.Licence, capgraph.WordNetLicence, capgraph.CLIPLicence); err != nil {
		return err
	}
	return fs.WalkDir(licences.Modules, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(licences.Modules, path)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "\n%s\n\n%s", path, text)
		return err
	})
}
