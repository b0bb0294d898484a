package inspect

import (
	"cmp"
	"context"
	"io/fs"

	"capgraph/images"
)

// ReadImage reads the image of a row of a shard: in a folder by its path, in tars and Parquet by the
// key of the row or of the image.
func ReadImage(ctx context.Context, set images.Set, shard string, row *GraphRow) (data []byte, err error) {
	for _, name := range []string{row.Image, row.Key, row.ImageKey} {
		if name == "" {
			continue
		}
		if data, err = set.Read(ctx, shard, name, nil); err == nil {
			return data, nil
		}
	}
	return nil, cmp.Or(err, fs.ErrNotExist)
}
