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

var _ clip.Scorer = (*Folder)(nil)

// NewFolder returns an encoder of the images of a set, decoded on all processors.
func NewFolder(e *Encoder, set images.Set) *Folder {
	return &Folder{encoder: e, images: set, decoders: make([]worker, runtime.GOMAXPROCS(0))}
}

// pixelsAtOnce bounds the pixels that are in memory, in bytes.
const pixelsAtOnce = 64 << 20

// EncodeImages implements clip.Encoder.
func (f *Folder) EncodeImages(ctx context.Context, list []clip.Image) ([][]float32, map[int]error, error) {
	f.rows = f.rows[:0]
	broken, err := f.each(ctx, list, func() (err error) {
		f.rows, err = f.encoder.Images(f.rows, f.pixels)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	features := split(f.rows, f.encoder.Width())
	for i := range broken {
		features[i] = nil
	}
	return features, broken, nil
}

// each decodes images, some at a time, and calls do with their pixels in f.pixels.
func (f *Folder) each(ctx context.Context, list []clip.Image, do func() error) (broken map[int]error, err error) {
	broken = map[int]error{}
	size := 3 * f.encoder.Side() * f.encoder.Side()
	atOnce := max(1, pixelsAtOnce/size)
	for first := 0; first < len(list); first += atOnce {
		failed, err := f.decode(ctx, list[first:min(first+atOnce, len(list))], size)
		if err == nil {
			err = do()
		}
		if err != nil {
			return nil, err
		}
		for i, err := range failed {
			if err != nil {
				broken[first+i] = err
			}
		}
	}
	return broken, nil
}

// HasScores implements clip.Scorer.
func (f *Folder) HasScores() bool { return f.encoder.Bound() }

// Scores implements clip.Scorer.
func (f *Folder) Scores(ctx context.Context, list []clip.Image, texts []string) (scores [][]float32, broken map[int]error, err error) {
	broken, err = f.each(ctx, list, func() error {
		rows, err := f.encoder.Scores(f.pixels, texts)
		scores = append(scores, rows...)
		return err
	})
	for i := range broken {
		scores[i] = nil
	}
	return scores, broken, err
}

// decode makes the pixels of images, size bytes each; failed says of each what is
// wrong with it, the error what is wrong with the machine.
func (f *Folder) decode(ctx context.Context, list []clip.Image, size int) (failed []error, err error) {
	f.pixels = append(f.pixels[:0], make([]byte, len(list)*size)...)
	failed = make([]error, len(list))
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
	for _, err := range failed {
		if err != nil && (ctx.Err() != nil || store.OfMachine(err)) {
			return nil, err
		}
	}
	return failed, nil
}

// EncodeTexts implements clip.Encoder.
func (f *Folder) EncodeTexts(_ context.Context, texts []string) ([][]float32, error) {
	rows, err := f.encoder.Texts(nil, texts)
	return split(rows, f.encoder.Width()), err
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
