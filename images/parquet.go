package images

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"capgraph/store"
)

// maxParquet is how many Parquet files stay open at most.
const maxParquet = 64

// imageColumns are the columns tried for images if no column is named, in this order.
var imageColumns = []string{"image", "jpg", "jpeg", "png", "webp", "image_bytes", "bytes"}

// The fields of the struct by which the datasets library stores an image.
const (
	pathField  = "path"
	bytesField = "bytes"
)

type parquetSet struct {
	store   store.Store
	names   []string
	options Options
	held    *openFiles[*parquetFile]
	byKey   bool

	mu  sync.Mutex
	all index // index of all files; nil until it is needed
}

// OpenParquet opens images in Parquet files: a column of bytes, or the datasets library's struct of
// bytes and path. An image's name is the string or integer in the column of keys, else the path in
// the struct. Of equal names the first counts. Each image also has the name BASE/ROW: its file's
// base name and its row there.
//
// The names in all files are read with the first image, and take 32 bytes each in memory. To read
// one row, half its row group is read on average, so row groups should be small: about 100 images,
// as img2dataset and datasets write.
func OpenParquet(s store.Store, o Options) (Set, error) {
	names, err := listFiles(s, o.Paths, extParquet)
	if err != nil {
		return nil, err
	}
	p := &parquetSet{store: s, names: names, options: o}
	p.held = newOpenFiles(maxParquet, func(i int) (*parquetFile, error) { return openParquet(s, names[i], o) })
	// Report now if the first file has no images.
	return p, p.held.withFile(0, func(f *parquetFile) error {
		p.byKey = f.key == defaultKey
		return nil
	})
}

// Find implements Set. It returns nil also for a row whose image is null.
func (p *parquetSet) Find(ctx context.Context, _, name string) error {
	_, err := p.find(ctx, name)
	return err
}

// Read implements Set.
func (p *parquetSet) Read(ctx context.Context, _, name string, buf []byte) (data []byte, err error) {
	at, err := p.find(ctx, name)
	if err != nil {
		return nil, err
	}
	err = p.held.withFile(int(at.file), func(f *parquetFile) error {
		data, err = f.readRow(at.offset, buf)
		return err
	})
	if errors.Is(err, errNull) {
		err = missingError(name, p.names[at.file])
	}
	return data, err
}

func (p *parquetSet) find(ctx context.Context, name string) (place, error) {
	if at, ok := p.placeOfRow(name); ok {
		return at, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return place{}, err
	}
	if p.all == nil {
		all := make([]place, 0, 1)
		for i := range p.names {
			if err := p.held.withFile(i, func(f *parquetFile) (err error) {
				all, err = f.appendPlaces(ctx, uint32(i), all)
				return err
			}); err != nil {
				return place{}, err
			}
		}
		p.all = newIndex(all)
	}
	at, ok := p.all.find(name)
	if !ok {
		at, ok = p.all.find(trimCaptionNumber(name))
	}
	if !ok {
		return at, missingError(name, strings.Join(p.names[:min(len(p.names), 3)], ", "))
	}
	return at, nil
}

// placeOfRow returns the place of an image whose name is its file and row, such as train-0.parquet/12.
func (p *parquetSet) placeOfRow(name string) (at place, ok bool) {
	file, number, ok := strings.Cut(name, extParquet+"/")
	row, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || row < 0 {
		return at, false
	}
	i := slices.IndexFunc(p.names, func(n string) bool { return path.Base(n) == file+extParquet })
	if i < 0 {
		return at, false
	}
	return place{file: uint32(i), offset: row}, true
}

func (p *parquetSet) Close() error { return p.held.Close() }
