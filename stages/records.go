package stages

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/schemas"
)

// eachRecord gives columns of texts, image_key among them, batch by batch, of a shard of
// graphs/. They are valid until see returns.
func eachRecord(ctx context.Context, f folder.Folder, mem memory.Allocator, shard string, names []string, see func([]*array.String)) error {
	batches, err := f.ReadShard(mem, folder.PassParse, shard, names)
	if err != nil {
		return err
	}
	defer batches.Close()
	for ctx.Err() == nil {
		rec, _, err := batches.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		columns, err := schemas.Strings(rec, names...)
		if err == nil {
			see(columns)
		}
		rec.Release()
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
