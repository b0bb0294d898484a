package synth

// Object is a shape with a colour. Its place and radius are shares of the image's side, from the
// top left.
type Object struct {
	Colour, Shape, Texture int // indices of Colours, Shapes and Textures
	Large                  bool
	X, Y, Radius           float64
	Tilt                   float64    // in radians
	Shade                  [3]float64 // what is added to red, green and blue, from -1 to 1
}

// Direction is how two objects are arranged.
type Direction int

// The directions: the first object is the left, the upper or the front one.
const (
	Beside Direction = iota
	Upright
	Depth
	directions
)

// Scene is an image that can be rendered, and how it is described.
type Scene struct {
	Objects   []Object // one or two
	Direction Direction
	Ground    int     // index of Grounds
	Outlined  bool    // objects have a dark edge
	Light     float64 // what is added to the ground, from -1 to 1
	Wording   int     // which of the possible wordings, any number
	Related   bool    // of two objects: the caption says where they are
}

// ColoursSwapped returns the scene with the colours of its two objects swapped.
func (s Scene) ColoursSwapped() Scene {
	a, b := s.Objects[0], s.Objects[1]
	a.Colour, b.Colour = b.Colour, a.Colour
	s.Objects = []Object{a, b}
	return s
}

// PlacesSwapped returns the scene with the places of its two objects swapped in the caption.
func (s Scene) PlacesSwapped() Scene {
	s.Objects = []Object{s.Objects[1], s.Objects[0]}
	return s
}
