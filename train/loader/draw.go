package loader

import (
	"slices"

	"capgraph/scenegraph"
)

// fill fills s, whose memory it reuses, with what a plan takes of an image. epoch
// is that of its draws.
func (p Plan) fill(s *Sample, img *image, seed, epoch uint64) {
	*s = Sample{
		Key: img.key, ImageKey: img.imageKey, Corpus: img.shard.corpus, Sibling: img.sibling, Known: img.known,
		Caption:   Text{img.pool.Positives[0].Text, img.pool.Positives[0].ID},
		Positives: s.Positives[:0], Negatives: s.Negatives[:0], CaptionNegatives: s.CaptionNegatives[:0],
	}
	d := p.draw(seed, epoch)
	if len(img.said.Nodes) > 0 {
		s.Graph, s.Altered = img.said, d.Perturb(img.key, &img.said)
	}
	if p.Positives > 0 {
		p.fillSubgraphs(s, img, d)
	}
	if len(p.Classes) == 0 {
		return
	}
	for class, i := range d.CaptionNegatives(img.key, &img.pool, p.Classes) {
		if i >= 0 {
			text := img.pool.Negatives[i].Text
			s.CaptionNegatives = append(s.CaptionNegatives, Negative{Text: text, ID: scenegraph.TextID(text), Class: class})
		}
	}
}

// fillSubgraphs draws as MosaiCLIP does (§3.4, §3.6).
func (p Plan) fillSubgraphs(s *Sample, img *image, d scenegraph.Draw) {
	positives, negatives := d.Texts(img.key, &img.pool)
	for _, k := range positives {
		s.Positives = append(s.Positives, Text{img.pool.Positives[k].Text, img.pool.Positives[k].ID})
	}
	for _, i := range negatives {
		g := &img.pool.Negatives[i]
		s.Negatives = append(s.Negatives, Negative{
			Text: g.Text, ID: scenegraph.TextID(g.Text), Of: slices.Index(positives, int(g.Of)),
			Class: slices.Index(scenegraph.Categories[:], g.Category),
		})
	}
}
