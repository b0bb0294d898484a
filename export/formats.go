package export

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"capgraph/store"
)

// Options are the settings of an export.
type Options struct {
	Store store.Store
	// Dir is the output folder of a run. Output is the file or folder to write, which must not exist;
	// "-" is Stdout.
	Dir, Output string
	Stdout      io.Writer
	// Images is the folder of images, tars or Parquet files from which images are copied. Formats that
	// write only paths put it before the path of each image.
	Images string
	// Neighbours is a file of similar images, for negclip-tsv; "" if there is none.
	Neighbours string
	// Positives is the number of positive texts of a webdataset sample. Negatives is the number of negatives of
	// a row for sentence-transformers.
	Positives, Negatives int
	// Context is how many tokens the text encoder reads. Negatives that equal their positives within them
	// are left out. 0 keeps all.
	Context int

	cut *cutNegatives
}

// Summary counts rows: read, written, and left out by reason.
type Summary struct {
	Rows, Written int
	LeftOut       []LeftOut
	Warnings      []string // for the user
}

// LeftOut counts the rows that a format cannot hold, for one reason.
type LeftOut struct {
	Reason string
	Rows   int
}

// leaveOut counts a row that is left out. Reasons are in the order of their first row.
func (s *Summary) leaveOut(reason string) {
	for i := range s.LeftOut {
		if s.LeftOut[i].Reason == reason {
			s.LeftOut[i].Rows++
			return
		}
	}
	s.LeftOut = append(s.LeftOut, LeftOut{reason, 1})
}

// Format is a file format of another trainer.
type Format struct {
	Name string
	// IsFolder reports whether the output is a folder and not a file.
	IsFolder bool
	// Flags are the command-line flags that the format uses: images, neighbours, positives, negatives.
	Flags []string
	Write func(context.Context, Options) (Summary, error)
}

// Export writes the output in this format. It leaves out negatives as Options.Context says.
func (f Format) Export(ctx context.Context, o Options) (s Summary, err error) {
	if o.cut, err = newCutNegatives(o.Context); err != nil {
		return s, err
	}
	s, err = f.Write(ctx, o)
	if warning := o.cut.warning(); warning != "" {
		s.Warnings = append(s.Warnings, warning)
	}
	return s, err
}

// Uses reports whether the format uses the flag.
func (f Format) Uses(flag string) bool { return slices.Contains(f.Flags, flag) }

// The flags that some formats use.
const (
	flagImages     = "images"
	flagNeighbours = "neighbours"
	flagPositives  = "positives"
	flagNegatives  = "negatives"
)

// Formats returns all formats.
func Formats() []Format {
	return []Format{
		{"negclip-tsv", false, []string{flagImages, flagNeighbours}, writeNegCLIP},
		{"jsonl", false, nil, writeJSONLines},
		{"webdataset", true, []string{flagImages, flagPositives}, tarForm{members: webDatasetMembers}.writeTars},
		{"csclip", false, []string{flagImages}, writeCSCLIP},
		{"c2lip", true, []string{flagImages}, tarForm{members: c2lipMembers}.writeTars},
		{"flair", true, []string{flagImages}, tarForm{members: flairMembers}.writeTars},
		{"tripletclip", true, []string{flagImages}, tarForm{name: "shard-%d.tar", image: "image", members: tripletMembers}.writeTars},
		{"negbench", true, []string{flagImages}, writeNegBench},
		{"phrases", false, nil, writePhrases},
		{"triplets", false, nil, writeTriplets},
		{"sentence-transformers", false, []string{flagNegatives}, writeSentences},
	}
}

// writeFile writes Output or Stdout with write. Output appears only when it is complete.
func writeFile(o Options, write func(io.Writer) error) error {
	if o.Output == "-" {
		w := bufio.NewWriterSize(o.Stdout, 64<<10)
		return cmp.Or(write(w), w.Flush())
	}
	t, err := store.CreateNew(o.Store, o.Output)
	if err != nil {
		return err
	}
	defer t.Discard()
	if err := write(t); err != nil {
		return err
	}
	return t.Publish()
}

// checkEmpty returns an error if Output contains anything. It first removes temporary files of
// killed exports.
func checkEmpty(o Options) error {
	if o.Output == "-" {
		return errors.New("it writes a folder, which standard output (-) cannot hold: name one")
	}
	infos, err := o.Store.List(o.Output)
	if err != nil {
		return nil
	}
	if len(infos) > 0 {
		return fmt.Errorf("%s is not empty: name a new folder", o.Output)
	}
	_, err = o.Store.Sweep(o.Output)
	return err
}

// writeJSONLines writes one JSON object per row.
func writeJSONLines(ctx context.Context, o Options) (s Summary, err error) {
	shards, err := ListShards(o.Store, o.Dir)
	if err != nil {
		return s, err
	}
	return s, writeFile(o, func(w io.Writer) error {
		rows := NewJSONLines(w)
		for r, err := range readRows(o, shards) {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			s.Rows++
			s.Written++
			if err := rows.Write(r); err != nil {
				return err
			}
		}
		return rows.Close()
	})
}

// imagePath returns the path of a row's image below folder; "" is the current folder. URLs are
// returned unchanged. It returns false if the path leads out of the folder.
func imagePath(folder, image string) (string, bool) {
	local, isLocal := store.LocalPath(image)
	switch {
	case !isLocal:
		return image, store.Scheme(image) != "file"
	case filepath.IsLocal(local) && folder == "":
		return local, true
	case filepath.IsLocal(local):
		return store.Join(folder, local), true
	}
	rel, err := filepath.Rel(folder, local)
	return local, folder != "" && path.IsAbs(local) && err == nil && filepath.IsLocal(rel)
}

// shardName returns the base name of a shard without its extension.
func shardName(shard string) string {
	return strings.TrimSuffix(path.Base(shard), path.Ext(shard))
}
