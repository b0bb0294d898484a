package emoji

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"

	"capgraph/schemas"
	"capgraph/synth"
)

// The corpora.
const (
	Pairs   = "pairs"   // two pictures of one designer side by side
	Couples = "couples" // a picture of two persons
)

// Corpus has the settings of a corpus.
type Corpus struct {
	Kind   string `json:"kind"`   // Pairs or Couples
	Seed   uint64 `json:"seed"`   // of all choices
	Images int    `json:"images"` // to train on
	Tests  int    `json:"tests"`  // images of each set of tests, at most
}

// version must be increased when an image, a caption or a file changes.
const version = 1

// manifest is corpus.json, which is written last.
type manifest struct {
	Version int `json:"version"`
	Corpus
}

// CaptionsFile returns the file of the captions, JSON lines with the columns key and image. Other
// files have the same places as in a rendered world: images in synth.TrainDir and synth.TestsDir,
// tests in synth.TestFile.
func CaptionsFile(dir string) string { return filepath.Join(dir, "captions.jsonl") }

// The sets of tests. A test is a set, a question and perhaps a family, such as TestName(New, Swap,
// Tones).
const (
	New      = "new"      // pairs of combinations that are not trained on together
	Held     = "held"     // scenes with a combination that is not trained on
	Designer = "designer" // pictures of the designer that is not trained on
	Seen     = "seen"     // couples that are trained on
)

// The questions of a test: a true text, and a false one.
const (
	Swap      = "swap"      // the caption, against its attributes exchanged
	Part      = "part"      // a thing with its attribute, against the thing with the other thing's attribute
	Replaced  = "replaced"  // the caption, against one with an attribute that the image lacks
	Bare      = "bare"      // a kind of thing, against a kind that the image lacks
	Retrieval = "retrieval" // find the image, find the caption
)

// The families of attributes that Swap and Part exchange.
const (
	Tones   = "tones"   // of skin
	Colours = "colours" // of shapes and things
)

// TestName returns the name of a test. family is Tones or Colours for Swap and Part, and "" for
// others.
func TestName(set, test, family string) string {
	if family == "" {
		return set + "_" + test
	}
	return set + "_" + test + "_" + family
}

// Make writes a corpus into a folder. packages is the folder of the packages' tarballs; missing
// ones are fetched with npm. A folder that already has this corpus is left unchanged; one with
// another corpus is an error.
func (c Corpus) Make(ctx context.Context, dir, packages string) error {
	want, err := json.Marshal(manifest{version, c})
	if err != nil {
		return err
	}
	name := filepath.Join(dir, "corpus.json")
	if got, err := os.ReadFile(name); err == nil {
		if !bytes.Equal(got, want) {
			return fmt.Errorf("%s: the folder holds another corpus: remove it, or choose another folder", name)
		}
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	l, err := openLibrary(ctx, packages)
	if err != nil {
		return err
	}
	if err := c.makeFiles(ctx, l, dir); err != nil {
		return err
	}
	return os.WriteFile(name, want, 0o666)
}

// makeFiles writes all files except the manifest.
func (c Corpus) makeFiles(ctx context.Context, l *library, dir string) error {
	w := &writer{dir: dir, tests: map[string][]any{}, decoded: map[*picture]*image.RGBA{}}
	w.encoder = png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: w}
	var err error
	switch c.Kind {
	case Pairs:
		err = c.makePairs(ctx, l, w)
	case Couples:
		err = c.makeCouples(ctx, l, w)
	default:
		err = fmt.Errorf("a corpus of kind %q is unknown: want %s or %s", c.Kind, Pairs, Couples)
	}
	if err != nil {
		return err
	}
	return w.close()
}

// writer writes the files of a corpus.
type writer struct {
	dir      string
	captions bytes.Buffer
	pools    bytes.Buffer
	tests    map[string][]any
	decoded  map[*picture]*image.RGBA
	encoder  png.Encoder
	buffer   *png.EncoderBuffer
}

// Get implements png.EncoderBufferPool.
func (w *writer) Get() *png.EncoderBuffer { return w.buffer }

// Put implements png.EncoderBufferPool.
func (w *writer) Put(b *png.EncoderBuffer) { w.buffer = b }

// caption is a line of CaptionsFile.
type caption struct {
	Key     string `json:"key"`
	Image   string `json:"image"`
	Caption string `json:"caption"`
}

// rightTexts is a line of rightFile.
type rightTexts struct {
	Key string `json:"key"`
	schemas.Pool
}

// decodedImage returns a decoded picture.
func (w *writer) decodedImage(p *picture) (*image.RGBA, error) {
	if w.decoded[p] == nil {
		img, err := p.decode()
		if err != nil {
			return nil, err
		}
		w.decoded[p] = img
	}
	return w.decoded[p], nil
}

// writeImage writes an image below a folder.
func (w *writer) writeImage(dir, name string, img image.Image) error {
	var data bytes.Buffer
	if err := w.encoder.Encode(&data, img); err != nil {
		return err
	}
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, data.Bytes(), 0o666)
}

// writeTraining adds an image to train on with its captions. pools has the right texts of each
// caption.
func (w *writer) writeTraining(i int, img image.Image, captions []string, pools []schemas.Pool) error {
	name := fmt.Sprintf("%06d.png", i)
	for k, text := range captions {
		key := fmt.Sprintf("%06d-%d", i, k)
		line, err := json.Marshal(caption{key, name, text})
		if err != nil {
			return err
		}
		texts, err := json.Marshal(rightTexts{key, pools[k]})
		if err != nil {
			return err
		}
		w.captions.Write(append(line, '\n'))
		w.pools.Write(append(texts, '\n'))
	}
	return w.writeImage(synth.TrainDir(w.dir), name, img)
}

// addQuestion adds a true and a false text to a test.
func (w *writer) addQuestion(test, image, right, wrong string) {
	w.tests[test] = append(w.tests[test], synth.CaptionPair{Filename: image, Caption: right, Negative: wrong})
}

// close writes the captions, their right texts and the tests.
func (w *writer) close() error {
	files := map[string][]byte{CaptionsFile(w.dir): w.captions.Bytes(), rightFile(w.dir): w.pools.Bytes()}
	for test, entries := range w.tests {
		var all any = entries
		if _, ok := entries[0].(synth.CaptionPair); ok {
			numbered := map[int]any{}
			for i, entry := range entries {
				numbered[i] = entry
			}
			all = numbered
		}
		data, err := json.MarshalIndent(all, "", " ")
		if err != nil {
			return err
		}
		files[synth.TestFile(w.dir, test)] = append(data, '\n')
	}
	for name, data := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
