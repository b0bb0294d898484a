package emoji

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"path"
	"regexp"
	"strings"

	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
	scale "golang.org/x/image/draw"
)

// Side is the width and height of an image in pixels.
const Side = 64

// decode returns a picture of Side pixels on white.
func (p *picture) decode() (*image.RGBA, error) {
	canvas := newCanvas()
	if path.Ext(p.name) == ".svg" {
		icon, err := oksvg.ReadIconStream(bytes.NewReader(separateArcs(p.data)), oksvg.StrictErrorMode)
		if err != nil {
			return nil, fmt.Errorf("%s's %s: %w", p.designer, p.name, err)
		}
		icon.SetTarget(0, 0, Side, Side)
		icon.Draw(rasterx.NewDasher(Side, Side, rasterx.NewScannerGV(Side, Side, canvas, canvas.Rect)), 1)
		return canvas, nil
	}
	img, err := png.Decode(bytes.NewReader(p.data))
	if err != nil {
		return nil, fmt.Errorf("%s's %s: %w", p.designer, p.name, err)
	}
	scale.CatmullRom.Scale(canvas, canvas.Rect, img, img.Bounds(), draw.Over, nil)
	return canvas, nil
}

// newCanvas returns a white image.
func newCanvas() *image.RGBA {
	canvas := image.NewRGBA(image.Rect(0, 0, Side, Side))
	draw.Draw(canvas, canvas.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	return canvas
}

var (
	pathData  = regexp.MustCompile(`\bd="[^"]*"`)
	pathToken = regexp.MustCompile(`[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`)
)

// separateArcs writes each arc of an SVG's paths as a command of its own, with a space after each
// number. oksvg misreads several arcs in one command, and flags without a space after them.
func separateArcs(svg []byte) []byte {
	return pathData.ReplaceAllFunc(svg, func(attribute []byte) []byte {
		rest := string(attribute[len(`d="`) : len(attribute)-1])
		var out strings.Builder
		command, number := "", 0 // the count of numbers since the command
		for at := pathToken.FindStringIndex(rest); at != nil; at = pathToken.FindStringIndex(rest) {
			token := rest[at[0]:at[1]]
			isArc := command == "a" || command == "A"
			switch place := number % 7; {
			case strings.ContainsAny(token[:1], "+-.0123456789"):
				if isArc && (place == 3 || place == 4) {
					token = token[:1] // a flag is one digit
				}
				if isArc && place == 0 && number > 0 {
					out.WriteString(command + " ")
				}
				number++
			default:
				command, number = token, 0
			}
			out.WriteString(token + " ")
			rest = rest[at[0]+len(token):]
		}
		return []byte(`d="` + out.String() + `"`)
	})
}
