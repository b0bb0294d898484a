package report

import (
	"fmt"
	"html/template"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/stages"
)

// confidences are the probabilities of the parts of graphs, and of the texts made from parts.
type confidences struct {
	objects, attributes, relations []float64
	kept, dropped                  []float64
}

// addGraph adds the probabilities of the objects, attributes and relations of a graph.
func (c *confidences) addGraph(g *schemas.SceneGraph) {
	for i := range g.Objects {
		c.objects = append(c.objects, float64(g.Objects[i].Confidence))
		for k := range g.Objects[i].Attributes {
			c.attributes = append(c.attributes, float64(g.Objects[i].Attributes[k].Confidence))
		}
	}
	for i := range g.Relations {
		c.relations = append(c.relations, float64(g.Relations[i].Confidence))
	}
}

// addTexts adds the probabilities of the texts of an explained caption, kept or dropped.
func (c *confidences) addTexts(of *stages.Explanation) {
	for _, t := range of.Rated {
		if slices.ContainsFunc(of.Pool.Positives, func(p schemas.Positive) bool { return p.Text == t.Text }) {
			c.kept = append(c.kept, t.Confidence)
		} else {
			c.dropped = append(c.dropped, t.Confidence)
		}
	}
}

// drawPlots returns plots of the distributions of the confidences, and of the reliability that was measured
// on annotated captions.
func (c *confidences) drawPlots() ([]template.HTML, error) {
	parts, err := drawProbabilities("Confidence of parts", "probability of being right", series{"objects", c.objects}, series{"attributes", c.attributes}, series{"relations", c.relations})
	if err != nil {
		return nil, fmt.Errorf("plot the confidence of parts: %w", err)
	}
	measured, err := ruleparse.MeasuredReliability()
	if err != nil {
		return nil, err
	}
	reliability, err := drawReliability(measured)
	if err != nil {
		return nil, fmt.Errorf("plot the reliability: %w", err)
	}
	all := []template.HTML{parts, reliability}
	if len(c.kept)+len(c.dropped) > 0 {
		texts, err := drawProbabilities("Confidence of texts", "probability of being good", series{"kept", c.kept}, series{"dropped", c.dropped})
		if err != nil {
			return nil, fmt.Errorf("plot the confidence of texts: %w", err)
		}
		all = append(all, texts)
	}
	return all, nil
}

// drawProbabilities draws histograms of probabilities with 20 bins.
func drawProbabilities(title, unit string, all ...series) (template.HTML, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, unit, "how many"
	p.X.Min, p.X.Max, p.Y.Min = 0, 1, 0
	const bins = 20
	for i, s := range all {
		var n [bins]float64
		for _, v := range s.values {
			n[min(bins-1, max(0, int(bins*v)))]++
		}
		steps := plotter.XYs{{X: 0, Y: 0}}
		for k := range n {
			steps = append(steps, plotter.XY{X: float64(k) / bins, Y: n[k]}, plotter.XY{X: float64(k+1) / bins, Y: n[k]})
		}
		line, err := plotter.NewLine(append(steps, plotter.XY{X: 1, Y: 0}))
		if err != nil {
			return "", err
		}
		line.LineStyle = draw.LineStyle{Color: seriesColours[i], Width: vg.Points(1.5)}
		p.Add(line)
		p.Legend.Add(s.name, line)
	}
	p.Legend.Left = true
	return renderSVG(p)
}

// drawReliability plots, for each kind of part, the share that is right against the predicted probability.
func drawReliability(bins []ruleparse.Reliability) (template.HTML, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "Parts of annotated captions", "mean confidence", "share right"
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	ideal, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	if err != nil {
		return "", err
	}
	ideal.LineStyle = draw.LineStyle{Color: ink, Width: vg.Points(0.5), Dashes: []vg.Length{vg.Points(2)}}
	p.Add(ideal)
	for kind := 0; len(bins) > 0; kind++ {
		var points plotter.XYs
		name := bins[0].Kind
		for ; len(bins) > 0 && bins[0].Kind == name; bins = bins[1:] {
			points = append(points, plotter.XY{X: bins[0].Predicted, Y: bins[0].Right})
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return "", err
		}
		line.LineStyle = draw.LineStyle{Color: seriesColours[kind%len(seriesColours)], Width: vg.Points(1.5)}
		p.Add(line)
		p.Legend.Add(name+"s", line)
	}
	p.Legend.Left = true
	return renderSVG(p)
}
