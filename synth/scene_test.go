package synth

import (
	"fmt"
	"image/color"
	"strings"
	"testing"
)

// drawn is the scenes of a world.
func drawn(t *testing.T, w World) *Scenes {
	t.Helper()
	s, err := New(w)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestScenesAreAsTheCaptionsSay looks for each object if it was placed, in
// its colour, and for the side that the caption tells.
func TestScenesAreAsTheCaptionsSay(t *testing.T) {
	for _, w := range []World{{Kind: Free, Plain: true, Seed: 7, Side: 64}, {Kind: Free, Seed: 7, Side: 64}, {Kind: Fixed, Seed: 7, Side: 64, Pairs: 0.5}} {
		scenes, p := drawn(t, w), newPainter(w.Side)
		for i := range 500 {
			s := scenes.TrainScene(i)
			p.paint(s)
			for k, o := range s.Objects {
				if !strings.Contains(s.Caption(), s.describe(o)) {
					t.Errorf("scene %d: %q lacks %s", i, s.Caption(), s.describe(o))
				}
				if hidden := s.Direction == Depth && k == 1; o.Texture == 0 && !hidden {
					looksRight(t, p, i, o)
				}
				if o.X-o.Radius < 0 || o.X+o.Radius > 1 || o.Y-o.Radius < 0 || o.Y+o.Radius > 1 {
					t.Errorf("scene %d: object %d is cut off: %+v", i, k, o)
				}
			}
			if len(s.Objects) == 2 {
				standsRight(t, i, s)
			}
		}
	}
}

// looksRight finds an object of one colour on the canvas.
func looksRight(t *testing.T, p *painter, i int, o Object) {
	t.Helper()
	at, near := Shapes[o.Shape].Outlines[0][0], 0.8 // near the first point of the outline
	switch Shapes[o.Shape].Name {
	case "cross", "square", "diamond":
		at, near = Point{0, 0}, 0
	case "triangle":
		near = 0.4
	case "moon":
		at, near = Point{-0.6, 0}, 1
	case "star":
		return
	}
	tilted := newPoint(at, o.Tilt)
	x, y := int(64*(o.X+near*o.Radius*tilted.X)), int(64*(o.Y+near*o.Radius*tilted.Y))
	if got := p.canvas.RGBAAt(x, y); far(got, o.shadedColour()) {
		t.Errorf("scene %d: %s is %v at %d, %d, not %v", i, Shapes[o.Shape].Name, got, x, y, o.shadedColour())
	}
}

// standsRight sees that two objects stand as the caption says.
func standsRight(t *testing.T, i int, s Scene) {
	t.Helper()
	caption, a, b := s.Caption(), s.Objects[0], s.Objects[1]
	first := strings.HasPrefix(caption, s.describe(a))
	says := func(words ...string) (any bool) {
		for _, w := range words {
			any = any || strings.Contains(caption, " "+w+" ")
		}
		return any
	}
	if says("left", "above", "front") && !first || says("right", "below", "behind") && first {
		t.Errorf("scene %d: %q, of %s and %s", i, caption, s.describe(a), s.describe(b))
	}
	right := map[Direction]bool{Beside: b.X-a.X > a.Radius+b.Radius, Upright: b.Y-a.Y > a.Radius+b.Radius, Depth: true}[s.Direction]
	said := [directions]bool{Beside: says("left", "right", "next"), Upright: says("above", "below"), Depth: says("front", "behind")}
	for d, said := range said {
		if !right || said && Direction(d) != s.Direction {
			t.Errorf("scene %d: %q of %+v", i, caption, s)
		}
	}
}

func newPoint(at Point, tilt float64) Point {
	o := regularPolygon(1, tilt)[0]
	return Point{at.X*o.X - at.Y*o.Y, at.X*o.Y + at.Y*o.X}
}

func far(a, b color.RGBA) bool {
	d := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return d(a.R, b.R)+d(a.G, b.G)+d(a.B, b.B) > 60
}

// TestChangedScenesSayOneThingElse changes colours and places.
func TestChangedScenesSayOneThingElse(t *testing.T) {
	s := Scene{Objects: []Object{{Colour: 0, Shape: 0, Large: true, Texture: 1}, {Colour: 4, Shape: 1}}, Wording: 4, Ground: 1}
	got := fmt.Sprintf("%s; %s; %s", s.Caption(), s.ColoursSwapped().Caption(), s.PlacesSwapped().Caption())
	if want := "a large red striped circle to the left of a small orange square on grass; " +
		"a large orange striped circle to the left of a small red square on grass; " +
		"a small orange square to the left of a large red striped circle on grass"; got != want {
		t.Errorf("got %s", got)
	}
	s = Scene{Objects: []Object{{Colour: 4, Shape: 9, Large: true}}}
	if got := s.Caption(); got != "an orange arrow" {
		t.Errorf("got %s", got)
	}
}

// BenchmarkRender is scenes a second on one core.
func BenchmarkRender(b *testing.B) {
	for _, w := range []World{{Kind: Free, Plain: true, Seed: 7, Side: 32}, {Kind: Free, Seed: 7, Side: 32}, {Kind: Free, Seed: 7, Side: 64}, {Kind: Free, Seed: 7, Side: 224}} {
		b.Run(fmt.Sprintf("side=%d,plain=%t", w.Side, w.Plain), func(b *testing.B) {
			s, err := New(w)
			if err != nil {
				b.Fatal(err)
			}
			p := newPainter(w.Side)
			for i := 0; b.Loop(); i++ {
				if _, err := p.encodePNG(s.TrainScene(i)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "scenes/s")
		})
	}
}
