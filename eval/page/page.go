// Package page makes one HTML page of what models were measured at: a bar a figure
// with its interval, what each benchmark counts on its own, and the cases that went
// most wrong beside their images. It needs no other file and no network.
package page

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"html/template"
	"image"
	"image/jpeg"
	"io"
	"math"
	"slices"

	"capgraph/eval/clip"
	"capgraph/look/report"
	"capgraph/train/images"
)

//go:embed page.html
var page string

// Options say what a page is of.
type Options struct {
	Models  []string
	Command string // how the page can be made again
	Version string
	Worst   int // cases of each benchmark that are shown
	// Image reads an image of a benchmark, by the benchmark's number.
	Image func(ctx context.Context, benchmark int, name string) ([]byte, error)
}

// Write makes the page of results, those of each model. It writes nothing where it
// returns an error of its own.
func Write(ctx context.Context, w io.Writer, results [][]*clip.Result, o Options) error {
	view := struct {
		Options
		Style      template.CSS
		Benchmarks []benchmark
	}{Options: o, Style: template.CSS(report.Style)}
	figures := clip.Figures(results)
	for i, r := range results[len(results)-1] {
		b := benchmark{Name: r.Name, Broken: r.Broken}
		for len(figures) > 0 && len(b.Figures) < len(r.Measures) {
			b.Figures = append(b.Figures, figure{figures[0], o.Models})
			figures = figures[1:]
		}
		var err error
		if b.Worst, err = worst(ctx, i, results, o); err != nil {
			return err
		}
		view.Benchmarks = append(view.Benchmarks, b)
	}
	t, err := template.New("page").Parse(page)
	if err != nil {
		return err
	}
	var made bytes.Buffer
	if err := t.Execute(&made, view); err != nil {
		return err
	}
	_, err = made.WriteTo(w)
	return err
}

// benchmark is what the page shows of one.
type benchmark struct {
	Name    string
	Figures []figure
	Broken  []clip.Broken
	Worst   []wrong
}

// figure is a measure, drawn.
type figure struct {
	clip.Figure
	models []string
}

// bar is one value: lengths are in percent of the width.
type bar struct {
	Model, Text, Interval string
	Length, From, Width   float64
}

// Bars are the values of the models.
func (f figure) Bars() (bars []bar) {
	for i, v := range f.Values {
		b := bar{Model: f.models[i], Text: f.Text(v.Value), Interval: f.Interval(v), Length: scale(v.Value), From: scale(v.Low)}
		b.Width = scale(v.High) - b.From
		bars = append(bars, b)
	}
	return bars
}

// At is where chance lies.
func (f figure) At() float64 { return scale(clip.Number(f.Chance)) }

// Change is the difference of two models, in words.
func (f figure) Change() string {
	if f.Difference == nil {
		return ""
	}
	return f.Text(f.Difference.Value) + ", 95 %: " + f.Interval(*f.Difference)
}

// PartTexts are the values of a part.
func (f figure) PartTexts(p clip.PartFigure) (texts []string) {
	for _, v := range p.Values {
		texts = append(texts, f.Text(v))
	}
	return texts
}

// scale is a share or a cosine as a length; what is below 0 has none.
func scale(n clip.Number) float64 {
	v := float64(n)
	if math.IsNaN(v) {
		return 0
	}
	return 100 * min(max(v, 0), 1)
}

// wrong is a case that went wrong.
type wrong struct {
	ID      string
	Images  []template.URL
	Texts   []string
	Margins []float64 // of the models
}

// worst are the cases of the lowest margins of the first measure of benchmark i.
func worst(ctx context.Context, i int, results [][]*clip.Result, o Options) (list []wrong, err error) {
	last := results[len(results)-1][i]
	if len(last.Measures) == 0 || len(last.Measures[0].Margins) != len(last.Cases) {
		return nil, nil // not of cases alone
	}
	margins := last.Measures[0].Margins
	var order []int
	for k, m := range margins {
		if m <= 0 { // not NaN
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if margins[a] < margins[b] {
			return -1
		} else if margins[a] > margins[b] {
			return 1
		}
		return 0
	})
	for _, k := range order[:min(len(order), o.Worst)] {
		c := last.Cases[k]
		w := wrong{ID: c.ID, Texts: c.Texts}
		for _, of := range results {
			w.Margins = append(w.Margins, of[i].Measures[0].Margins[k])
		}
		for _, image := range c.Images {
			drawn, err := thumbnail(ctx, i, image, o)
			if err != nil {
				return nil, err
			}
			w.Images = append(w.Images, drawn)
		}
		list = append(list, w)
	}
	return list, nil
}

// side is that of an image on the page, in pixels.
const side = 160

// thumbnail is the part of an image that a model looked at, as an address that has it.
func thumbnail(ctx context.Context, benchmark int, of clip.Image, o Options) (template.URL, error) {
	encoded, err := o.Image(ctx, benchmark, of.Name)
	if err != nil {
		return "", err
	}
	var d images.Decoder
	pixels, err := d.CentreCropOf(encoded, of.Part, side, nil)
	if err != nil {
		return "", err
	}
	picture := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range side * side {
		copy(picture.Pix[4*i:], pixels[3*i:3*i+3])
		picture.Pix[4*i+3] = 255
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: 80}); err != nil {
		return "", err
	}
	return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(out.Bytes())), nil
}
