package export

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"capgraph/store"
	"capgraph/train/images"
)

// pictures are the images that rows are joined with: in tars beside the shards of
// texts, or in a folder or Parquet files.
type pictures struct {
	options Options
	set     images.Set // nil for tars, which are read in their own order
}

// openPictures finds out how the images lie.
func openPictures(o Options) (*pictures, error) {
	paths := []string{o.Images}
	format, err := images.Guess(o.Store, paths)
	if err != nil {
		return nil, fmt.Errorf("--images: %w", err)
	}
	p := &pictures{options: o}
	if format != images.FormatTars {
		p.set, err = images.Open(o.Store, images.Options{Format: format, Paths: paths})
	}
	if err != nil {
		return nil, fmt.Errorf("--images: %w", err)
	}
	return p, nil
}

// Close frees what the images are read with.
func (p *pictures) Close() error {
	if p.set == nil {
		return nil
	}
	return p.set.Close()
}

// join gives each row of a shard with its image: in the order of the tar, else in that
// of the rows. What has no partner is counted.
func (p *pictures) join(ctx context.Context, shard string, s *Summary, write func(image, *Row) error) error {
	if p.set == nil {
		return joinTar(ctx, p.options, shard, s, write)
	}
	var buf []byte
	var first error
	rows, written := 0, 0
	for r, err := range shardRows(p.options.Store, shard) {
		if err := firstError(err, ctx.Err()); err != nil {
			return err
		}
		rows++
		img, err := p.of(ctx, shard, r, buf)
		var left *leftOut
		switch {
		case errors.As(err, &left):
			s.leave(left.reason)
			if first == nil {
				first = left.err
			}
			continue
		case err != nil:
			return err
		}
		buf = img.data
		if err := write(img, r); err != nil {
			return fmt.Errorf("image %s: %w", img.key, err)
		}
		written++
	}
	s.Rows, s.Written = s.Rows+rows, s.Written+written
	if rows > 0 && written == 0 {
		return fmt.Errorf("no image of a row of %s can be had from %s (the first: %w): name the folder that the column image begins in, "+
			"or tars or Parquet files with the column key", shard, p.options.Images, first)
	}
	return nil
}

// leftOut says why a row has no image that can be written.
type leftOut struct {
	reason string
	err    error
}

func (l *leftOut) Error() string { return l.err.Error() }

// of reads the image of a row. The error is a *leftOut where the row alone is
// concerned.
func (p *pictures) of(ctx context.Context, shard string, r *Row, buf []byte) (image, error) {
	name := r.Image
	if images.ByKey(p.set) {
		name = r.Key
	}
	img := image{key: r.Key}
	switch {
	case name == "":
		return img, &leftOut{"names no image", errors.New("the column image is empty")}
	case !fs.ValidPath(r.Key) || strings.Contains(r.Key, "."):
		return img, &leftOut{"a key that a tar cannot have", fmt.Errorf("the key %q has a dot, or is no path: a member's key ends at the first dot", r.Key)}
	}
	var err error
	img.data, err = p.set.Read(ctx, stem(shard), name, buf)
	switch {
	case err == nil:
	case ctx.Err() != nil || store.OfMachine(err):
		return img, err
	case errors.Is(err, fs.ErrNotExist):
		return img, &leftOut{"no such image", err}
	default:
		return img, &leftOut{"an image that cannot be read", err}
	}
	kind, _, _ := strings.Cut(http.DetectContentType(img.data), ";")
	if img.extension = pictureTypes[kind]; img.extension == "" {
		return img, &leftOut{"no image that is known", fmt.Errorf("%s begins like %s", name, kind)}
	}
	return img, nil
}

// pictureTypes are the extensions of what images say they are by their first bytes.
var pictureTypes = map[string]string{
	"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif", "image/bmp": "bmp",
}
