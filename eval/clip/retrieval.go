package clip

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"capgraph/kernels"
	"capgraph/kernels/products"
)

// recallKs are the values of K in R@K.
var recallKs = [...]int{1, 5, 10}

// maxRecallK is the largest of recallKs, and the K of nDCG@10.
const maxRecallK = 10

// Retrieve measures how often a text finds its image among all images, and an image one of its captions among all
// texts. R@1, R@5 and R@10 are the shares of queries with a target among the nearest K. nDCG@10 counts all captions of
// an image. Ties rank before the target. The cases are texts with their images. Broken images are left out with their
// captions. All features are in memory, but not all products.
func Retrieve(ctx context.Context, d kernels.Device, encoder Encoder, name string, captions []Captioned, o Options) (*Result, error) {
	result := &Result{Name: name}
	var images []Image
	for _, c := range captions {
		images = append(images, Image{Name: c.Image})
	}
	g := batchEncoder{encoder: encoder, options: o}
	rows, kept, err := g.encodeImages(ctx, images)
	if err != nil {
		return nil, err
	}
	result.Broken = g.broken
	var texts []string
	var owner []int32 // the image of each text
	for i, at := range kept {
		for _, text := range captions[at].Texts {
			texts, owner = append(texts, text), append(owner, int32(i))
		}
	}
	var each tiles
	if s := asScorer(encoder); s != nil {
		each = g.scoreTiles(ctx, s, images, kept, texts)
	} else {
		textRows, err := g.encodeTexts(ctx, texts)
		if err != nil {
			return nil, err
		}
		each = featureTiles(ctx, d, rows, textRows)
	}
	r, err := computeRanks(len(kept), owner, each)
	if err != nil {
		return nil, err
	}
	for _, way := range []struct {
		name  string
		ranks []int32
		ndcg  []float64
	}{{"text to image", r.ofTexts, r.textNDCG}, {"image to text", r.ofImages, r.imageNDCG}} {
		for _, k := range recallKs {
			m := Measure{Name: way.name + " R@" + strconv.Itoa(k), Share: true}
			for _, rank := range way.ranks {
				m.Values = append(m.Values, rightValue(float64(k+1)-float64(rank)))
			}
			result.Measures = append(result.Measures, m)
		}
		result.Measures = append(result.Measures, Measure{Name: way.name + ndcgSuffix, Share: true, Values: way.ndcg})
	}
	for i, text := range texts {
		of := captions[kept[owner[i]]].Image
		result.Cases = append(result.Cases, Case{ID: of, Images: []Image{{Name: of}}, Texts: []string{text}})
		result.Measures[0].Margins = append(result.Measures[0].Margins, 1.5-float64(r.ofTexts[i]))
	}
	return result, nil
}

// tiles calls visit for the tiles of the matrix of similarities, images by texts, row by row.
type tiles = func(visit func(products.Tile) error) error

// featureTiles returns the inner products of features.
func featureTiles(ctx context.Context, d kernels.Device, images, texts products.Rows) tiles {
	return func(visit func(products.Tile) error) error { return products.EachTile(ctx, d, images, texts, visit) }
}

// scoreTiles returns the scores of the kept images with texts.
func (g *batchEncoder) scoreTiles(ctx context.Context, s Scorer, images []Image, kept []int, texts []string) tiles {
	return func(visit func(products.Tile) error) error {
		for first := 0; first < len(kept); first += g.options.batchSize() {
			var part []Image
			for _, i := range kept[first:min(first+g.options.batchSize(), len(kept))] {
				part = append(part, images[i])
			}
			scores, broken, err := s.Scores(ctx, part, texts)
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				_, err = checkRows("images", scores, broken, len(part), len(texts))
			}
			for i, why := range broken { // an error, since it was encoded before
				err = cmp.Or(err, fmt.Errorf("%s: %w", part[i].Name, why))
			}
			if err != nil {
				return err
			}
			if len(texts) == 0 {
				continue
			}
			t := products.Tile{Row: first, Rows: len(part), Columns: len(texts), Products: slices.Concat(scores...)}
			if err := visit(t); err != nil {
				return err
			}
		}
		return nil
	}
}

// ndcgSuffix ends the names of the measures of nDCG@10.
const ndcgSuffix = " nDCG@10"

// ranks are the ranks, from 1, of the first own text of each image and of the image of each text, and the
// nDCG@10 of each image and text. Ranks above maxRecallK are maxRecallK+1.
type ranks struct {
	ofImages, ofTexts   []int32
	imageNDCG, textNDCG []float64
}

// computeRanks returns the ranks. owner has the image of each text; the texts of an image are adjacent.
func computeRanks(images int, owner []int32, each tiles) (r ranks, err error) {
	begin := make([]int, images+1) // the first text of each image
	for _, i := range owner {
		begin[i+1]++
	}
	for i := range images {
		begin[i+1] += begin[i]
	}
	// All compared numbers come from the same matrix product, summed in one order, so equal vectors tie. For each query
	// the maxRecallK best of its own and of the others are kept.
	own := products.NewBest(images, maxRecallK)
	ownOfText := make([]float32, len(owner))
	others, othersOfText := products.NewBest(images, maxRecallK), products.NewBest(len(owner), maxRecallK)
	err = each(func(t products.Tile) error {
		products.Parallel(t.Rows, func(first, last int) {
			for r := first; r < last; r++ {
				i, line := t.Row+r, t.Line(r)
				from, to := clampIndex(begin[i]-t.Column, t.Columns), clampIndex(begin[i+1]-t.Column, t.Columns)
				others.OfferRow(i, line[:from], t.Column)
				others.OfferRow(i, line[to:], t.Column+to)
				for j, s := range line[from:to] {
					own.Offer(i, s, j)
					ownOfText[t.Column+from+j] = s
				}
			}
		})
		products.Parallel(t.Columns, func(first, last int) {
			for r := range t.Rows {
				i, line := t.Row+r, t.Line(r)
				from, to := min(max(begin[i]-t.Column, first), last), min(max(begin[i+1]-t.Column, first), last)
				othersOfText.OfferColumn(t.Column+first, line[first:from], i)
				othersOfText.OfferColumn(t.Column+to, line[to:last], i)
			}
		})
		return nil
	})
	if err != nil {
		return ranks{}, err
	}
	for i := range images {
		best, indices := own.Kept(i)
		before, _ := others.Kept(i)
		r.ofImages = append(r.ofImages, rankAmong(best[0], before))
		r.imageNDCG = append(r.imageNDCG, ndcg(best, indices, before, begin[i+1]-begin[i]))
	}
	for t := range owner {
		before, _ := othersOfText.Kept(t)
		rank := rankAmong(ownOfText[t], before)
		r.ofTexts = append(r.ofTexts, rank)
		r.textNDCG = append(r.textNDCG, discountedGain(rank))
	}
	return r, nil
}

// ndcg returns the nDCG@10 of an image with n texts: the sum of the gains at the ranks of its texts, divided by the
// largest possible sum. It equals trec_eval's ndcg_cut.10, which MTEB uses. own has the similarities of its best texts
// in descending order; an index below 0 marks an unused place. others has those of the best other texts.
func ndcg(own []float32, indices []int32, others []float32, n int) float64 {
	var found, ideal float64
	for i := range min(n, len(own)) {
		ideal += discountedGain(int32(i + 1))
		if indices[i] >= 0 {
			found += discountedGain(int32(i) + rankAmong(own[i], others))
		}
	}
	if ideal == 0 {
		return 0
	}
	return found / ideal
}

// discountedGain returns what a right answer at a rank adds to the discounted cumulative gain: 0 above maxRecallK.
func discountedGain(rank int32) float64 {
	if rank > maxRecallK {
		return 0
	}
	return 1 / math.Log2(float64(rank)+1)
}

// clampIndex returns i, limited to 0 to n.
func clampIndex(i, n int) int { return min(max(i, 0), n) }

// rankAmong returns the rank of a number among others, the largest first. Ties rank before it, and NaN
// ranks last.
func rankAmong(own float32, others []float32) int32 {
	rank := int32(1)
	for _, s := range others {
		if s >= own || own != own || math.IsInf(float64(own), -1) {
			rank++
		}
	}
	return rank
}
