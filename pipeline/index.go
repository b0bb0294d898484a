package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"capgraph/folder"
	"capgraph/internal/usage"
	"capgraph/sources"
	"capgraph/store"
)

// How a corpus is divided into shards.
const (
	ShardsAuto      = "auto"       // per_source if the format's files are shards already, else blocks
	ShardsPerSource = "per_source" // one shard per file, named after it
	ShardsBlocks    = "blocks"     // blocks of shard_rows rows
)

// Output configures where shards are written and how large they are.
type Output struct {
	Dir       string `yaml:"dir" doc:"the folder that is written to"`
	Shards    string `yaml:"shards" doc:"per_source: one shard a file, with its stem; blocks: blocks of shard_rows rows; auto: per_source for img2dataset and webdataset, else blocks"`
	ShardRows int64  `yaml:"shard_rows" doc:"rows of a block, which ends with an image's last row"`
}

// Corpus is the source of captions of a run.
type Corpus struct {
	Store   store.Store
	Options sources.Options
	Files   []sources.File
	// Names are the names of the files, relative to the common folder of the first run's files.
	Names []string

	mu      sync.Mutex
	indexed *folder.Index // the index for which orderByIndex returned ordered
	ordered *Corpus
}

// OpenCorpus finds the files of a corpus. It leaves out the files and folders own, which the run writes itself.
func OpenCorpus(st store.Store, o sources.Options, own ...string) (*Corpus, error) {
	files, err := sources.Expand(st, o, own...)
	if err != nil && !store.IsEnvironmentError(err) {
		err = &pathError{err}
	}
	if err != nil {
		return nil, err
	}
	return newCorpus(st, o, files, commonFolder(files))
}

// indexCorpus scans all files of the corpus and divides them into shards.
func (ix *indexer) indexCorpus(ctx context.Context, c *Corpus) (*folder.Index, error) {
	files, shards, err := ix.cutIntoShards(ctx, c, 0)
	if err != nil {
		return nil, err
	}
	x := &folder.Index{Format: folder.FormatVersion, Files: files, Shards: shards}
	if err := c.findKeptTypes(ctx, x); err != nil {
		return nil, err
	}
	return x, c.nameShards(&folder.Index{}, files, shards, ix.Output)
}

// cutIntoShards scans the files from number from on and divides them into shards without names.
func (ix *indexer) cutIntoShards(ctx context.Context, c *Corpus, from int) ([]folder.SourceFile, []folder.Shard, error) {
	ix.Progress.startPass(string(folder.PassIndex), 0, nil)
	seen := &sourceFacts{}
	defer func() { ix.warnOfFacts(c, seen) }()
	defer ix.Progress.stopShowing()
	kept, err := ix.openScanCache(c, len(c.Files)-from)
	if err != nil {
		return nil, nil, err
	}
	files := make([]folder.SourceFile, len(c.Files)-from)
	blocks := make([][]folder.Shard, len(files))
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(ix.Workers)
	for i := range files {
		g.Go(func() (err error) {
			files[i], blocks[i], err = kept.scanOnce(within, c, from+i, ix.Output, ix.Progress, seen)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	shards := []folder.Shard{}
	for i := range blocks {
		for _, s := range blocks[i] {
			s.File = from + i
			shards = append(shards, s)
		}
	}
	return files, shards, nil
}

// scanIntoShards scans file i and divides it into shards. If the file cannot be read to its end, the error is recorded,
// and one shard keeps its place until the file is repaired.
func (c *Corpus) scanIntoShards(ctx context.Context, i int, o Output, progress *Progress, seen *sourceFacts) (folder.SourceFile, []folder.Shard, error) {
	file := folder.SourceFile{Name: c.Names[i], Size: c.Files[i].Size}
	rows := o.ShardRows
	if c.keepsSourceShards(o) {
		rows = math.MaxInt64
	}
	var err error
	if file.Ends, err = fingerprintFile(c.Store, c.Files[i]); err != nil && store.IsEnvironmentError(err) {
		return file, nil, err
	}
	blocks, err := c.scanFile(ctx, c.Files[i], rows, &file.Rows, progress, seen)
	if ctx.Err() != nil {
		return file, nil, ctx.Err()
	}
	if store.IsEnvironmentError(err) {
		return file, nil, err
	}
	if err != nil {
		file.Error = err.Error()
		blocks = []folder.Shard{{Rows: file.Rows}}
	}
	return file, blocks, nil
}

// rescanFile scans a file of the index again that could not be read, and reports whether it can be read now.
func (c *Corpus) rescanFile(ctx context.Context, x *folder.Index, at int, o Output, progress *Progress) (bool, error) {
	i := slices.Index(c.Names, x.Files[at].Name)
	if i < 0 {
		return false, nil
	}
	file, blocks, err := c.scanIntoShards(ctx, i, o, progress, &sourceFacts{})
	if err != nil {
		return false, err
	}
	if file.Error == "" && len(blocks) != 1 {
		return false, usage.Errorf("%s, which was broken, is whole now and makes %d shards: index anew with --redo index", c.Files[i].Path, len(blocks))
	}
	for j := range x.Shards {
		if x.Shards[j].File == at {
			x.Shards[j].First, x.Shards[j].Rows = blocks[0].First, blocks[0].Rows
		}
	}
	file.Generation = x.Files[at].Generation
	x.Files[at] = file
	return file.Error == "", nil
}

func (c *Corpus) keepsSourceShards(o Output) bool {
	return o.Shards == ShardsPerSource || o.Shards == ShardsAuto && c.Options.HasShards()
}

// scanFile cuts one file into blocks of at least rows rows. A block ends after an image's last row.
func (c *Corpus) scanFile(ctx context.Context, f sources.File, rows int64, total *int64, progress *Progress, seen *sourceFacts) ([]folder.Shard, error) {
	r, err := sources.Scan(ctx, c.Store, f, c.Options)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var shards []folder.Shard
	block, run := folder.Shard{}, imageRun{}
	facts := sourceFacts{}
	defer func() { seen.addFile(&facts) }()
	for {
		at := r.Position()
		var row sources.Row
		err := r.Next(&row)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if run.addImage(row.ImageKey) && block.Rows >= rows {
			shards = append(shards, block)
			block = folder.Shard{First: at}
		}
		block.Rows++
		*total++
		facts.addRow(&row)
		progress.addRows(1, 0)
	}
	if block.Rows > 0 || len(shards) == 0 && c.keepsEmptySources() {
		shards = append(shards, block)
	}
	return shards, nil
}

// keepsEmptySources reports whether a file without rows gets a shard. It does if each tar has a shard of the same name,
// so that a join finds a shard for each tar.
func (c *Corpus) keepsEmptySources() bool { return c.Options.HasShards() }

// nameShards sets the names of the shards of files, which are numbered after those in the index x. The names of the
// index's own shards stay.
func (c *Corpus) nameShards(x *folder.Index, files []folder.SourceFile, shards []folder.Shard, o Output) error {
	first := len(x.Files) == 0
	if !c.keepsSourceShards(o) {
		train := "train"
		if !first {
			train = fmt.Sprintf("train-g%03d", x.Generations+1)
		}
		for i := range shards {
			shards[i].Name = fmt.Sprintf("%s-%05d-of-%05d", train, i, len(shards))
		}
		return nil
	}
	or := ""
	if first {
		or = ", or set output.shards to " + ShardsBlocks
	}
	of := map[string]string{}
	for _, s := range x.Shards {
		of[s.Name] = x.Files[s.File].Name
	}
	for i := range shards {
		file := files[shards[i].File-len(x.Files)].Name
		stem, _, _ := strings.Cut(path.Base(file), ".")
		if stem == "" || stem[0] == '_' {
			return usage.Errorf("the file %s would be a shard that readers of folders pass over: rename it%s", file, or)
		}
		if !folder.IsShardName(stem) {
			return usage.Errorf("the file %q would be a shard whose name has a backslash or a control character: rename it%s", file, or)
		}
		if other, taken := of[stem]; taken {
			return usage.Errorf("the files %s and %s would both be shard %s: rename one%s", other, file, stem, or)
		}
		of[stem] = file
		shards[i].Name = stem
	}
	return nil
}

// indexSettings returns the settings of the source that the output depends on, and the names of the files of the first
// index. If the recipe lifts the conditions of the format, source.where is "all rows", since {} means these conditions.
func (c *Corpus) indexSettings(o Output, names []string) any {
	var where any = c.Options.Where
	if c.Options.LiftsConditions() {
		where = "all rows"
	}
	var columns map[string]any
	for role, names := range c.Options.Columns {
		if columns == nil {
			columns = map[string]any{}
		}
		if columns[role] = names; len(names) == 1 {
			columns[role] = names[0]
		}
	}
	return struct {
		Format    string         `yaml:"source.format"`
		Columns   map[string]any `yaml:"source.columns"`
		Where     any            `yaml:"source.where"`
		Keep      []string       `yaml:"source.keep"`
		Encoding  string         `yaml:"source.encoding,omitempty"`
		Lines     string         `yaml:"source.lines,omitempty"`
		Shards    string         `yaml:"output.shards"`
		ShardRows int64          `yaml:"output.shard_rows"`
		Files     []string       `yaml:"source.paths"`
	}{c.Options.Format, columns, where, c.Options.Keep, c.Options.Encoding, c.Options.Lines, o.Shards, o.ShardRows, names}
}
