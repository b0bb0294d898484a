package synth

import (
	"math"

	"capgraph/internal/portable"
)

// singlesOfTen is how many of ten training scenes have just one object.
const singlesOfTen = 2

// TrainScene returns training scene i: one object in any colour, or two in an arrangement that is
// trained on. If no arrangement is, all scenes have one object.
func (s *Scenes) TrainScene(i int) Scene {
	n := s.randomStream("train", i)
	if n.IntN(10) < singlesOfTen || len(s.trained) == 0 {
		return s.drawObjects(&n, []Object{{Colour: n.IntN(len(Colours)), Shape: n.IntN(len(Shapes))}}, Beside)
	}
	return s.drawArranged(&n, s.trained[n.IntN(len(s.trained))])
}

// ArrangementCount returns the number of arrangements of two objects that are trained on.
func (s *Scenes) ArrangementCount() int { return len(s.trained) }

// TestSize returns the number of scenes of a test: World.Tests; for retrieval at most one for each
// arrangement; 0 if training leaves none for the test.
func (s *Scenes) TestSize(test string) int {
	switch n := len(s.tests[test]); {
	case n == 0:
		return 0
	case test == TestRetrieval:
		return min(n, s.Tests)
	}
	return s.Tests
}

// TestScene returns scene i of a test that has scenes, and the scene that its false caption
// describes (see Tests). In TestRetrieval both are equal.
func (s *Scenes) TestScene(test string, i int) (scene, false Scene) {
	n := s.randomStream(test, i)
	list := s.tests[test]
	a := list[i%len(list)]
	if test != TestRetrieval {
		a = list[n.IntN(len(list))]
	}
	scene = s.drawArranged(&n, a)
	switch test {
	case TestOrders, TestRelations:
		scene.Related = true
		return scene, scene.PlacesSwapped()
	case TestRetrieval:
		scene.Related = true
		return scene, scene
	}
	return scene, scene.ColoursSwapped()
}

// drawArranged returns a scene with an arrangement of two objects; all else is drawn.
func (s *Scenes) drawArranged(n *portable.SplitMix64, a arrangement) Scene {
	objects := []Object{{Colour: a.colours[0], Shape: a.shapes[0]}, {Colour: a.colours[1], Shape: a.shapes[1]}}
	return s.drawObjects(n, objects, a.direction)
}

// drawObjects returns a scene of objects whose places, textures, sizes and shades are drawn.
func (s *Scenes) drawObjects(n *portable.SplitMix64, objects []Object, d Direction) Scene {
	scene := Scene{Objects: objects, Direction: d, Wording: n.IntN(1 << 16), Light: drawBetween(n, -0.14, 0.14)}
	for i := range objects {
		o := &objects[i]
		o.Radius, o.Tilt = drawBetween(n, 0.16, 0.2), drawBetween(n, -0.2, 0.2)
		for c := range o.Shade {
			o.Shade[c] = drawBetween(n, -0.05, 0.05)
		}
		along, across := drawBetween(n, 0.24, 0.3), drawBetween(n, 0.34, 0.66)
		if i == 1 {
			along = 1 - along
		}
		o.X, o.Y = along, across
		if d == Upright {
			o.X, o.Y = across, along
		}
	}
	if len(objects) == 1 {
		o := &objects[0]
		o.X, o.Y = drawBetween(n, 0.28, 0.72), drawBetween(n, 0.28, 0.72)
		o.Radius *= 1.25
	}
	if s.Plain {
		return scene
	}
	scene.Ground, scene.Outlined = n.IntN(len(Grounds)), true
	scene.Light /= 4
	for i := range objects {
		o := &objects[i]
		o.Texture, o.Large = n.IntN(len(Textures)), n.IntN(2) == 0
		if !o.Large {
			o.Radius *= 0.66
		}
	}
	if d == Depth && len(objects) == 2 {
		scene.overlap(drawBetween(n, 0, 2*math.Pi), drawBetween(n, 0.46, 0.54), drawBetween(n, 0.46, 0.54))
	}
	return scene
}

// overlap puts the first object in front of the second, at an angle to it, so that most of the
// second stays visible. x and y are the middle of both.
func (s Scene) overlap(angle, x, y float64) {
	front, behind := &s.Objects[0], &s.Objects[1]
	apart := front.Radius + 0.3*behind.Radius
	sin, cos := math.Sincos(angle)
	front.X, front.Y = x-cos*apart/2, y-sin*apart/2
	behind.X, behind.Y = x+cos*apart/2, y+sin*apart/2
}
