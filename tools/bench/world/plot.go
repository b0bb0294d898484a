package main

import (
	"bytes"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// hues distinguish rows, also for colour-blind readers.
var hues = []color.RGBA{
	{0, 0, 0, 255}, {0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {230, 159, 0, 255},
	{86, 180, 233, 255}, {120, 120, 120, 255}, {150, 60, 60, 255}, {60, 110, 60, 255}, {90, 60, 140, 255}, {140, 120, 20, 255},
}

// bars are means with a standard deviation above and below.
type bars struct {
	plotter.XYs
	plotter.YErrors
}

// plot draws a panel of a table as SVG, with a group of points for each column and a point for each
// row.
func (t table) plot(on panel) ([]byte, error) {
	p := plot.New()
	p.Title.Text, p.Y.Label.Text = t.title, "%"
	if on.title != "" {
		p.Title.Text += ": " + on.title
	}
	p.Y.Min, p.Y.Max = 0, 100
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs, p.Legend.Padding = true, true, vg.Points(560), vg.Points(2)
	p.Legend.ThumbnailWidth, p.Legend.TextStyle.Font.Size = vg.Points(8), vg.Points(8)
	var names []string
	for _, c := range on.columns {
		names = append(names, c.title)
	}
	p.NominalX(names...)
	const legend = 0.4 // width of the legend, as a share of the columns' width
	p.X.Min, p.X.Max = -0.5, (1+legend)*float64(len(on.columns))-0.5
	pairs := slices.IndexFunc(on.columns, column.isRetrieval)
	if pairs < 0 {
		pairs = len(on.columns)
	}
	chance, err := plotter.NewLine(plotter.XYs{{X: -0.5, Y: 50}, {X: float64(pairs) - 0.5, Y: 50}})
	if err != nil {
		return nil, err
	}
	chance.LineStyle = draw.LineStyle{Color: color.Gray{180}, Width: vg.Points(0.7), Dashes: []vg.Length{vg.Points(3)}}
	p.Add(chance)
	for i, r := range t.rows {
		var b bars
		for k, c := range on.columns {
			if s := c.meanSample(r.figures); len(s) > 0 {
				x := float64(k) + 0.7*((float64(i)+0.5)/float64(len(t.rows))-0.5)
				b.XYs = append(b.XYs, plotter.XY{X: x, Y: s.mean()})
				b.YErrors = append(b.YErrors, struct{ Low, High float64 }{s.deviation(), s.deviation()})
			}
		}
		if len(b.XYs) == 0 {
			continue
		}
		points, err := plotter.NewScatter(b)
		if err != nil {
			return nil, err
		}
		errors, err := plotter.NewYErrorBars(b)
		if err != nil {
			return nil, err
		}
		hue := hues[i%len(hues)]
		points.GlyphStyle = draw.GlyphStyle{Color: hue, Radius: vg.Points(2.2), Shape: draw.CircleGlyph{}}
		errors.LineStyle.Color = hue
		p.Add(errors, points)
		p.Legend.Add(strings.Trim(r.name, "*"), points)
	}
	canvas := vgsvg.New(vg.Points(800), vg.Points(300))
	p.Draw(draw.New(canvas))
	var svg bytes.Buffer
	_, err = canvas.WriteTo(&svg)
	return svg.Bytes(), err
}
