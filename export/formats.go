package export

import (
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"capgraph/store"
)

// Options say what is exported and where to.
type Options struct {
	Store store.Store
	// Dir is the folder of a run; Output the file or folder to be written,
	// which must not exist yet.
	Dir, Output string
	// Images is where the images are for webdataset and mds: a folder of them, or of
	// tars or Parquet files; for csv and negclip-tsv it is put before the path of each.
	Images string
	// Neighbours names a file of similar images, for negclip-tsv.
	Neighbours string
	// Positives is how many positive texts a webdataset sample has.
	Positives int
}

// Summary says what became of the rows. Warnings are for people.
type Summary struct {
	Rows, Written int
	LeftOut       []LeftOut
	Warnings      []string
}

// LeftOut are rows that a format has no place for.
type LeftOut struct {
	Reason string
	Rows   int
}

// leaveOut counts a row that is left out. The order is that of first occurrence.
func (s *Summary) leaveOut(reason string) {
	for i := range s.LeftOut {
		if s.LeftOut[i].Reason == reason {
			s.LeftOut[i].Rows++
			return
		}
	}
	s.LeftOut = append(s.LeftOut, LeftOut{reason, 1})
}

// Format is a form in which texts/ can be handed on.
type Format struct {
	Name  string
	Write func(context.Context, Options) (Summary, error)
}

// Formats is the table of all formats.
func Formats() []Format {
	return []Format{
		{"negclip-tsv", writeNegCLIP},
		{"csv", writeCSV},
		{"jsonl", writeJSONLines},
		{"webdataset", writeWebDataset},
		{"mds", writeMDS},
	}
}

// writeFile streams into Output, which appears when all of it is written.
func writeFile(o Options, write func(io.Writer) error) error {
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

// checkEmpty fails where Output holds something already. What exports that were
// killed left unfinished there is removed.
func checkEmpty(o Options) error {
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

func writeJSONLines(ctx context.Context, o Options) (s Summary, err error) {
	shards, err := listShards(o.Store, o.Dir)
	if err != nil {
		return s, err
	}
	return s, writeFile(o, func(w io.Writer) error {
		rows := NewJSONLines(w)
		for r, err := range readRows(o.Store, shards) {
			if err := firstError(err, ctx.Err()); err != nil {
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

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// imagePath is where an image of a row lies: a URL of a store or server as it is, a path in the
// folder of images, or below the current folder if none is named. It is false for a path that
// leads out of it.
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

// shardName is the base name of a shard without its extension.
func shardName(shard string) string {
	return strings.TrimSuffix(path.Base(shard), path.Ext(shard))
}
