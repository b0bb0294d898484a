// Package synth makes worlds of scenes: one or two coloured shapes, rendered
// with a caption that says which colour is whose and where they stand. A world
// says which scenes are trained on and keeps others back, so that a model can be
// asked whether it binds colours to shapes and tells who stands where: every
// caption is true of its image, and every changed one of a test is false.
//
// In the free world most colours go with most shapes, and a pair of shapes is
// seen in many colours, so that most captions have their swapped one somewhere
// in the corpus. In the fixed world, which is that of OC-CLIP's experiments
// (Assouel et al. 2025, A.5), a pair of shapes is seen in one assignment of
// colours and one order alone. Scenes are a function of (world, index).
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

// World says which scenes there are.
type World struct {
	Kind  string  `json:"kind"`  // Free or Fixed
	Plain bool    `json:"plain"` // no textures, sizes, depth and grounds: colours and shapes alone
	Seed  uint64  `json:"seed"`
	Side  int     `json:"side"`  // pixels of a side of an image, 1 to MaxSide
	Train int     `json:"train"` // scenes to train on
	Tests int     `json:"tests"` // scenes of each test
	Pairs float64 `json:"pairs"` // fixed: the share of the pairs of shapes that is trained on, from 0 to 1
	Hard  float64 `json:"hard"`  // fixed: the share of these that is trained on with colours and places swapped too
}

// MaxSide is the most pixels that a side of an image has.
const MaxSide = 4096

// check says what of a world cannot be.
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

// TrainDir is the folder of the scenes to train on, in a world's folder: tars
// and sidecars as img2dataset writes them.
func TrainDir(dir string) string { return store.Join(dir, "train") }

// TestsDir is the folder of the tests, and that which their images' names are
// paths in.
func TestsDir(dir string) string { return store.Join(dir, "tests") }

// TestFile has, in the JSON form of SugarCrepe, the scenes of a test with their
// captions and those that are false.
func TestFile(dir, test string) string { return store.Join(TestsDir(dir), test+".json") }

// numbers is the sequence of random numbers of a purpose and of what it is for.
func (w World) numbers(purpose string, of ...int) portable.SplitMix64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%d", purpose, w.Seed, of))
	return portable.SplitMix64(binary.LittleEndian.Uint64(sum[:]))
}

// between draws a number from low to high.
func between(s *portable.SplitMix64, low, high float64) float64 {
	return low + (high-low)*float64(s.Next()>>11)/(1<<53)
}
