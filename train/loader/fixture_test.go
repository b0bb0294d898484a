package loader

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"capgraph/export"
	"capgraph/scenegraph"
	"capgraph/schemas"
	"capgraph/schemas/drawing"
	"capgraph/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// side is the side of the images of the tests.
const side = 4

// captionedImage is an image with its captions.
type captionedImage struct {
	key      string
	captions []string
}

// textsRow returns a row of texts/ with negatives of all kinds.
func textsRow(image string, n int, caption string) *schemas.TextsRow {
	r := &schemas.TextsRow{Key: fmt.Sprintf("%s#%d", image, n), ImageKey: image, Image: image + ".jpg", Text: caption}
	positive := func(kind, text string) {
		r.Positives = append(r.Positives, schemas.Positive{Text: text, Kind: kind, ID: scenegraph.TextID(text), Confidence: []float32{1, 0.9, 0.8}[min(len(r.Positives), 2)]})
	}
	positive(schemas.KindCaption, caption)
	positive(schemas.KindObject, "a red thing of "+caption)
	positive(schemas.KindRelation, "a thing beside a red thing of "+caption)
	for i, of := range []int16{0, 0, 0, 0, 1, 1, 2, 2} {
		changed := []string{schemas.ChangedOrder, schemas.ChangedAttribute, schemas.ChangedAction, schemas.ChangedObject}[i%4]
		category := []string{schemas.CategoryNone, drawing.Classes[0], drawing.Classes[1]}[of]
		r.Negatives = append(r.Negatives, schemas.HardNegative{
			Text: fmt.Sprintf("not %d of %s", i, caption), Of: of, Method: "swap_nouns", Changed: changed, Category: category,
		})
	}
	return r
}

// writeRows writes a shard of texts.
func writeRows(t testing.TB, name string, rows []*schemas.TextsRow) {
	t.Helper()
	temp, err := store.Local{}.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer temp.Discard()
	w, err := export.NewParquet(temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), temp.Publish()); err != nil {
		t.Fatal(err)
	}
}

// writeTexts writes a folder of texts with perShard images in each shard, and returns it.
func writeTexts(t testing.TB, images []captionedImage, perShard int) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "texts"), 0o755); err != nil {
		t.Fatal(err)
	}
	for shard := 0; shard*perShard < len(images); shard++ {
		var rows []*schemas.TextsRow
		for _, image := range images[shard*perShard : min(len(images), (shard+1)*perShard)] {
			for i, caption := range image.captions {
				rows = append(rows, textsRow(image.key, i, caption))
			}
		}
		writeRows(t, filepath.Join(dir, "texts", fmt.Sprintf("%05d.parquet", shard)), rows)
	}
	return dir
}

// makeImages returns n images, some with several captions.
func makeImages(prefix string, n int) []captionedImage {
	var images []captionedImage
	for i := range n {
		image := captionedImage{key: fmt.Sprintf("%s%04d", prefix, i)}
		for c := range 1 + i%3 {
			image.captions = append(image.captions, fmt.Sprintf("caption %d of %s", c, image.key))
		}
		images = append(images, image)
	}
	return images
}

// fakeImages has images whose bytes are their names, except those that are broken, missing, or on a
// failing disk.
type fakeImages struct {
	broken, missing, failing string
}

func (fakeImages) Close() error { return nil }

func (p fakeImages) Find(_ context.Context, _, name string) error {
	if p.missing != "" && strings.Contains(name, p.missing) {
		return fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return nil
}

func (p fakeImages) Read(ctx context.Context, shard, name string, buf []byte) ([]byte, error) {
	switch {
	case p.missing != "" && strings.Contains(name, p.missing):
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	case p.failing != "" && strings.Contains(name, p.failing):
		return nil, fmt.Errorf("%s: %w", name, errDisk)
	case p.broken != "" && strings.Contains(name, p.broken):
		return buf[:0], nil
	}
	return append(buf[:0], name...), nil
}

// someImages are images without those of these keys.
type someImages map[string]bool

func (someImages) Close() error { return nil }

func (p someImages) Find(_ context.Context, _, name string) error {
	if p[strings.TrimSuffix(name, ".jpg")] {
		return fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return nil
}

func (p someImages) Read(ctx context.Context, shard, name string, buf []byte) ([]byte, error) {
	return append(buf[:0], name...), p.Find(ctx, shard, name)
}

// hashDecoder is a decoder whose pixels are a hash of its arguments.
type hashDecoder struct{}

func (hashDecoder) Decode(dst []byte, _ string, read func() ([]byte, error), seed, epoch uint64, key string) error {
	encoded, err := read()
	if err != nil {
		return err
	}
	if len(encoded) == 0 {
		return errors.New("the image is empty")
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d %s", encoded, seed, epoch, key))
	for i := range dst {
		dst[i] = sum[i%len(sum)]
	}
	return nil
}

// testOptions returns options that load folders with everything that a plan can draw.
func testOptions(dirs ...string) Options {
	o := Options{
		Store: store.Local{}, Seed: 5, Batch: 4, Window: 1000, Workers: 2, Prefetch: 2, Side: side,
		Decoder: func() Decoder { return hashDecoder{} },
		Plan: func(epoch int) Plan {
			p := Plan{Positives: 3, Negatives: 6, Weights: Weights([3]float64{0.15, 0.425, 0.425}, 0.25), Classes: drawing.CECLIPClasses[:]}
			if epoch == 0 {
				p.Positives, p.Negatives = 1, 1
			}
			return p
		},
	}
	for _, dir := range dirs {
		o.Corpora = append(o.Corpora, Corpus{Texts: dir, Images: fakeImages{}})
	}
	return o
}

// openLoader opens a loader that is closed at the end of the test.
func openLoader(t testing.TB, o Options) *Loader {
	t.Helper()
	l, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// describe returns the contents of a batch.
func describe(b *Batch) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%d %d [%d, %d)\n", b.Epoch, b.Step, b.First, b.Last)
	for _, sample := range b.Samples {
		s.WriteString(describeSample(sample))
	}
	return s.String()
}

func describeSample(s *Sample) string {
	flat := *s
	flat.Pixels, flat.Partner = nil, nil
	pixels := uint64(0)
	if len(s.Pixels) >= 8 {
		pixels = binary.LittleEndian.Uint64(s.Pixels)
	}
	text := fmt.Sprintf("%+v %x\n", flat, pixels)
	if s.Partner != nil {
		text += "  " + describeSample(s.Partner)
	}
	return text
}

// takeBatches describes the next n batches.
func takeBatches(t testing.TB, l *Loader, n int) []string {
	t.Helper()
	var all []string
	for range n {
		b, err := l.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, describe(b))
		l.Release(b)
	}
	return all
}

// takeKeys returns the image keys of the next n batches.
func takeKeys(t testing.TB, l *Loader, n int) (all []string) {
	t.Helper()
	for range n {
		b, err := l.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range b.Samples {
			all = append(all, s.ImageKey)
		}
		l.Release(b)
	}
	return all
}
