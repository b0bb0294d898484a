package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"capgraph/images"
	"capgraph/store"
)

// imageSource reads the images of rows from tars of the same names as the shards of texts, a folder
// or Parquet files.
type imageSource struct {
	options Options
	set     images.Set // nil for tars, which joinTar reads member by member
}

// openImages detects the form of the images and opens them.
func openImages(o Options) (*imageSource, error) {
	paths := []string{o.Images}
	format, err := images.Guess(o.Store, paths)
	if err != nil {
		return nil, fmt.Errorf("--images: %w", err)
	}
	p := &imageSource{options: o}
	if format != images.FormatTars {
		p.set, err = images.Open(o.Store, images.Options{Format: format, Paths: paths})
	}
	if err != nil {
		return nil, fmt.Errorf("--images: %w", err)
	}
	return p, nil
}

// Close closes the images.
func (p *imageSource) Close() error {
	if p.set == nil {
		return nil
	}
	return p.set.Close()
}

// joinShard calls write for each row of a shard that has an image: in the order of the tar if there
// is one, else of the rows. Rows without an image are counted in s.
func (p *imageSource) joinShard(ctx context.Context, shard string, s *Summary, write func(image, *Row) error) error {
	if p.set == nil {
		return joinTar(ctx, p.options, shard, s, write)
	}
	var buf []byte
	var first error
	rows, written := 0, 0
	for r, err := range readShardRows(p.options, shard) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		rows++
		img, err := p.readImage(ctx, shard, r, buf)
		var left *exclusion
		switch {
		case errors.As(err, &left):
			s.leaveOut(left.reason)
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
		return fmt.Errorf("%s has no image for any row of %s (the first: %w): name the folder that the paths in the column image begin in, "+
			"or tars or Parquet files with the column key", p.options.Images, shard, first)
	}
	return nil
}

// exclusion is an error because of which a single row is left out.
type exclusion struct {
	reason string
	err    error
}

func (e *exclusion) Error() string { return e.err.Error() }

// badTarKey is the reason for leaving out rows whose key cannot name a tar member.
const badTarKey = "a key that cannot name a member of a tar"

// isTarKey reports whether key can name the members of a sample. WebDataset takes the name of a member up to
// its first dot for the key.
func isTarKey(key string) bool { return fs.ValidPath(key) && !strings.Contains(key, ".") }

// readImage reads the image of a row. If that fails for this row only, the error is an *exclusion.
func (p *imageSource) readImage(ctx context.Context, shard string, r *Row, buf []byte) (image, error) {
	name := r.Image
	if images.NamedByKey(p.set) {
		name = r.Key
	}
	img := image{key: r.Key}
	switch {
	case name == "":
		return img, &exclusion{"no image path", errors.New("the column image is empty")}
	case !isTarKey(r.Key):
		return img, &exclusion{badTarKey, fmt.Errorf("the key %q has a dot, or is no path: a member's key ends at the first dot", r.Key)}
	}
	var err error
	img.data, err = p.set.Read(ctx, shardName(shard), name, buf)
	switch {
	case err == nil:
	case ctx.Err() != nil || store.IsEnvironmentError(err):
		return img, err
	case errors.Is(err, fs.ErrNotExist):
		return img, &exclusion{"no such image", err}
	default:
		return img, &exclusion{"an image that cannot be read", err}
	}
	kind, _, _ := strings.Cut(http.DetectContentType(img.data), ";")
	if img.extension = imageTypes[kind]; img.extension == "" {
		return img, &exclusion{"unknown image format", fmt.Errorf("%s begins like %s", name, kind)}
	}
	return img, nil
}

// imageTypes maps the media types of images to file extensions.
var imageTypes = map[string]string{
	"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif", "image/bmp": "bmp",
}
