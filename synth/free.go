package synth

import (
	"slices"

	"capgraph/internal/portable"
)

// singles is how many of ten scenes to train on have one object.
const singles = 2

// heldoutOf is of how many families of pairs one is held out.
const heldoutOf = 5

// TrainScene is scene i of those to train on: one object, or two that differ in
// colour and shape and are of no family that is held out.
func (w World) TrainScene(i int) Scene {
	s := w.numbers("train", i)
	if s.Below(10) < singles {
		return w.place(&s, []Object{{Colour: s.Below(len(Colours)), Shape: s.Below(len(Shapes))}})
	}
	return w.place(&s, w.pair(&s, false))
}

// HeldoutScene is scene i of those to evaluate on: two objects of a family of
// which no scene to train on is, neither as it is nor with the colours swapped.
func (w World) HeldoutScene(i int) Scene {
	s := w.numbers("heldout", i)
	return w.place(&s, w.pair(&s, true))
}

// pair draws two objects of a family that is, or is not, held out.
func (w World) pair(s *portable.SplitMix64, heldout bool) []Object {
	for {
		a := Object{Colour: s.Below(len(Colours)), Shape: s.Below(len(Shapes))}
		b := Object{Colour: s.Below(len(Colours)), Shape: s.Below(len(Shapes))}
		if a.Colour != b.Colour && a.Shape != b.Shape && w.heldOut(a, b) == heldout {
			return []Object{a, b}
		}
	}
}

// heldOut says whether the family of two objects is held out: the four scenes
// of those two colours and those two shapes.
func (w World) heldOut(a, b Object) bool {
	shapes, colours := []int{a.Shape, b.Shape}, []int{a.Colour, b.Colour}
	slices.Sort(shapes)
	slices.Sort(colours)
	n := len(Colours)
	family := ((shapes[0]*len(Shapes)+shapes[1])*n+colours[0])*n + colours[1]
	s := w.numbers("family", family)
	return s.Below(heldoutOf) == 0
}

// place draws where objects stand, how large they are and in which light.
func (w World) place(s *portable.SplitMix64, objects []Object) Scene {
	scene := Scene{Objects: objects, Upright: s.Below(2) == 0, Wording: s.Below(1 << 16), Grey: between(s, 0.4, 0.68)}
	for i := range objects {
		o := &objects[i]
		o.Radius, o.Tilt = between(s, 0.16, 0.2), between(s, -0.2, 0.2)
		for c := range o.Shade {
			o.Shade[c] = between(s, -0.05, 0.05)
		}
		along, across := between(s, 0.24, 0.3), between(s, 0.34, 0.66)
		switch {
		case len(objects) == 1:
			o.X, o.Y = between(s, 0.28, 0.72), between(s, 0.28, 0.72)
			o.Radius *= 1.25
			continue
		case i == 1:
			along = 1 - along
		}
		o.X, o.Y = along, across
		if scene.Upright {
			o.X, o.Y = across, along
		}
	}
	return scene
}
