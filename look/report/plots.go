package report

import (
	"bytes"
	"html/template"
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Placeholders for colours that the style sheet sets for light and dark pages.
var (
	ink    = color.RGBA{1, 1, 1, 255}
	first  = color.RGBA{2, 2, 2, 255}
	second = color.RGBA{3, 3, 3, 255}
)

// themeColours replaces the placeholders in an SVG by the colours of the style sheet.
var themeColours = strings.NewReplacer("#010101", "currentColor", "#020202", "var(--first)", "#030303", "var(--second)", "#FFFFFF", "none", "#ffffff", "none")

// series is a set of values of a histogram.
type series struct {
	name   string
	values []float64
}

// seriesColours are the colours of a plot's first, second and third series.
var seriesColours = []color.Color{first, second, ink}

// drawHistogram draws one or two series. The height of a bar is the share of the values of its series.
func drawHistogram(title, unit string, bins int, all ...series) (template.HTML, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, unit, "share"
	for i, s := range all {
		if len(s.values) == 0 {
			continue
		}
		h, err := plotter.NewHist(plotter.Values(s.values), bins)
		if err != nil {
			return "", err
		}
		h.Normalize(1)
		h.FillColor = nil
		h.LineStyle = draw.LineStyle{Color: seriesColours[i], Width: vg.Points(1.5)}
		p.Add(h)
		if len(all) > 1 {
			p.Legend.Add(s.name, h)
		}
	}
	return renderSVG(p)
}

// renderSVG returns a plot as SVG in the colours of the theme.
func renderSVG(p *plot.Plot) (template.HTML, error) {
	p.BackgroundColor = color.White
	p.Legend.Top = true
	for _, style := range []*color.Color{
		&p.Title.TextStyle.Color, &p.X.Color, &p.X.Label.TextStyle.Color, &p.X.Tick.Color, &p.X.Tick.Label.Color,
		&p.Y.Color, &p.Y.Label.TextStyle.Color, &p.Y.Tick.Color, &p.Y.Tick.Label.Color, &p.Legend.TextStyle.Color,
	} {
		*style = ink
	}
	canvas := vgsvg.New(vg.Points(320), vg.Points(200))
	p.Draw(draw.New(canvas))
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		return "", err
	}
	text := svg.String()
	text = text[strings.Index(text, "<svg"):]
	return template.HTML(themeColours.Replace(text)), nil
}
