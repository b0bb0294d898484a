package verify

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/folder"
	"capgraph/internal/build"
	"capgraph/internal/parquetio"
	"capgraph/internal/text"
	"capgraph/schemas"
)

// checkFiles checks that each entry lists the files that its pass writes, and that the builds that
// made them are recorded.
func (c *check) checkFiles() error {
	for _, pass := range folder.PassOrder() {
		_, err := c.folder.ReadBuilds(pass)
		var damaged *build.DamagedError
		if errors.As(err, &damaged) {
			c.addProblem(damaged.Name, "remove it", "it does not hold the build that its name is a hash of")
		} else if err != nil {
			c.addProblem(c.folder.Path(folder.BuildsDir(pass)), "make it readable", "%v", err)
		}
	}
	for _, row := range folder.Passes {
		pass := row.Pass
		for shard, e := range sortedByShard(c.entries[pass]) {
			want := requiredFiles(pass, shard)
			bad := func(what string, args ...any) {
				c.addProblem(c.folder.Path(folder.EntryFile(pass, shard)), c.rebuildHint(pass, shard), what, args...)
			}
			for _, f := range e.Files {
				if at := slices.Index(want, f.Name); at >= 0 {
					want = slices.Delete(want, at, at+1)
				} else if !isOptionalFile(pass, shard, f.Name) {
					bad("it names %s, which is none of its pass' files or is named before", f.Name)
				}
			}
			for _, name := range want {
				bad("it does not name %s", name)
			}
		}
	}
	return nil
}

// isOptionalFile reports whether an entry need not list the file: a sample, which only large
// corpora have, or a file of an earlier version.
func isOptionalFile(pass folder.Pass, shard, name string) bool {
	return pass.HasCounts() && name == folder.SampleFile(pass, shard) || pass.HadOutputFile(name)
}

// requiredFiles returns the names of the files that a pass must write for a shard.
func requiredFiles(pass folder.Pass, shard string) []string {
	if pass.Output() != "" {
		return []string{folder.DataFile(pass, shard), folder.RejectsFile(pass, shard)}
	}
	if pass.HasCounts() {
		return []string{folder.CountsFile(pass, shard)}
	}
	var names []string
	for _, name := range pass.Files() {
		names = append(names, folder.ReducedFile(name))
	}
	return names
}

// checkHashes hashes the files of the shards to check. If the folder is checked as a whole, it also
// hashes the files of passes over the whole folder, and of shards that are not in the index.
func (c *check) checkHashes() error {
	numbers := map[string]int{}
	for i, s := range c.state.Index.Shards {
		numbers[s.Name] = i
	}
	for _, row := range folder.Passes {
		var entries []*folder.Entry
		for shard, e := range sortedByShard(c.entries[row.Pass]) {
			number, indexed := numbers[shard]
			if indexed = indexed && row.Pass.IsByShard(); indexed && c.options.includesShard(number) || !indexed && c.options.includesFolder() {
				entries = append(entries, e)
			}
		}
		err := c.runParallel(len(entries), func(c *check, i int) error {
			for _, file := range entries[i].Files {
				c.compareHash(entries[i], file)
			}
			return c.ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// compareHash reports a file whose size or SHA-256 differs from its entry.
func (c *check) compareHash(e *folder.Entry, want folder.FileHash) {
	bad := func(what string, args ...any) {
		c.addProblem(c.folder.Path(want.Name), c.rebuildHint(e.Pass, e.Shard), what, args...)
	}
	got, err := c.folder.HashFile(want.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		bad("it is not there")
	case err != nil:
		c.reportUnreadable(c.folder.Path(want.Name), c.rebuildHint(e.Pass, e.Shard), err)
	case got.Bytes != want.Bytes:
		bad("it has %d bytes and had %d", got.Bytes, want.Bytes)
	case got != want:
		bad("its SHA-256 is %.12s… and was %.12s…", got.SHA256, want.SHA256)
	}
}

func (c *check) checkLeftovers() error {
	for _, pass := range folder.RowPasses() {
		infos, err := c.folder.Store.List(c.folder.Path(pass.Output()))
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			return err
		}
		for _, info := range infos {
			base := path.Base(info.Name)
			shard := strings.TrimSuffix(base, ".parquet")
			if info.Dir || shard == base || c.entries[pass][shard] == nil && !c.unreachable[pass][shard] {
				c.addProblem(info.Name, "run again to finish its shard, or remove it", "no entry names it, and readers of %s/ would read it", pass.Output())
			}
		}
	}
	return nil
}

func (c *check) checkSchemas() error {
	for _, pass := range folder.ShardPasses() {
		want := schemas.TextsSchema().Fields()
		if pass != folder.PassTexts {
			want = schemas.GraphsSchema(nil).Fields()
		}
		err := c.forEachShard(pass, func(c *check, s folder.Shard, e *folder.Entry) error {
			rejected := int64(0)
			for _, n := range e.Rejects {
				rejected += n
			}
			if file := folder.CountsFile(pass, s.Name); e.HasFile(file) {
				c.compareSchema(pass, s.Name, file, schemas.CountsSchema().Fields(), -1, e.Plan)
			}
			if file := folder.SampleFile(pass, s.Name); e.HasFile(file) {
				c.compareSchema(pass, s.Name, file, schemas.SampleSchema().Fields(), -1, e.Plan)
			}
			if pass.Output() == "" {
				return c.ctx.Err()
			}
			want := want
			if kinds, err := c.folder.HasColumn(pass, s.Name, schemas.ColCapKind); kinds && err == nil {
				want = append(slices.Clip(want), schemas.CaptionKindField())
			}
			if said, err := c.folder.HasColumn(pass, s.Name, schemas.ColSame); said && err == nil {
				want = append(slices.Clip(want), schemas.SameField())
			}
			c.compareSchema(pass, s.Name, folder.DataFile(pass, s.Name), want, e.RowsOut, e.Plan)
			c.compareSchema(pass, s.Name, folder.RejectsFile(pass, s.Name), schemas.RejectsSchema().Fields(), rejected, e.Plan)
			return c.ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// compareSchema checks the columns of a file, its number of rows (−1 for any), and the pass and
// plan in its metadata.
func (c *check) compareSchema(pass folder.Pass, shard, name string, want []arrow.Field, rows int64, plan string) {
	bad := func(what string, args ...any) {
		c.addProblem(c.folder.Path(name), c.rebuildHint(pass, shard), what, args...)
	}
	file, err := c.folder.Store.Open(c.folder.Path(name))
	if err != nil {
		return // the check hashes reports it
	}
	defer file.Close()
	names := make([]string, len(want))
	for i, f := range want {
		names[i] = f.Name
	}
	r, err := parquetio.NewReader(file, file.Size(), parquetio.ReaderOptions{Columns: names, Types: append(want, schemas.EarlierTokens())})
	if err != nil {
		c.reportUnreadable(c.folder.Path(name), c.rebuildHint(pass, shard), err)
		return
	}
	defer r.Close()
	if rows >= 0 && r.NumRows() != rows {
		bad("it has %d %s and its entry says %d", r.NumRows(), text.Plural(r.NumRows(), "row", "rows"), rows)
	}
	for _, want := range [][2]string{{"capgraph.plan", plan}, {"capgraph.pass", string(pass)}} {
		if got := r.Metadata()[want[0]]; got != want[1] {
			bad("its %s is %q and its entry's %q", want[0], got, want[1])
		}
	}
}

// readColumns reads columns of a file and calls each for each batch.
func (c *check) readColumns(name string, columns []string, each func(arrow.Record) error) error {
	file, err := c.folder.Store.Open(c.folder.Path(name))
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := parquetio.NewReader(file, file.Size(), parquetio.ReaderOptions{Columns: columns})
	if err != nil {
		return err
	}
	defer r.Close()
	return c.forEachBatch(r.Next, each)
}
