package export

import (
	"archive/tar"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"strings"

	"capgraph/store"
)

// maxImage is the greatest size of an image, in bytes.
const maxImage = 1 << 28

// imageExtensions are the extensions by which WebDataset readers know images.
var imageExtensions = map[string]bool{"jpg": true, "jpeg": true, "png": true, "webp": true, "gif": true, "bmp": true}

// image is an encoded image. As in WebDataset, key is its name up to the first dot of the base name;
// extension is the rest in lower case.
type image struct {
	key, extension string
	data           []byte
}

// tarImages yields the images of a tar in order. Other members are skipped. An error names the tar
// and is the last value.
func tarImages(s store.Store, name string) iter.Seq2[image, error] {
	return func(yield func(image, error) bool) {
		f, err := s.Open(name)
		if err != nil {
			yield(image{}, err)
			return
		}
		defer f.Close()
		file := &EndReader{Reader: f}
		for t := tar.NewReader(file); ; {
			h, err := t.Next()
			if errors.Is(err, io.EOF) {
				if !file.Ended {
					return
				}
				err = errors.New("no end-of-archive blocks")
			}
			if err != nil {
				yield(image{}, fmt.Errorf("%s is cut off or damaged (%w): fetch or write the tar again", name, err))
				return
			}
			folder, base := path.Split(strings.TrimPrefix(h.Name, "./"))
			stem, extension, _ := strings.Cut(base, ".")
			extension = strings.ToLower(extension)
			if h.Typeflag != tar.TypeReg || !imageExtensions[extension] {
				continue
			}
			if h.Size > maxImage {
				yield(image{}, fmt.Errorf("%s: %s has %d bytes, more than an image may have (%d)", name, h.Name, h.Size, maxImage))
				return
			}
			data, err := io.ReadAll(t)
			if err != nil {
				yield(image{}, fmt.Errorf("%s is cut off or damaged in %s (%w): fetch or write the tar again", name, h.Name, err))
				return
			}
			if !yield(image{folder + stem, extension, data}, nil) {
				return
			}
		}
	}
}

// EndReader records whether the underlying reader reached its end. A complete tar ends with empty
// blocks, after which a tar.Reader stops; a truncated one is read to the end.
type EndReader struct {
	io.Reader
	Ended bool
}

func (e *EndReader) Read(b []byte) (int, error) {
	n, err := e.Reader.Read(b)
	e.Ended = e.Ended || errors.Is(err, io.EOF)
	return n, err
}

// joinTar calls write for each image of the tar beside a shard of texts, in the order of the tar, with
// the row that has the image's key. Rows without an image are counted in s.
func joinTar(ctx context.Context, o Options, shard string, s *Summary, write func(image, *Row) error) error {
	rows := map[string]*Row{}
	for r, err := range readShardRows(o, shard) {
		if err != nil {
			return err
		}
		rows[r.Key] = cloneRow(r)
	}
	s.Rows += len(rows)
	name := store.Join(o.Images, shardName(shard)+".tar")
	written := 0
	for img, err := range tarImages(o.Store, name) {
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s has no %s, which %s is joined with by key: name the folder of the tars with --images", o.Images, path.Base(name), shard)
		}
		if err != nil {
			return err
		}
		r := rows[img.key]
		if r == nil {
			continue // its caption was rejected, or the tar has it twice
		}
		delete(rows, img.key)
		if err := cmp.Or(ctx.Err(), write(img, r)); err != nil {
			return fmt.Errorf("%s, image %s: %w", name, img.key, err)
		}
		written++
	}
	s.Written += written
	if written == 0 && len(rows) > 0 {
		return fmt.Errorf("no image of %s has the key of a row of %s: the texts were not made from these tars", name, shard)
	}
	for range rows {
		s.leaveOut("no image in the tar")
	}
	return nil
}
