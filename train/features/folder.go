package features

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"capgraph/eval/clip"
	"capgraph/images"
	"capgraph/store"
	"capgraph/train/model"
)

// Folder encodes the images of a benchmark, which it reads from a set, and its texts.
type Folder struct {
	encoder  *Encoder
	images   images.Set
	decoders []worker
	pixels   []byte
	rows     []float32
}

// worker has what one goroutine needs to decode images.
type worker struct {
	decoder images.Decoder
	encoded []byte
}

var _ clip.Scorer = (*Folder)(nil)

// NewFolder returns a Folder for the images of a set. Images are decoded on all processors.
func NewFolder(e *Encoder, set images.Set) *Folder {
	f := &Folder{encoder: e, images: set, decoders: make([]worker, runtime.GOMAXPROCS(0))}
	for i := range f.decoders {
		f.decoders[i].decoder.MaxPixels = e.MaxPixels
	}
	return f
}

// maxPixelBytes limits the memory of decoded images.
const maxPixelBytes = 64 << 20

// EncodeImages implements clip.Encoder.
func (f *Folder) EncodeImages(ctx context.Context, list []clip.Image) ([][]float32, map[int]error, error) {
	f.rows = f.rows[:0]
	broken, err := f.eachBatch(ctx, list, func() (err error) {
		f.rows, err = f.encoder.AppendImages(f.rows, f.pixels)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	features := splitRows(f.rows, f.encoder.Width())
	for i := range broken {
		features[i] = nil
	}
	return features, broken, nil
}

// eachBatch decodes images, some at a time, and calls do each time, with their pixels in f.pixels.
// It returns the errors of broken images, by index.
func (f *Folder) eachBatch(ctx context.Context, list []clip.Image, do func() error) (broken map[int]error, err error) {
	broken = map[int]error{}
	size := 3 * f.encoder.Side() * f.encoder.Side()
	atOnce := max(1, maxPixelBytes/size)
	for first := 0; first < len(list); first += atOnce {
		failed, err := f.decodeImages(ctx, list[first:min(first+atOnce, len(list))], size)
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
func (f *Folder) HasScores() bool { return f.encoder.HasBinding() }

// Scores implements clip.Scorer.
func (f *Folder) Scores(ctx context.Context, list []clip.Image, texts []string) (scores [][]float32, broken map[int]error, err error) {
	broken, err = f.eachBatch(ctx, list, func() error {
		rows, err := f.encoder.Scores(f.pixels, texts)
		scores = append(scores, rows...)
		return err
	})
	for i := range broken {
		scores[i] = nil
	}
	return scores, broken, err
}

// decodeImages decodes images to f.pixels, size bytes each. failed has an error for each broken
// image; err is any other error.
func (f *Folder) decodeImages(ctx context.Context, list []clip.Image, size int) (failed []error, err error) {
	f.pixels = append(f.pixels[:0], make([]byte, len(list)*size)...)
	failed = make([]error, len(list))
	var next atomic.Int64
	var all sync.WaitGroup
	for i := range f.decoders {
		all.Go(func() {
			for k := int(next.Add(1)) - 1; k < len(list); k = int(next.Add(1)) - 1 {
				failed[k] = f.decoders[i].readImage(ctx, f.images, list[k], f.encoder.model.Config, f.pixels[k*size:(k+1)*size])
			}
		})
	}
	all.Wait()
	for _, err := range failed {
		if err != nil && (ctx.Err() != nil || store.IsEnvironmentError(err)) {
			return nil, err
		}
	}
	return failed, nil
}

// EncodeTexts implements clip.Encoder.
func (f *Folder) EncodeTexts(_ context.Context, texts []string) ([][]float32, error) {
	rows, err := f.encoder.AppendTexts(nil, texts)
	return splitRows(rows, f.encoder.Width()), err
}

// readImage decodes an image into to, with the size and the resizing of a model's configuration.
func (w *worker) readImage(ctx context.Context, set images.Set, image clip.Image, c model.Config, to []byte) error {
	encoded, err := set.Read(ctx, "", image.Name, w.encoded)
	if err != nil {
		return err
	}
	w.encoded = encoded
	decode := w.decoder.CentreCropPart
	if c.Squash {
		decode = w.decoder.SquashPart
	}
	_, err = decode(encoded, image.Part, c.Image.ImageSize, to)
	return err
}

// splitRows returns the rows of features, width numbers each.
func splitRows(features []float32, width int) [][]float32 {
	rows := make([][]float32, 0, len(features)/width)
	for at := 0; at < len(features); at += width {
		rows = append(rows, features[at:at+width:at+width])
	}
	return rows
}
