package inspect

import (
	"cmp"
	"context"
	"io/fs"

	"capgraph/images"
)

// ReadImage returns the image of a row. In a folder its name is the path; in tars and Parquet it is
// the key of the row or of the image.
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
