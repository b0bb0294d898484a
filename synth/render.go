package synth

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"

	"golang.org/x/image/vector"
)

// edge is the size of the dark edge behind an outlined object, relative to the object.
const edge = 1.13

// painter renders scenes. It reuses its buffers.
type painter struct {
	canvas  *image.RGBA
	mask    *image.Alpha
	grounds [len(Grounds)][]int8 // the pattern of each ground, a number for each pixel, once it is needed
	raster  *vector.Rasterizer
	encoder png.Encoder
	buffer  *png.EncoderBuffer
	out     bytes.Buffer
}

func newPainter(side int) *painter {
	all := image.Rect(0, 0, side, side)
	p := &painter{canvas: image.NewRGBA(all), mask: image.NewAlpha(all), raster: vector.NewRasterizer(side, side)}
	p.encoder = png.Encoder{BufferPool: p, CompressionLevel: png.BestSpeed}
	return p
}

// Get implements png.EncoderBufferPool.
func (p *painter) Get() *png.EncoderBuffer { return p.buffer }

// Put implements png.EncoderBufferPool.
func (p *painter) Put(b *png.EncoderBuffer) { p.buffer = b }

// encodePNG renders a scene and returns it as a PNG.
func (p *painter) encodePNG(s Scene) ([]byte, error) {
	p.paint(s)
	p.out.Reset()
	if err := p.encoder.Encode(&p.out, p.canvas); err != nil {
		return nil, err
	}
	return bytes.Clone(p.out.Bytes()), nil
}

// paint renders a scene onto the canvas, from back to front, with anti-aliased edges.
func (p *painter) paint(s Scene) {
	p.fillGround(s.Ground, s.Light)
	for i := len(s.Objects) - 1; i >= 0; i-- {
		o := s.Objects[i]
		if s.Outlined {
			box := p.traceOutline(o, edge)
			p.raster.Draw(p.canvas, box, image.NewUniform(color.RGBA{40, 40, 40, 255}), image.Point{})
		}
		colour := o.shadedColour()
		box := p.traceOutline(o, 1)
		p.raster.Draw(p.canvas, box, image.NewUniform(colour), image.Point{})
		if pattern := Textures[o.Texture].Pattern; pattern != nil {
			p.drawTexture(o, pattern, contrastColour(colour))
		}
	}
}

// fillGround fills the canvas with a ground.
func (p *painter) fillGround(number int, light float64) {
	g := Grounds[number]
	base := lighten(color.RGBA{g.Red, g.Green, g.Blue, 255}, light)
	draw.Draw(p.canvas, p.canvas.Rect, image.NewUniform(base), image.Point{}, draw.Src)
	if g.Pattern == nil {
		return
	}
	for i, brighter := range p.groundPattern(number) {
		at := p.canvas.Pix[4*i : 4*i+4 : 4*i+4]
		for c := range 3 {
			at[c] = uint8(min(max(int(at[c])+int(brighter), 0), 255))
		}
	}
}

// groundPattern returns, for each pixel, how much the pattern of a ground brightens it.
func (p *painter) groundPattern(number int) []int8 {
	if p.grounds[number] == nil {
		side := p.canvas.Rect.Dx()
		for i := range side * side {
			x, y := (float64(i%side)+0.5)/float64(side), (float64(i/side)+0.5)/float64(side)
			p.grounds[number] = append(p.grounds[number], int8(math.Round(255*Grounds[number].Pattern(x, y))))
		}
	}
	return p.grounds[number]
}

// traceOutline traces the outline of an object, enlarged by a factor, on the rasterizer, which gets
// the size of the object's box. It returns that box.
func (p *painter) traceOutline(o Object, larger float64) image.Rectangle {
	side, radius := float64(p.canvas.Rect.Dx()), o.Radius*larger
	box := image.Rect(
		int(math.Floor(side*(o.X-radius))), int(math.Floor(side*(o.Y-radius))),
		int(math.Ceil(side*(o.X+radius))), int(math.Ceil(side*(o.Y+radius))),
	).Intersect(p.canvas.Rect)
	p.raster.Reset(box.Dx(), box.Dy())
	sin, cos := math.Sincos(o.Tilt)
	for _, outline := range Shapes[o.Shape].Outlines {
		for i, at := range outline {
			x := float32(side*(o.X+radius*(at.X*cos-at.Y*sin)) - float64(box.Min.X))
			y := float32(side*(o.Y+radius*(at.X*sin+at.Y*cos)) - float64(box.Min.Y))
			if i == 0 {
				p.raster.MoveTo(x, y)
			} else {
				p.raster.LineTo(x, y)
			}
		}
		p.raster.ClosePath()
	}
	return box
}

// drawTexture draws an object's pattern within the object, in the contrast colour.
func (p *painter) drawTexture(o Object, pattern Pattern, colour color.RGBA) {
	box := p.traceOutline(o, 1)
	p.raster.DrawOp = draw.Src
	p.raster.Draw(p.mask, box, image.Opaque, image.Point{})
	p.raster.DrawOp = draw.Over
	side := float64(p.canvas.Rect.Dx())
	pixels := side * o.Radius
	sin, cos := math.Sincos(-o.Tilt)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			dx, dy := (float64(x)+0.5-side*o.X)/pixels, (float64(y)+0.5-side*o.Y)/pixels
			inside := min(max(0.5+pixels*pattern(dx*cos-dy*sin, dx*sin+dy*cos), 0), 1)
			i := p.mask.PixOffset(x, y)
			p.mask.Pix[i] = uint8(math.Round(float64(p.mask.Pix[i]) * inside))
		}
	}
	draw.DrawMask(p.canvas, box, image.NewUniform(colour), image.Point{}, p.mask, box.Min, draw.Over)
}

// shadedColour returns the object's colour with its shade added.
func (o Object) shadedColour() color.RGBA {
	c := Colours[o.Colour]
	return color.RGBA{shade(c.Red, o.Shade[0]), shade(c.Green, o.Shade[1]), shade(c.Blue, o.Shade[2]), 255}
}

// contrastColour returns a paler shade of a colour, or a darker one if the colour is pale already.
func contrastColour(c color.RGBA) color.RGBA {
	toward := 255.
	if 3*int(c.R)+6*int(c.G)+int(c.B) > 1300 {
		toward = 0
	}
	mixed := func(v uint8) uint8 { return uint8(math.Round(float64(v)*0.5 + toward*0.5)) }
	return color.RGBA{mixed(c.R), mixed(c.G), mixed(c.B), 255}
}

// lighten returns a colour with light added to red, green and blue.
func lighten(c color.RGBA, light float64) color.RGBA {
	return color.RGBA{shade(c.R, light), shade(c.G, light), shade(c.B, light), 255}
}

func shade(value uint8, shade float64) uint8 {
	return uint8(math.Round(min(max(float64(value)+255*shade, 0), 255)))
}
