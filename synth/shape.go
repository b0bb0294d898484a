package synth

import "math"

// Shape is a shape with its name. Its outlines are around the origin, with their outermost points
// at distance 1. An outline in the opposite sense of rotation is a hole.
type Shape struct {
	Name     string
	Outlines [][]Point
}

// Point is a point of an outline; y points down.
type Point struct{ X, Y float64 }

// Shapes are the shapes of objects.
var Shapes = [...]Shape{
	{"circle", [][]Point{regularPolygon(48, 0)}},
	{"square", [][]Point{regularPolygon(4, math.Pi/4)}},
	{"triangle", [][]Point{regularPolygon(3, -math.Pi/2)}},
	{"star", [][]Point{star(5, 0.42)}},
	{"cross", [][]Point{cross(0.36)}},
	{"ring", [][]Point{regularPolygon(48, 0), hole(regularPolygon(48, 0), 0.55)}},
	{"diamond", [][]Point{{{0, -1}, {0.6, 0}, {0, 1}, {-0.6, 0}}}},
	{"heart", [][]Point{heart(24)}},
	{"moon", [][]Point{moon(24)}},
	{"arrow", [][]Point{{{0, -1}, {0.75, -0.1}, {0.28, -0.1}, {0.28, 0.95}, {-0.28, 0.95}, {-0.28, -0.1}, {-0.75, -0.1}}}},
}

// regularPolygon returns a polygon of n points, the first at an angle from the right.
func regularPolygon(n int, angle float64) []Point {
	points := make([]Point, n)
	for i := range points {
		sin, cos := math.Sincos(angle + 2*math.Pi*float64(i)/float64(n))
		points[i] = Point{cos, sin}
	}
	return points
}

// star returns a star of n points. between is the distance of the points between them from the
// centre.
func star(n int, between float64) []Point {
	points := regularPolygon(2*n, -math.Pi/2)
	for i := 1; i < len(points); i += 2 {
		points[i] = Point{points[i].X * between, points[i].Y * between}
	}
	return points
}

// cross returns two crossed bars. half is half the width of a bar.
func cross(half float64) []Point {
	end := math.Sqrt(1 - half*half)
	return []Point{
		{-half, -end}, {half, -end}, {half, -half}, {end, -half}, {end, half}, {half, half},
		{half, end}, {-half, end}, {-half, half}, {-end, half}, {-end, -half}, {-half, -half},
	}
}

// hole returns an outline scaled and reversed, which makes it a hole.
func hole(outline []Point, scale float64) []Point {
	points := make([]Point, len(outline))
	for i, p := range outline {
		points[len(points)-1-i] = Point{p.X * scale, p.Y * scale}
	}
	return points
}

// heart returns n points of a heart, whose tip is at the bottom.
func heart(n int) []Point {
	points := make([]Point, n)
	for i := range points {
		t := 2 * math.Pi * float64(i) / float64(n)
		sin := math.Sin(t)
		points[i] = Point{16 * sin * sin * sin / 17, (5*math.Cos(2*t) + 2*math.Cos(3*t) + math.Cos(4*t) - 13*math.Cos(t)) / 17}
	}
	return points
}

// moon returns a crescent: n points of a circle, and n points of a smaller circle back to the
// first.
func moon(n int) []Point {
	const horn, centre = 0.9, 0.55 // the angle of the tip; x of the smaller circle's centre
	sin, cos := math.Sincos(horn)
	radius, back := math.Hypot(cos-centre, sin), math.Atan2(sin, cos-centre)
	var points []Point
	for i := range 2 * n {
		along, angle, r, x := float64(i%n)/float64(n-1), horn, 1.0, 0.0
		if i >= n {
			along, angle, r, x = 1-along, back, radius, centre
		}
		sin, cos := math.Sincos(angle + along*(2*math.Pi-2*angle))
		points = append(points, Point{x + r*cos, r * sin})
	}
	return points
}
