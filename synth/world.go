// Package synth makes a world of scenes: one or two coloured shapes, rendered
// with a caption that says which colour is whose and where they stand. In the
// free world every colour goes with every shape, so that a model tells "a red
// circle and a blue square" from "a blue circle and a red square" only if it
// binds colours to shapes. Scenes are a function of (seed, index), their files
// of the number, the side and the seed besides.
package synth

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path"

	"capgraph/internal/portable"
)

// World says which scenes there are.
type World struct {
	Seed    uint64 `json:"seed"`
	Side    int    `json:"side"`    // pixels of a side of an image, 1 or more
	Train   int    `json:"train"`   // scenes to train on
	Heldout int    `json:"heldout"` // scenes to evaluate on
}

// TrainDir is the folder of the scenes to train on, in a world's folder: tars
// and sidecars as img2dataset writes them.
func TrainDir(dir string) string { return path.Join(dir, "train") }

// HeldoutDir is the folder of the images of the held-out scenes.
func HeldoutDir(dir string) string { return path.Join(dir, "heldout") }

// PairsFile has, in the JSON form of SugarCrepe, the caption of each held-out
// scene and that with the colours swapped.
func PairsFile(dir string) string { return path.Join(dir, "heldout.json") }

// numbers is the sequence of random numbers of a purpose and an index.
func (w World) numbers(purpose string, index int) portable.SplitMix64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%d", purpose, w.Seed, index))
	return portable.SplitMix64(binary.LittleEndian.Uint64(sum[:]))
}

// between draws a number from low to high.
func between(s *portable.SplitMix64, low, high float64) float64 {
	return low + (high-low)*float64(s.Next()>>11)/(1<<53)
}
