package objective

import (
	"slices"

	"capgraph/kernels"
	"capgraph/train/loader"
)

// CSCLIP is the unit loss of CS-CLIP (Kargi et al. 2026, arXiv 2602.23906, "Half-Truths Break
// Similarity-Based Retrieval"). A unit is a positive of an image other than its caption: an object
// with its attributes, or a relation. Its foil is its first drawn negative that is not known to be
// true of the image. Unit k of an image is contrasted with the k-th units of other images, and with
// its own foil:
//
//	½ · mean_u [LSE(S_uu, S_uf, S_uv) − S_uu] + ½ · mean_u [LSE(S_uu, S_vu) − S_uu]
//
// u are the units of the batch, S_uv is the similarity of the image of u with the text of v, f is
// the foil of u, and v are the other units with the same k. This is the equation that the tests of
// the authors' repository, kargibora/CS-CLIP, check. Capgraph differs in two ways: a unit is not
// contrasted with other images that it is true of, and all units have the same weight, even if
// images have different numbers of units.
type CSCLIP struct {
	stateless
	images  textColumns // for each unit, the row of its image
	columns textColumns // the units, then their foils
	slots   []int32     // for each unit, its k
	ids     columnIndex[int64]
	foils   []int32
	mask    []byte // [units, 2 units]
	units   int
}

// Name implements Objective.
func (*CSCLIP) Name() string { return "csclip" }

// Prepare implements Objective.
func (c *CSCLIP) Prepare(b *Batch) {
	c.images.rows, c.columns.rows, c.slots, c.foils = c.images.rows[:0], c.columns.rows[:0], c.slots[:0], c.foils[:0]
	c.ids.reset()
	for i, s := range b.Images[:b.N] {
		slot := int32(0)
		for k := 1; k < len(s.Positives); k++ {
			foil := firstFoil(s, k)
			if foil == nil {
				continue
			}
			c.ids.add(s.Positives[k].ID, len(c.columns.rows))
			c.images.rows, c.slots = append(c.images.rows, int32(i)), append(c.slots, slot)
			c.columns.rows, c.foils = append(c.columns.rows, b.textRow(s.Positives[k].Text)), append(c.foils, b.textRow(foil.Text))
			slot++
		}
	}
	c.units = len(c.columns.rows)
	c.columns.rows = append(c.columns.rows, c.foils...)
	if c.units == 0 { // a similarity that is in no term, so that the loss is 0
		c.images.rows, c.columns.rows = append(c.images.rows, 0), append(c.columns.rows, b.textRow(b.Images[0].Caption.Text))
		c.mask = append(c.mask[:0], kernels.MaskIgnored)
		return
	}
	c.mask = zeroMask(c.mask, 2*c.units*c.units)
	for u := range c.units {
		row := c.mask[2*u*c.units : 2*(u+1)*c.units]
		for v := range c.units {
			if c.slots[v] != c.slots[u] {
				row[v] = kernels.MaskIgnored
			}
			if v != u {
				row[c.units+v] = kernels.MaskIgnored
			}
		}
		markKnown(&c.ids, row, b.Images[c.images.rows[u]].Known, kernels.MaskIgnored)
		row[u] = kernels.MaskPositive
	}
}

// firstFoil returns the first negative of the sample's positive k that is not known to be true of
// its image, or nil.
func firstFoil(s *loader.Sample, k int) *loader.Negative {
	for i := range s.Negatives {
		g := &s.Negatives[i]
		if _, known := slices.BinarySearch(s.Known, g.ID); g.Of == k && !known {
			return g
		}
	}
	return nil
}

// Loss implements Objective.
func (c *CSCLIP) Loss(t *kernels.Tape, e Features) *kernels.Var {
	s := t.Similarity(c.images.features(t, e.Image), c.columns.features(t, e.Text), e.LogScale)
	weight := 0.5 / float64(max(c.units, 1))
	return t.Contrastive(s, t.Device.Bytes(c.mask), c.units, weight, weight)
}
