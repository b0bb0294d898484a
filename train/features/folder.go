package features

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"capgraph/eval/clip"
	"capgraph/store"
	"capgraph/train/images"
)

// Folder encodes the images of a benchmark, which lie in a set, and its texts.
type Folder struct {
	encoder  *Encoder
	images   images.Set
	decoders []worker
	pixels   []byte
	rows     []float32
}

// worker decodes images, one after another.
type worker struct {
	decoder images.Decoder
	encoded []byte
}

var _ clip.Encoder = (*Folder)(nil)

// NewFolder returns an encoder of the images of a set, decoded on all processors.
func NewFolder(e *Encoder, set images.Set) *Folder {
	return &Folder{encoder: e, images: set, decoders: make([]worker, runtime.GOMAXPROCS(0))}
}

// EncodeImages implements clip.Encoder.
func (f *Folder) EncodeImages(ctx context.Context, list []clip.Image) ([][]float32, map[int]error, error) {
	size := 3 * f.encoder.Side() * f.encoder.Side()
	f.pixels = append(f.pixels[:0], make([]byte, len(list)*size)...)
	failed := make([]error, len(list))
	var next atomic.Int64
	var all sync.WaitGroup
	for i := range f.decoders {
		all.Go(func() {
			for k := int(next.Add(1)) - 1; k < len(list); k = int(next.Add(1)) - 1 {
				failed[k] = f.decoders[i].read(ctx, f.images, list[k], f.encoder.Side(), f.pixels[k*size:(k+1)*size])
			}
		})
	}
	all.Wait()
	broken := map[int]error{}
	for i, err := range failed {
		switch {
		case err == nil:
		case ctx.Err() != nil || store.OfMachine(err):
			return nil, nil, err
		default:
			broken[i] = err
		}
	}
	rows, err := f.encoder.Images(f.rows[:0], f.pixels)
	if err != nil {
		return nil, nil, err
	}
	f.rows = rows
	features := split(rows, f.encoder.Width())
	for i := range broken {
		features[i] = nil
	}
	return features, broken, nil
}

// EncodeTexts implements clip.Encoder.
func (f *Folder) EncodeTexts(_ context.Context, texts []string) ([][]float32, error) {
	return split(f.encoder.Texts(nil, texts), f.encoder.Width()), nil
}

// read puts the pixels of an image into to.
func (w *worker) read(ctx context.Context, set images.Set, image clip.Image, side int, to []byte) error {
	encoded, err := set.Read(ctx, "", image.Name, w.encoded)
	if err != nil {
		return err
	}
	w.encoded = encoded
	_, err = w.decoder.CentreCropOf(encoded, image.Part, side, to)
	return err
}

// split cuts features into rows.
func split(features []float32, width int) [][]float32 {
	rows := make([][]float32, 0, len(features)/width)
	for at := 0; at < len(features); at += width {
		rows = append(rows, features[at:at+width:at+width])
	}
	return rows
}
