package synth

import "math"

// Colour is a colour with its name.
type Colour struct {
	Name             string
	Red, Green, Blue uint8
}

// Colours are the colours of objects.
var Colours = [...]Colour{
	{"red", 214, 39, 40}, {"green", 44, 150, 44}, {"blue", 40, 70, 210}, {"yellow", 240, 215, 40},
	{"orange", 245, 135, 20}, {"purple", 140, 50, 170}, {"black", 18, 18, 18}, {"white", 245, 245, 245},
}

// Pattern returns how far inside the areas of the second colour a point is; below 0 it is outside.
type Pattern func(x, y float64) float64

// Texture is the surface of an object. Its unit of length is the object's radius.
type Texture struct {
	Name    string // "" is plain and is not mentioned
	Pattern Pattern
}

// Textures are the textures of objects.
var Textures = [...]Texture{
	{},
	{"striped", func(x, _ float64) float64 { return sawtooth(x/0.5) * 0.5 }},
	{"dotted", func(x, y float64) float64 {
		return 0.17 - math.Hypot(sawtooth(x/0.55)*0.55, sawtooth(y/0.55)*0.55)
	}},
	{"checked", func(x, y float64) float64 { return sawtooth(x/0.6) * sawtooth(y/0.6) }},
}

// Ground is the background of a scene. Its unit of length is the side of the image.
type Ground struct {
	Phrase           string // its words in a caption; "" is grey and is not mentioned
	Red, Green, Blue uint8
	Pattern          Pattern
}

// Grounds are the backgrounds of scenes. All are pale, so that objects stand out.
var Grounds = [...]Ground{
	{"", 138, 138, 138, nil},
	{"on grass", 150, 186, 128, func(x, y float64) float64 { return sawtooth(x*13+3*sawtooth(y*4)) * 0.04 }},
	{"on sand", 214, 192, 150, func(x, y float64) float64 { return sawtooth(x*17+y*29) * sawtooth(y*23-x*11) * 0.08 }},
	{"on snow", 226, 232, 238, func(x, y float64) float64 { return sawtooth(x*3+y*2) * sawtooth(y*3-x) * 0.1 }},
	{"on water", 140, 176, 204, func(x, y float64) float64 { return sawtooth(y*11+0.5*math.Sin(9*x)) * 0.05 }},
}

// sawtooth is a wave of straight lines between -0.5 and 0.5 with period 1.
func sawtooth(x float64) float64 {
	return 2*math.Abs(x-math.Floor(x)-0.5) - 0.5
}
