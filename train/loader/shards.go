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
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"golang.org/x/sync/errgroup"

	"capgraph/images"
	"capgraph/internal/parquetio"
	"capgraph/schemas"
	"capgraph/store"
)

// maxCaptions is the maximum number of rows of one image, maxTexts that of the bytes of their
// texts, which are in memory together. More rows with one image key mean that the key does not
// identify an image.
const (
	maxCaptions = 1 << 16
	maxTexts    = 256 << 20
)

// shard is a file of texts.
type shard struct {
	corpus int
	path   string
	graphs string // path of the file of its graphs
	name   string // file name without ".parquet"
	images int    // number of runs of rows with the same image key, without absent
	absent []int  // indices of the runs whose image does not exist
	size   int64
	tail   [sha256.Size]byte // the SHA-256 of its last tailBytes bytes
}

// tailBytes is the number of bytes at the end of a shard that Loader.Fingerprint depends on.
const tailBytes = 64 << 10

// findShards returns the shards of a corpus, sorted by name.
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

// countImages counts the images of all shards and, if set is not nil, returns those that do not
// exist in it. It reads only the columns that identify images.
func countImages(ctx context.Context, s store.Store, shards []shard, set images.Set) ([]MissingImage, error) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	missing := make([][]MissingImage, len(shards))
	for i := range shards {
		group.Go(func() (err error) {
			missing[i], err = shards[i].countImages(ctx, s, set)
			return err
		})
	}
	err := group.Wait()
	return slices.Concat(missing...), err
}

// countImages counts the images of the shard, returns those that do not exist in set, and hashes
// the end of the file.
func (h *shard) countImages(ctx context.Context, s store.Store, set images.Set) ([]MissingImage, error) {
	f, err := s.Open(h.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h.size = f.Size()
	end := make([]byte, min(h.size, tailBytes))
	if _, err := f.ReadAt(end, h.size-int64(len(end))); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", h.path, err)
	}
	h.tail = sha256.Sum256(end)
	c := imageCounter{shard: h, set: set, column: schemas.ColImage}
	if set != nil && images.NamedByKey(set) {
		c.column = schemas.ColKey
	}
	if err := c.readFile(ctx, f); err != nil {
		return nil, err
	}
	h.images = c.images - len(h.absent)
	return c.missing, nil
}

func (c *imageCounter) readFile(ctx context.Context, f store.File) error {
	columns := []string{schemas.ColImageKey}
	if c.set != nil {
		columns = append(columns, c.column)
	}
	r, err := parquetio.NewReader(f, f.Size(), parquetio.ReaderOptions{Columns: columns, Types: schemas.TextsSchema().Fields()})
	if err != nil {
		return fmt.Errorf("%s: %w", c.shard.path, err)
	}
	defer r.Close()
	for ctx.Err() == nil {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = c.addBatch(ctx, rec, columns)
			rec.Release()
		}
		if err != nil {
			return fmt.Errorf("%s: after row %d: %w", c.shard.path, c.rows, err)
		}
	}
	return ctx.Err()
}

// imageCounter counts runs of equal image keys, and checks that their images exist.
type imageCounter struct {
	shard                  *shard
	set                    images.Set // nil if it is not checked that images exist
	column                 string     // the column with the image's name in the set
	rows, images, captions int
	last                   []byte
	missing                []MissingImage
}

func (c *imageCounter) addBatch(ctx context.Context, rec arrow.Record, names []string) error {
	columns, err := schemas.Strings(rec, names...)
	if err != nil {
		return err
	}
	for i := range int(rec.NumRows()) {
		key := columns[0].Value(i)
		if c.rows == 0 || key != string(c.last) {
			c.images, c.captions = c.images+1, 0
			c.last = append(c.last[:0], key...)
			if c.set != nil {
				if err := c.findImage(ctx, key, columns[1].Value(i)); err != nil {
					return err
				}
			}
		}
		c.rows, c.captions = c.rows+1, c.captions+1
		if c.captions > maxCaptions {
			return fmt.Errorf("image %q has more than %d captions: image_key should name an image", key, maxCaptions)
		}
	}
	return nil
}
