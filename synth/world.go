// Package synth makes worlds of scenes: one or two coloured shapes, rendered with a caption that
// names their colours and places. A world trains on some scenes and keeps others for tests of
// whether a model binds colours to shapes and knows which is where. Every caption is true of its
// image, and every changed caption of a test is false.
//
// In the free world most colours occur with most shapes, and a pair of shapes in many colours, so
// that most captions have their swapped one somewhere in the corpus. In the fixed world, that of
// OC-CLIP's experiments (Assouel et al. 2025, A.5), a pair of shapes occurs in one assignment of
// colours and one order only. Scenes are a function of (world, index).
//
//	err := synth.World{Kind: synth.Free, Plain: true, Seed: 7, Side: 32, Train: 1000, Tests: 100}.Write(ctx, files, "world")
package synth

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"capgraph/internal/portable"
	"capgraph/store"
)

// The kinds of worlds.
const (
	Free  = "free"
	Fixed = "fixed"
)

// World has the settings that determine all scenes.
type World struct {
	Kind  string  `json:"kind"`  // Free or Fixed
	Plain bool    `json:"plain"` // colours and shapes only: no textures, sizes, depth and grounds
	Seed  uint64  `json:"seed"`
	Side  int     `json:"side"`  // pixels of an image's side, 1 to MaxSide
	Train int     `json:"train"` // number of training scenes
	Tests int     `json:"tests"` // number of scenes of each test
	Pairs float64 `json:"pairs"` // fixed: the share of the pairs of shapes that are trained on, from 0 to 1
	Hard  float64 `json:"hard"`  // fixed: the share of these that are also trained on with colours or places swapped
}

// MaxSide is the greatest number of pixels of an image's side.
const MaxSide = 4096

// check returns an error if a setting is impossible.
func (w World) check() error {
	switch {
	case w.Kind != Free && w.Kind != Fixed:
		return fmt.Errorf("a world of kind %q is unknown: want %s or %s", w.Kind, Free, Fixed)
	case w.Side < 1 || w.Side > MaxSide:
		return fmt.Errorf("images of %d pixels a side cannot be: want 1 to %d", w.Side, MaxSide)
	case w.Train < 0 || w.Tests < 0:
		return fmt.Errorf("a world of %d scenes and %d a test cannot be: want 0 or more", w.Train, w.Tests)
	case !(w.Pairs >= 0 && w.Pairs <= 1) || !(w.Hard >= 0 && w.Hard <= 1):
		return fmt.Errorf("shares of %v of the pairs and %v of their swaps cannot be: want 0 to 1", w.Pairs, w.Hard)
	}
	return nil
}

// TrainDir returns the folder of the training scenes within a world's folder: tars and sidecars in img2dataset's form.
func TrainDir(dir string) string { return store.Join(dir, "train") }

// TestsDir returns the folder of the tests. The names of their images are relative to it.
func TestsDir(dir string) string { return store.Join(dir, "tests") }

// TestFile returns the path of the file of a test. It has the scenes with their true and false captions, in
// SugarCrepe's JSON form.
func TestFile(dir, test string) string { return store.Join(TestsDir(dir), test+".json") }

// randomStream returns the random numbers for a purpose and some numbers, such as an index.
func (w World) randomStream(purpose string, of ...int) portable.SplitMix64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%d", purpose, w.Seed, of))
	return portable.SplitMix64(binary.LittleEndian.Uint64(sum[:]))
}

// drawBetween returns a random number from low to high.
func drawBetween(s *portable.SplitMix64, low, high float64) float64 {
	return low + (high-low)*float64(s.Next()>>11)/(1<<53)
}
