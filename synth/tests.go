package synth

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"golang.org/x/sync/errgroup"

	"capgraph/internal/panics"
	"capgraph/store"
)

// writersAtOnce is how many images of a test are written at the same time: a disk syncs many
// together faster.
const writersAtOnce = 64

// CaptionPair is an image with a true and a false caption, in SugarCrepe's form.
type CaptionPair struct {
	Filename string `json:"filename"`
	Caption  string `json:"caption"`
	Negative string `json:"negative_caption"`
}

// Captioned is an image with its captions, in Karpathy's form.
type Captioned struct {
	Image   string   `json:"image"`
	Caption []string `json:"caption"`
}

// writeTest writes the images of a test and its file. It does nothing for a test without scenes.
func (s *Scenes) writeTest(ctx context.Context, files store.Store, dir, test string) error {
	return s.writeScenes(ctx, files, dir, test, "{}", func(i int, name, caption string) (string, any) {
		_, changed := s.TestScene(test, i)
		return fmt.Sprintf("%q: ", fmt.Sprint(i)), CaptionPair{name, caption, changed.Caption()}
	})
}

// writeRetrieval writes the images of TestRetrieval and its file, in Karpathy's form.
func (s *Scenes) writeRetrieval(ctx context.Context, files store.Store, dir string) error {
	return s.writeScenes(ctx, files, dir, TestRetrieval, "[]", func(_ int, name, caption string) (string, any) {
		return "", Captioned{name, []string{caption}}
	})
}

// writeScenes writes the images of a test, and its file: the entry of each scene, between the two
// brackets.
func (s *Scenes) writeScenes(ctx context.Context, files store.Store, dir, test, brackets string, entry func(i int, name, caption string) (key string, value any)) error {
	if s.TestSize(test) == 0 {
		return nil
	}
	var text bytes.Buffer
	text.WriteByte(brackets[0])
	drawn := func(i int) Scene {
		scene, _ := s.TestScene(test, i)
		return scene
	}
	writers, writing := errgroup.WithContext(ctx)
	writers.SetLimit(writersAtOnce)
	err := s.renderScenes(ctx, 0, s.TestSize(test), drawn, func(i int, r rendered) error {
		name := testImage(test, i)
		key, value := entry(i, name, r.scene.Caption())
		data, err := json.Marshal(value)
		if err != nil {
			return err
		}
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, "\n  %s%s", key, data)
		writers.Go(func() (err error) {
			defer panics.Catch(&err)
			return store.ReplaceFile(files, store.Join(TestsDir(dir), name), r.png)
		})
		return writing.Err()
	})
	if failed := writers.Wait(); failed != nil {
		panics.Rethrow(failed)
		return failed
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(&text, "\n%c\n", brackets[1])
	return store.ReplaceFile(files, TestFile(dir, test), text.Bytes())
}
