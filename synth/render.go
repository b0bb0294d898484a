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

// painter renders scenes with buffers of its own, which it keeps.
type painter struct {
	canvas  *image.RGBA
	raster  *vector.Rasterizer
	encoder png.Encoder
	buffer  *png.EncoderBuffer
	out     bytes.Buffer
}

func newPainter(side int) *painter {
	p := &painter{canvas: image.NewRGBA(image.Rect(0, 0, side, side)), raster: vector.NewRasterizer(side, side)}
	p.encoder = png.Encoder{BufferPool: p}
	return p
}

// Get implements png.EncoderBufferPool.
func (p *painter) Get() *png.EncoderBuffer { return p.buffer }

// Put implements png.EncoderBufferPool.
func (p *painter) Put(b *png.EncoderBuffer) { p.buffer = b }

// png is a scene as a PNG, which is the caller's.
func (p *painter) png(s Scene) ([]byte, error) {
	p.paint(s)
	p.out.Reset()
	if err := p.encoder.Encode(&p.out, p.canvas); err != nil {
		return nil, err
	}
	return bytes.Clone(p.out.Bytes()), nil
}

// paint renders a scene onto the canvas, with edges that are anti-aliased.
func (p *painter) paint(s Scene) {
	grey := uint8(math.Round(255 * s.Grey))
	draw.Draw(p.canvas, p.canvas.Rect, image.NewUniform(color.RGBA{grey, grey, grey, 255}), image.Point{}, draw.Src)
	side := float64(p.canvas.Rect.Dx())
	for _, o := range s.Objects {
		p.raster.Reset(p.canvas.Rect.Dx(), p.canvas.Rect.Dy())
		sin, cos := math.Sincos(o.Tilt)
		for _, outline := range Shapes[o.Shape].Outlines {
			for i, at := range outline {
				x := float32(side * (o.X + o.Radius*(at.X*cos-at.Y*sin)))
				y := float32(side * (o.Y + o.Radius*(at.X*sin+at.Y*cos)))
				if i == 0 {
					p.raster.MoveTo(x, y)
				} else {
					p.raster.LineTo(x, y)
				}
			}
			p.raster.ClosePath()
		}
		p.raster.Draw(p.canvas, p.canvas.Rect, image.NewUniform(o.colour()), image.Point{})
	}
}

// colour is that of an object in its shade.
func (o Object) colour() color.RGBA {
	c := Colours[o.Colour]
	shaded := func(value uint8, shade float64) uint8 {
		return uint8(math.Round(min(max(float64(value)+255*shade, 0), 255)))
	}
	return color.RGBA{shaded(c.Red, o.Shade[0]), shaded(c.Green, o.Shade[1]), shaded(c.Blue, o.Shade[2]), 255}
}
