package loader

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"golang.org/x/sync/errgroup"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
	"capgraph/store"
)

// maxCaptions is the most rows of one image, maxTexts the most bytes of their texts. They are in
// memory together. More rows of one key mean that the key does not name an image.
const (
	maxCaptions = 1 << 16
	maxTexts    = 256 << 20
)

// shard is a file of texts.
type shard struct {
	corpus int
	path   string
	graphs string // the path of its graphs
	name   string // without its folder and ".parquet"
	images int    // the number of runs of rows with the same image key
	size   int64
	tail   [sha256.Size]byte // the SHA-256 of its last tailBytes bytes
}

// tailBytes is how many bytes of a shard's end Loader.Fingerprint depends on.
const tailBytes = 64 << 10

// findShards lists the shards of a corpus in the order of their names.
func findShards(s store.Store, corpus int, dir string) ([]shard, error) {
	folder := store.Join(dir, "texts")
	infos, err := s.List(folder)
	if errors.Is(err, fs.ErrNotExist) {
		folder = dir
		infos, err = s.List(folder)
	}
	if err != nil {
		return nil, err
	}
	var shards []shard
	for _, f := range infos {
		base := path.Base(f.Name)
		name, isParquet := strings.CutSuffix(base, ".parquet")
		if !f.Dir && isParquet && !strings.HasPrefix(base, ".") && !strings.HasPrefix(base, "_") {
			shards = append(shards, shard{
				corpus: corpus, path: store.Join(folder, base), graphs: store.Join(store.Dir(folder), "graphs", base), name: name,
			})
		}
	}
	if len(shards) == 0 {
		return nil, fmt.Errorf("%s has no texts/*.parquet: name the output.dir of a run that is finished", dir)
	}
	return shards, nil
}

// countImages counts the images of all shards. It reads only their image keys.
func countImages(ctx context.Context, s store.Store, shards []shard) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range shards {
		group.Go(func() (err error) {
			return shards[i].count(ctx, s)
		})
	}
	return group.Wait()
}

// count counts the images of the shard, and hashes its end.
func (h *shard) count(ctx context.Context, s store.Store) error {
	f, err := s.Open(h.path)
	if err != nil {
		return err
	}
	defer f.Close()
	h.size = f.Size()
	end := make([]byte, min(h.size, tailBytes))
	if _, err := f.ReadAt(end, h.size-int64(len(end))); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", h.path, err)
	}
	h.tail = sha256.Sum256(end)
	h.images, err = countImagesOf(ctx, f, h.path)
	return err
}

func countImagesOf(ctx context.Context, f store.File, name string) (images int, err error) {
	r, err := parquetio.NewReader(f, f.Size(), parquetio.ReaderOptions{
		Columns: []string{schemas.ColImageKey}, Types: schemas.TextsSchema().Fields(),
	})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	c := imageCounter{}
	for ctx.Err() == nil {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return c.images, nil
		}
		if err == nil {
			err = c.addBatch(rec)
			rec.Release()
		}
		if err != nil {
			return 0, fmt.Errorf("%s: after row %d: %w", name, c.rows, err)
		}
	}
	return 0, ctx.Err()
}

// imageCounter counts runs of equal image keys.
type imageCounter struct {
	rows, images, captions int
	last                   []byte
}

func (c *imageCounter) addBatch(rec arrow.Record) error {
	columns, err := schemas.Strings(rec, schemas.ColImageKey)
	if err != nil {
		return err
	}
	for i := range int(rec.NumRows()) {
		key := columns[0].Value(i)
		if c.rows == 0 || key != string(c.last) {
			c.images, c.captions = c.images+1, 0
			c.last = append(c.last[:0], key...)
		}
		c.rows, c.captions = c.rows+1, c.captions+1
		if c.captions > maxCaptions {
			return fmt.Errorf("image %q has more than %d captions: image_key should name an image", key, maxCaptions)
		}
	}
	return nil
}
