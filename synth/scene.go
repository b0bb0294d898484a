package synth

// Object is a coloured shape. X, Y and Radius are relative to the image's side, from the top left.
type Object struct {
	Colour, Shape, Texture int // indices of Colours, Shapes and Textures
	Large                  bool
	X, Y, Radius           float64
	Tilt                   float64    // in radians
	Shade                  [3]float64 // added to red, green and blue, from -1 to 1
}

// Direction is the way in which two objects are arranged.
type Direction int

// The directions: the first object is the left, the upper or the front one.
const (
	Beside Direction = iota
	Upright
	Depth
	directions
)

// Scene has all that determines an image and its caption.
type Scene struct {
	Objects   []Object // one or two
	Direction Direction
	Ground    int     // index of Grounds
	Outlined  bool    // objects have a dark edge
	Light     float64 // added to the ground, from -1 to 1
	Wording   int     // selects one of the wordings; any number
	Related   bool    // for two objects: whether the caption must say where they are
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
