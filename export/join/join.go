package join

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/internal/usage"
	"capgraph/store"
)

// Options are the settings of a join.
type Options struct {
	Store store.Store
	// Texts is a file, a folder or a glob of texts, or the output folder of a run. Samples is the
	// folder of the tars, or a glob. Output is a folder, which must be empty.
	Texts, Samples, Output string
	// By is the kind of value to join by. Column is the column of the texts with this value. If both are
	// empty, the first of ByURL, BySHA256 and ByKey is taken for which the texts have a column with a
	// usual name.
	By     By
	Column string
	// If Tars is set, the output are tars instead of Parquet files. Caption is the column of the texts for their
	// .txt.
	Tars    bool
	Caption string
}

// Summary counts texts and samples.
type Summary struct {
	By     By
	Column string
	Tars   int
	// Samples and Texts count all, Joined the samples that got a text.
	Samples, Texts, Joined int64
	// SamplesWithout counts samples without a text, TextsWithout texts without a sample, and Repeated
	// texts whose value an earlier text had.
	SamplesWithout, TextsWithout, Repeated int64
}

// The names of the output's folders, and of the files in .join. The list of samples is written last.
const (
	listsFolder        = ".join"
	textsFolder        = "texts"
	samplesWithoutText = "samples_without_text.tsv"
	textsWithoutSample = "texts_without_sample.tsv"
)

// Join writes, for each tar, the texts of its samples with their keys, in the order of the tar. It lists
// texts without a sample and samples without a text.
func Join(ctx context.Context, o Options) (s Summary, err error) {
	if err := o.removeUnfinished(); err != nil {
		return s, err
	}
	t, err := openTexts(o.Store, o.Texts)
	if err != nil {
		return s, err
	}
	if err := o.chooseColumn(t.schema); err != nil {
		return s, err
	}
	tars, err := listTars(o.Store, o.Samples)
	if err != nil {
		return s, err
	}
	s = Summary{By: o.By, Column: o.Column, Tars: len(tars)}
	j := &joiner{options: o, texts: t, tars: tars, summary: &s}
	if err := j.joinRows(ctx); err != nil {
		return s, err
	}
	return s, nil
}

// removeUnfinished removes the files that an unfinished join left in Output. Other files there are
// an error.
func (o *Options) removeUnfinished() error {
	if _, err := o.Store.Sweep(o.Output); err != nil {
		return err
	}
	infos, err := o.Store.List(o.Output)
	if err != nil || len(infos) == 0 {
		return nil // there is no folder, or no right to list it
	}
	lists, err := o.Store.Stat(store.Join(o.Output, listsFolder))
	unfinished := err == nil && lists.Dir
	if _, err := o.Store.Stat(store.Join(o.Output, listsFolder, samplesWithoutText)); !errors.Is(err, fs.ErrNotExist) {
		unfinished = false
	}
	var own []string
	for _, i := range infos {
		base := path.Base(i.Name)
		switch {
		case !i.Dir && (strings.HasSuffix(base, ".tar") || strings.HasSuffix(base, ".tar.idx") || base == "sizes.json"):
			own = append(own, i.Name)
		case i.Dir && (base == listsFolder || base == textsFolder || base == ".nv-meta"):
			inside, err := o.Store.List(i.Name)
			if err != nil {
				return err
			}
			for _, file := range inside {
				unfinished = unfinished && !file.Dir
				own = append(own, file.Name)
			}
			if _, err := o.Store.Sweep(i.Name); err != nil {
				return err
			}
		default:
			unfinished = false
		}
	}
	if !unfinished {
		return fmt.Errorf("%s is not empty: name a new folder", o.Output)
	}
	for _, name := range own {
		if err := o.Store.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// chooseColumn sets By and Column if they are empty.
func (o *Options) chooseColumn(schema *arrow.Schema) error {
	ways := []By{ByURL, BySHA256, ByKey}
	switch o.By {
	case "":
	case ByURL, BySHA256, ByURLSHA256, ByKey:
		ways = []By{o.By}
	default:
		return usage.Errorf("--by %s: want url, sha256, url-sha256 or key", o.By)
	}
	if o.Column != "" {
		o.By = cmp.Or(o.By, ByURL)
		if schema.HasField(o.Column) {
			return nil
		}
		return usage.Errorf("--column %s: %s has %s", o.Column, o.Texts, columnNames(schema))
	}
	for _, way := range ways {
		for _, name := range way.usualColumns() {
			if schema.HasField(name) {
				o.By, o.Column = way, name
				return nil
			}
		}
	}
	return usage.Errorf("%s has no column to join by (it has %s): name it with --column, and what it has with --by", o.Texts, columnNames(schema))
}

func columnNames(schema *arrow.Schema) string {
	var names []string
	for _, f := range schema.Fields() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// joiner joins texts with the samples of tars, in four steps:
//
//  1. The values of samples and texts are hashed, and partitioned by their hashes.
//  2. Each part is joined in memory. The matches are partitioned by the row of the text.
//  3. The texts are read again and written to files, one for each group of tars.
//  4. Each group is sorted in memory and written.
type joiner struct {
	options Options
	texts   *texts
	tars    []string
	summary *Summary
}

const (
	hashParts   = 128
	maxRowParts = 128
	minPartRows = 1 << 16
	maxGroups   = 200
	groupBytes  = 16 << 20 // of texts, about

	maxFiles = 2*hashParts + maxRowParts + 2*maxGroups // the most files open at a time

	groupRowBytes = 1 << 20 // of a row group in the file of a group
)

func (j *joiner) joinRows(ctx context.Context) error {
	samples, err := newSpill(hashParts)
	if err != nil {
		return err
	}
	defer samples.Close()
	if err := j.hashSamples(ctx, samples); err != nil {
		return err
	}
	rows, err := newSpill(hashParts)
	if err != nil {
		return err
	}
	defer rows.Close()
	bytes, err := j.hashTexts(ctx, rows)
	if err != nil {
		return err
	}
	partRows := max(minPartRows, j.summary.Texts/maxRowParts+1)
	matches, err := newSpill(int(j.summary.Texts/partRows) + 1)
	if err != nil {
		return err
	}
	defer matches.Close()
	groups := int(min(bytes/groupBytes+1, maxGroups, int64(len(j.tars))))
	g := &grouper{joiner: j, tarsOfGroup: (len(j.tars) + groups - 1) / groups}
	if err := g.openGroups(); err != nil {
		return err
	}
	defer g.Close()
	if err := j.matchParts(ctx, samples, rows, matches, partRows, g); err != nil {
		return err
	}
	samples.Close()
	rows.Close()
	if err := g.scatterTexts(ctx, matches); err != nil {
		return err
	}
	return g.writeGroups(ctx)
}

// maxSamples bounds the samples of a tar and maxTars the number of tars, so that both fit into 32 bits.
const maxSamples = math.MaxInt32
