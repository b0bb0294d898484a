package synth

import "math"

// Shape is a shape with its name. Its outlines are those of a shape around the
// origin whose outermost points are at a distance of 1; one that turns the
// other way is a hole.
type Shape struct {
	Name     string
	Outlines [][]Point
}

// Point is a point of an outline; y points down.
type Point struct{ X, Y float64 }

// Shapes are those of the free world.
var Shapes = [...]Shape{
	{"circle", [][]Point{regular(48, 0)}},
	{"square", [][]Point{regular(4, math.Pi/4)}},
	{"triangle", [][]Point{regular(3, -math.Pi/2)}},
	{"star", [][]Point{star(5, 0.42)}},
	{"cross", [][]Point{cross(0.36)}},
	{"ring", [][]Point{regular(48, 0), inner(regular(48, 0), 0.55)}},
}

// regular is a polygon of n points, the first at an angle from the right.
func regular(n int, angle float64) []Point {
	points := make([]Point, n)
	for i := range points {
		sin, cos := math.Sincos(angle + 2*math.Pi*float64(i)/float64(n))
		points[i] = Point{cos, sin}
	}
	return points
}

// star has n points, and between them points at a smaller distance.
func star(n int, between float64) []Point {
	points := regular(2*n, -math.Pi/2)
	for i := 1; i < len(points); i += 2 {
		points[i] = Point{points[i].X * between, points[i].Y * between}
	}
	return points
}

// cross is two bars; half is half the width of one.
func cross(half float64) []Point {
	end := math.Sqrt(1 - half*half)
	return []Point{
		{-half, -end}, {half, -end}, {half, -half}, {end, -half}, {end, half}, {half, half},
		{half, end}, {-half, end}, {-half, half}, {-end, half}, {-end, -half}, {-half, -half},
	}
}

// inner is an outline made smaller and turned round: a hole.
func inner(outline []Point, scale float64) []Point {
	points := make([]Point, len(outline))
	for i, p := range outline {
		points[len(points)-1-i] = Point{p.X * scale, p.Y * scale}
	}
	return points
}
