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
var pageTemplate string

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
		Benchmarks []benchmarkView
	}{Options: o, Style: template.CSS(report.Style)}
	figures := clip.Figures(results)
	for i, r := range results[len(results)-1] {
		b := benchmarkView{Name: r.Name, Broken: r.Broken}
		for len(figures) > 0 && len(b.Figures) < len(r.Measures) {
			b.Figures = append(b.Figures, figureView{figures[0], o.Models})
			figures = figures[1:]
		}
		var err error
		if b.Worst, err = worstCases(ctx, i, results, o); err != nil {
			return err
		}
		view.Benchmarks = append(view.Benchmarks, b)
	}
	t, err := template.New("page").Parse(pageTemplate)
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

// benchmarkView is what the page shows of one.
type benchmarkView struct {
	Name    string
	Figures []figureView
	Broken  []clip.Broken
	Worst   []failedCase
}

// figureView is a measure, drawn.
type figureView struct {
	clip.Figure
	models []string
}

// bar is one value: lengths are in percent of the width.
type bar struct {
	Model, Text, Interval string
	Length, From, Width   float64
}

// Bars are the values of the models.
func (f figureView) Bars() (bars []bar) {
	for i, v := range f.Values {
		b := bar{Model: f.models[i], Text: f.Text(v.Value), Interval: f.Interval(v), Length: barLength(v.Value), From: barLength(v.Low)}
		b.Width = barLength(v.High) - b.From
		bars = append(bars, b)
	}
	return bars
}

// ChanceLength is where chance lies.
func (f figureView) ChanceLength() float64 { return barLength(clip.Number(f.Chance)) }

// DifferenceText is the difference of two models, in words.
func (f figureView) DifferenceText() string {
	if f.Difference == nil {
		return ""
	}
	return f.Text(f.Difference.Value) + ", 95 %: " + f.Interval(*f.Difference)
}

// PartTexts are the values of a part.
func (f figureView) PartTexts(p clip.PartFigure) (texts []string) {
	for _, v := range p.Values {
		texts = append(texts, f.Text(v))
	}
	return texts
}

// barLength is a share or a cosine as a length; what is below 0 has none.
func barLength(n clip.Number) float64 {
	v := float64(n)
	if math.IsNaN(v) {
		return 0
	}
	return 100 * min(max(v, 0), 1)
}

// failedCase is a case that went wrong.
type failedCase struct {
	ID      string
	Images  []template.URL
	Texts   []string
	Margins []float64 // of the models
}

// worstCases are the cases of the lowest margins of the first measure of benchmark i.
func worstCases(ctx context.Context, i int, results [][]*clip.Result, o Options) (list []failedCase, err error) {
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
		w := failedCase{ID: c.ID, Texts: c.Texts}
		for _, of := range results {
			w.Margins = append(w.Margins, of[i].Measures[0].Margins[k])
		}
		for _, image := range c.Images {
			drawn, err := makeThumbnail(ctx, i, image, o)
			if err != nil {
				return nil, err
			}
			w.Images = append(w.Images, drawn)
		}
		list = append(list, w)
	}
	return list, nil
}

// thumbnailSide is that of an image on the page, in pixels.
const thumbnailSide = 160

// makeThumbnail is the part of an image that a model looked at, as an address that has it.
func makeThumbnail(ctx context.Context, benchmark int, of clip.Image, o Options) (template.URL, error) {
	encoded, err := o.Image(ctx, benchmark, of.Name)
	if err != nil {
		return "", err
	}
	var d images.Decoder
	pixels, err := d.CentreCropOf(encoded, of.Part, thumbnailSide, nil)
	if err != nil {
		return "", err
	}
	picture := image.NewNRGBA(image.Rect(0, 0, thumbnailSide, thumbnailSide))
	for i := range thumbnailSide * thumbnailSide {
		copy(picture.Pix[4*i:], pixels[3*i:3*i+3])
		picture.Pix[4*i+3] = 255
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: 80}); err != nil {
		return "", err
	}
	return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(out.Bytes())), nil
}
