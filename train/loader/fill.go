package loader

import (
	"slices"

	"capgraph/scenegraph"
	"capgraph/schemas"
	"capgraph/schemas/drawing"
)

// fillSample fills s, whose memory it reuses, with the texts that the plan draws for an image in an epoch.
func (p Plan) fillSample(s *Sample, img *image, seed, epoch uint64) {
	*s = Sample{
		Key: img.key, ImageKey: img.imageKey, Corpus: img.shard.corpus, Sibling: img.sibling, Known: img.trueIDs, KnownParts: img.trueParts,
		Caption:   positiveText(&img.pool.Positives[0]),
		Positives: s.Positives[:0], Negatives: s.Negatives[:0], CaptionNegatives: s.CaptionNegatives[:0],
		Paraphrases: s.Paraphrases[:0],
	}
	p.fillParaphrases(s, img)
	d := p.newDraw(seed, epoch)
	if !p.Views.AreWhole() {
		p.fillView(s, img, d)
	}
	if len(img.graph.Nodes) > 0 {
		s.Graph, s.Altered = img.graph, d.Perturb(img.key, &img.graph)
	}
	if p.Positives > 0 {
		p.fillSubgraphs(s, img, d)
	}
	if len(p.Classes) == 0 {
		return
	}
	for class, i := range d.CaptionNegatives(img.key, &img.pool, p.Classes) {
		if i >= 0 {
			g := &img.pool.Negatives[i]
			s.CaptionNegatives = append(s.CaptionNegatives, Negative{Text: g.Text, ID: scenegraph.TextID(g.Text), Parts: g.Parts, Class: class, Margin: marginOf(&img.pool, g)})
		}
	}
}

// fillView replaces the caption by the view of it that the plan draws, such as some of its sentences. The view is true
// of the image, so its id is added to Known. Its Parts are known only if it is one of the row's positives.
func (p Plan) fillView(s *Sample, img *image, d drawing.Draw) {
	view, k := d.View(img.key, &img.pool, p.Views)
	if k >= 0 {
		s.Caption = positiveText(&img.pool.Positives[k])
		return
	}
	s.Caption = Text{Text: view, ID: scenegraph.TextID(view), Confidence: img.pool.Positives[0].Confidence}
	if at, ok := slices.BinarySearch(s.Known, s.Caption.ID); !ok {
		s.Known = slices.Insert(slices.Clone(s.Known), at, s.Caption.ID) // a copy: other samples share the list
	}
}

// fillParaphrases sets Paraphrases to the first positives of the row that have one.
func (p Plan) fillParaphrases(s *Sample, img *image) {
	original := 0
	for k := range img.pool.Positives {
		if len(s.Paraphrases) == p.Paraphrases {
			return
		}
		if img.pool.Positives[k].Kind != schemas.KindParaphrase {
			original = k
		} else if k > 0 {
			s.Paraphrases = append(s.Paraphrases, [2]Text{positiveText(&img.pool.Positives[original]), positiveText(&img.pool.Positives[k])})
		}
	}
}

func positiveText(p *schemas.Positive) Text { return Text{p.Text, p.ID, p.Parts, p.Confidence} }

// marginOf returns the Margin of a negative of a pool.
func marginOf(p *schemas.Pool, n *schemas.HardNegative) float32 {
	return p.Positives[n.Of].Confidence * drawing.Concreteness(n.Changed)
}

// dropSameTokens removes the negatives that have the same tokens as their positives, and counts them in Cut.
func (s *Sample) dropSameTokens(same func(a, b string) bool) {
	if same == nil {
		return
	}
	before := len(s.Negatives) + len(s.CaptionNegatives)
	s.Negatives = slices.DeleteFunc(s.Negatives, func(n Negative) bool { return same(n.Text, s.Positives[n.Of].Text) })
	s.CaptionNegatives = slices.DeleteFunc(s.CaptionNegatives, func(n Negative) bool { return same(n.Text, s.Caption.Text) })
	s.Cut = before - len(s.Negatives) - len(s.CaptionNegatives)
}

// fillSubgraphs sets Positives and Negatives to texts drawn as MosaiCLIP does (§3.4, §3.6).
func (p Plan) fillSubgraphs(s *Sample, img *image, d drawing.Draw) {
	positives, negatives := d.Texts(img.key, &img.pool)
	for _, k := range positives {
		s.Positives = append(s.Positives, positiveText(&img.pool.Positives[k]))
	}
	for _, i := range negatives {
		g := &img.pool.Negatives[i]
		s.Negatives = append(s.Negatives, Negative{
			Text: g.Text, ID: scenegraph.TextID(g.Text), Parts: g.Parts, Of: slices.Index(positives, int(g.Of)),
			Class: slices.Index(drawing.Classes[:], drawing.ClassOf(g)), Margin: marginOf(&img.pool, g),
		})
	}
}
