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

// ModelOptions are the settings of WriteModels.
type ModelOptions struct {
	Models  []string // names
	Command string   // prints the page again
	Version string
	Worst   int // how many failed cases of each benchmark are shown
	// Image reads an image of the benchmark with that index.
	Image func(ctx context.Context, benchmark int, name string) ([]byte, error)
}

// WriteModels writes the page of the results of models on benchmarks: bars of each figure with
// their intervals, the figures of each benchmark's parts, and the cases with the lowest margins,
// with their images. If it fails, it writes nothing.
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

// benchmarkView is the template's data for one benchmark.
type benchmarkView struct {
	Name    string
	Figures []figureView
	Broken  []clip.Broken
	Worst   []failedCase // the lowest margin first
}

// figureView is a figure and the names of the models.
type figureView struct {
	clip.Figure
	models []string
}

// bar is the value of a model and its interval. Length, From and Width are percentages of the full width.
type bar struct {
	Model, Text, Interval string
	Length, From, Width   float64
}

// Bars returns a bar for each model.
func (f figureView) Bars() (bars []bar) {
	for i, v := range f.Values {
		b := bar{Model: f.models[i], Text: f.Text(v.Value), Interval: f.Interval(v), Length: barLength(v.Value), From: barLength(v.Low)}
		b.Width = barLength(v.High) - b.From
		bars = append(bars, b)
	}
	return bars
}

// ChanceLength returns the length of a bar for the value that chance gives.
func (f figureView) ChanceLength() float64 { return barLength(clip.Number(f.Chance)) }

// DifferenceText returns the difference between two models and its interval; "" if there is none.
func (f figureView) DifferenceText() string {
	if f.Difference == nil {
		return ""
	}
	return f.Text(f.Difference.Value) + ", 95 %: " + f.Interval(*f.Difference)
}

// PartTexts formats the values of the models on a part.
func (f figureView) PartTexts(p clip.PartFigure) (texts []string) {
	for _, v := range p.Values {
		texts = append(texts, f.Text(v))
	}
	return texts
}

// barLength returns the length of a bar for a share or a cosine, from 0 to 100. Negative values have the
// length 0.
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

// worstCases returns the cases of benchmark i with the lowest margins of the last model in its first measure.
func worstCases(ctx context.Context, i int, results [][]*clip.Result, o ModelOptions) (list []failedCase, err error) {
	last := results[len(results)-1][i]
	if len(last.Measures) == 0 || len(last.Measures[0].Margins) != len(last.Cases) {
		return nil, nil // some margins are about several cases
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

// thumbnailSide is the width and height of a thumbnail in pixels.
const thumbnailSide = 160

// makeThumbnail returns a thumbnail of the part of an image that the model saw, as a data URL.
func makeThumbnail(ctx context.Context, benchmark int, part clip.Image, o ModelOptions) (template.URL, error) {
	encoded, err := o.Image(ctx, benchmark, part.Name)
	if err != nil {
		return "", err
	}
	return shrinkImage(encoded, part.Part)
}

// shrinkImage returns a thumbnail of the centre of a part of an image, as a data URL. An empty part stands
// for the whole image.
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
