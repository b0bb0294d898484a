package synth

// Object is a shape with a colour. Its place and radius are in shares of the
// image's side, from the top left.
type Object struct {
	Colour, Shape int // indices of Colours and Shapes
	X, Y, Radius  float64
	Tilt          float64    // in radians
	Shade         [3]float64 // what is added to red, green and blue, from -1 to 1
}

// Scene is an image that can be rendered, and how it is said.
type Scene struct {
	Objects []Object // one or two; of two the first is the left or the upper one
	Upright bool     // two objects stand above each other, not side by side
	Wording int      // which wording of those that fit, any number
	Grey    float64  // the background, from 0 (black) to 1
}

// Swapped is the scene with the colours of its two objects swapped.
func (s Scene) Swapped() Scene {
	a, b := s.Objects[0], s.Objects[1]
	a.Colour, b.Colour = b.Colour, a.Colour
	s.Objects = []Object{a, b}
	return s
}

// Colour is a colour with its name.
type Colour struct {
	Name             string
	Red, Green, Blue uint8
}

// Colours are those of the free world.
var Colours = [...]Colour{
	{"red", 214, 39, 40}, {"green", 44, 150, 44}, {"blue", 40, 70, 210}, {"yellow", 240, 215, 40},
	{"orange", 245, 135, 20}, {"purple", 140, 50, 170}, {"black", 18, 18, 18}, {"white", 245, 245, 245},
}
