package clip

import (
	"context"
	"math"
)

// Pair is an image with a true and a false caption.
type Pair struct {
	ID          string
	Image       Image
	True, False string
}

// Pairwise is the result of a benchmark of pairs.
type Pairwise struct {
	// Margins are, pair by pair, how much more the image is like the true caption
	// than like the false one: the difference of cosines, from -2 to 2; NaN where
	// the image is broken.
	Margins []float64
	Broken  []Broken
}

// Correct counts the pairs whose true caption is the nearer one: a tie is wrong.
func (p *Pairwise) Correct() int {
	correct := 0
	for _, m := range p.Margins {
		if m > 0 {
			correct++
		}
	}
	return correct
}

// Scored counts the pairs whose image could be encoded.
func (p *Pairwise) Scored() int { return len(p.Margins) - len(p.Broken) }

// Accuracy is the share of the scored pairs that are correct, NaN where there
// are none. Chance is a half.
func (p *Pairwise) Accuracy() float64 { return float64(p.Correct()) / float64(p.Scored()) }

// ScorePairs encodes pairs, a batch of so many at a time, and compares.
func ScorePairs(ctx context.Context, encoder Encoder, pairs []Pair, batch int) (*Pairwise, error) {
	result := &Pairwise{Margins: make([]float64, 0, len(pairs))}
	batch = max(batch, 1)
	for first := 0; first < len(pairs); first += batch {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := result.score(ctx, encoder, pairs[first:min(first+batch, len(pairs))]); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// score adds a batch of pairs.
func (p *Pairwise) score(ctx context.Context, encoder Encoder, pairs []Pair) error {
	images, texts := make([]Image, len(pairs)), make([]string, 0, 2*len(pairs))
	for i, pair := range pairs {
		images[i] = pair.Image
		texts = append(texts, pair.True, pair.False)
	}
	imageRows, broken, err := encoder.EncodeImages(ctx, images)
	if err != nil {
		return err
	}
	textRows, err := encoder.EncodeTexts(ctx, texts)
	if err != nil {
		return err
	}
	width, err := checkRows("texts", textRows, nil, len(texts), 0)
	if err != nil {
		return err
	}
	if _, err := checkRows("images", imageRows, broken, len(images), width); err != nil {
		return err
	}
	for i, row := range imageRows {
		margin := math.NaN()
		if broken[i] != nil {
			p.Broken = append(p.Broken, Broken{images[i].Name, broken[i]})
		} else if margin = dot(row, textRows[2*i]) - dot(row, textRows[2*i+1]); math.IsNaN(margin) {
			margin = 0 // features that are no numbers tell nothing
		}
		p.Margins = append(p.Margins, margin)
	}
	return nil
}
