package folder

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// SampleFile returns the name of the Parquet file with the rows of some images of a shard.
func SampleFile(pass Pass, shard string) string { return passFile("sample", pass, shard+".parquet") }

// SampleShare is the key, in the metadata of a sample file, of the sampled share of images: 64
// means one of 64.
const SampleShare = "capgraph.sample"

// SampleRows reads a sample in batches of whole groups: the rows that an image had in one batch of
// the shard. Two adjacent groups of one image are in two batches.
type SampleRows struct {
	Share uint64
	ShardRows
}

// ReadSample opens the sample of a shard. The error wraps fs.ErrNotExist if the pass wrote none.
func (f Folder) ReadSample(mem memory.Allocator, pass Pass, shard string) (*SampleRows, error) {
	name := SampleFile(pass, shard)
	file, err := f.Store.Open(f.Path(name))
	if err != nil {
		return nil, err
	}
	bad := func(err error) error { return f.unreadableFileError(pass, shard, name, err) }
	fields := schemas.SampleSchema().Fields()
	columns := make([]string, len(fields))
	for i, field := range fields {
		columns[i] = field.Name
	}
	r, err := parquetio.NewReader(file, file.Size(), parquetio.ReaderOptions{Columns: columns, Types: append(fields, schemas.EarlierTokens()), Mem: mem})
	if err != nil {
		file.Close()
		return nil, bad(err)
	}
	share, err := strconv.ParseUint(r.Metadata()[SampleShare], 10, 64)
	if err != nil || share == 0 {
		r.Close()
		file.Close()
		return nil, bad(fmt.Errorf("its %s is %q, want a number", SampleShare, r.Metadata()[SampleShare]))
	}
	return &SampleRows{share, ShardRows{bad: bad, file: file, reader: r, mem: mem, whole: countWholeGroups}}, nil
}

// countWholeGroups returns how many rows come before the last group, or before a group of the same
// image as the one before it; all rows if neither exists.
func countWholeGroups(rec arrow.Record, ended bool) (int64, error) {
	images, err := schemas.Column[*array.String](rec, schemas.ColImageKey)
	if err != nil {
		return 0, err
	}
	groups, err := schemas.Column[*array.Int64](rec, schemas.ColGroup)
	if err != nil {
		return 0, err
	}
	last := 0
	for i := 1; i < groups.Len(); i++ {
		if groups.Value(i) == groups.Value(i-1) {
			continue
		}
		if last = i; images.Value(i) == images.Value(i-1) {
			return int64(i), nil
		}
	}
	if ended {
		last = groups.Len()
	}
	return int64(last), nil
}
