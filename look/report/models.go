package report

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"html/template"
	"image"
	"image/jpeg"
	"io"
	"math"
	"slices"

	"capgraph/eval/clip"
	"capgraph/images"
)

// ModelOptions are the settings of the page of models.
type ModelOptions struct {
	Models  []string // names
	Command string   // writes the page again
	Version string
	Worst   int // cases of each benchmark to show
	// Image reads an image of a benchmark, given the index of the benchmark.
	Image func(ctx context.Context, benchmark int, name string) ([]byte, error)
}

// WriteModels writes the page of the results of each model: a bar a figure with its interval, the
// parts of each benchmark, and the cases that went most wrong with their images. It writes nothing
// if it fails.
func WriteModels(ctx context.Context, w io.Writer, results [][]*clip.Result, o ModelOptions) error {
	view := struct {
		ModelOptions
		Style      template.CSS
		Benchmarks []benchmarkView
	}{ModelOptions: o, Style: template.CSS(Style)}
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
	return writePage(w, "models.html", view)
}

// benchmarkView has the data of the page for one benchmark.
type benchmarkView struct {
	Name    string
	Figures []figureView
	Broken  []clip.Broken
	Worst   []failedCase // the most wrong first
}

// figureView is a figure with the models' names.
type figureView struct {
	clip.Figure
	models []string
}

// bar is a value and its interval. Lengths are in percent of the width.
type bar struct {
	Model, Text, Interval string
	Length, From, Width   float64
}

// Bars returns the value of each model.
func (f figureView) Bars() (bars []bar) {
	for i, v := range f.Values {
		b := bar{Model: f.models[i], Text: f.Text(v.Value), Interval: f.Interval(v), Length: barLength(v.Value), From: barLength(v.Low)}
		b.Width = barLength(v.High) - b.From
		bars = append(bars, b)
	}
	return bars
}

// ChanceLength returns the length of a bar at chance.
func (f figureView) ChanceLength() float64 { return barLength(clip.Number(f.Chance)) }

// DifferenceText returns the difference of two models and its interval, or "".
func (f figureView) DifferenceText() string {
	if f.Difference == nil {
		return ""
	}
	return f.Text(f.Difference.Value) + ", 95 %: " + f.Interval(*f.Difference)
}

// PartTexts returns the values of a part.
func (f figureView) PartTexts(p clip.PartFigure) (texts []string) {
	for _, v := range p.Values {
		texts = append(texts, f.Text(v))
	}
	return texts
}

// barLength returns the length of a share or a cosine; below 0 it is 0.
func barLength(n clip.Number) float64 {
	v := float64(n)
	if math.IsNaN(v) {
		return 0
	}
	return 100 * min(max(v, 0), 1)
}

// failedCase is a case that a model got wrong.
type failedCase struct {
	ID      string
	Images  []template.URL
	Texts   []string
	Margins []float64 // of the models
}

// worstCases returns the cases of benchmark i with the lowest margins in its first measure.
func worstCases(ctx context.Context, i int, results [][]*clip.Result, o ModelOptions) (list []failedCase, err error) {
	last := results[len(results)-1][i]
	if len(last.Measures) == 0 || len(last.Measures[0].Margins) != len(last.Cases) {
		return nil, nil // some margins are of several cases
	}
	margins := last.Measures[0].Margins
	var order []int
	for k, m := range margins {
		if m <= 0 { // not NaN
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(margins[a], margins[b]) })
	for _, k := range order[:min(len(order), o.Worst)] {
		c := last.Cases[k]
		w := failedCase{ID: c.ID, Texts: c.Texts}
		for _, model := range results {
			w.Margins = append(w.Margins, model[i].Measures[0].Margins[k])
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

// thumbnailSide is the side of an image on the page, in pixels.
const thumbnailSide = 160

// makeThumbnail returns the part of an image that the model saw, as a data URL.
func makeThumbnail(ctx context.Context, benchmark int, part clip.Image, o ModelOptions) (template.URL, error) {
	encoded, err := o.Image(ctx, benchmark, part.Name)
	if err != nil {
		return "", err
	}
	return shrinkImage(encoded, part.Part)
}

// shrinkImage returns the centre of a part of an image, or of all of it, as a data URL.
func shrinkImage(encoded []byte, part image.Rectangle) (template.URL, error) {
	var d images.Decoder
	pixels, err := d.CentreCropPart(encoded, part, thumbnailSide, nil)
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
