package images

import (
	"context"
	"errors"
	"strings"
	"sync"

	"capgraph/store"
)

// maxParquet is how many Parquet files stay open.
const maxParquet = 64

// imageColumns are looked for where no column is named.
var imageColumns = []string{"image", "jpg", "jpeg", "png", "webp", "image_bytes", "bytes"}

// pathField and bytesField are what datasets' struct of an image consists of.
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
	all index // once it was needed
}

// OpenParquet opens images in Parquet files: a column of bytes, or datasets'
// struct of bytes and path. An image's name is the value of the column of keys,
// text or a whole number, or the path of the struct; of one name twice the first
// counts.
//
// The names of all files are read with the first image, and 32 bytes a name stay
// in memory. To read one row, half its row group is read on average: row groups of
// some 100 images, as img2dataset and datasets write them, are fine. Where names
// are paths of the struct, finding them reads the images too.
func OpenParquet(s store.Store, o Options) (Set, error) {
	names, err := listFiles(s, o.Paths, extParquet)
	if err != nil {
		return nil, err
	}
	p := &parquetSet{store: s, names: names, options: o}
	p.held = newOpenFiles(maxParquet, func(i int) (*parquetFile, error) { return openParquet(s, names[i], o) })
	// What is no file of images is told at once.
	return p, p.held.withFile(0, func(f *parquetFile) error {
		p.byKey = f.key == defaultKey
		return nil
	})
}

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
		return at, missingError(name, strings.Join(p.names[:min(len(p.names), 3)], ", "))
	}
	return at, nil
}

func (p *parquetSet) Close() error { return p.held.Close() }
