package scenegraph

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"

	"capgraph/internal/portable"
	"capgraph/schemas"
)

// Categories are MosaiCLIP's sampling classes in the order in which a draw numbers them: c_1, c_2,
// c_3 (MosaiCLIP App. B).
var Categories = [3]string{schemas.CategoryObject, schemas.CategoryRelation, schemas.CategoryAttribute}

// NegCLIPClasses and CECLIPClasses are the changes for which those objectives draw a negative of a
// caption. NegCLIP draws one of any change. CE-CLIP draws one each of relation, attribute, action
// and object, in this order (CE-CLIP §3.1). Its relation negative swaps two nouns.
var (
	NegCLIPClasses = [1]string{anyChange}
	CECLIPClasses  = [4]string{schemas.ChangedOrder, schemas.ChangedAttribute, schemas.ChangedAction, schemas.ChangedObject}
)

// anyChange matches any change of a negative.
const anyChange = "*"

// Draw chooses the texts of a pool that an epoch takes (MosaiCLIP §3.4, §3.6, App. B and H.1). It
// is a function of its fields and of a row's key. docs/format.md, "The draw", describes it step by
// step, with test vectors.
type Draw struct {
	Seed, Epoch uint64
	// Positives and Negatives bound how many of each are drawn; at least 1.
	Positives, Negatives int
	// Weights are the sampling probabilities p_1, p_2, p_3 of Categories, as whole numbers in
	// proportion to them.
	Weights [3]uint64
}

// NewDraw returns the draw of a stage of MosaiCLIP's curriculum: 1 positive and 1 negative in stage
// 1, at most 3 and 6 after it, p_1 = 0.15, p_2 = p_3.
func NewDraw(seed, epoch uint64, stage int) Draw {
	d := Draw{Seed: seed, Epoch: epoch, Positives: 3, Negatives: 6, Weights: [3]uint64{6, 17, 17}}
	if stage == 1 {
		d.Positives, d.Negatives = 1, 1
	}
	return d
}

// Caption returns which of the n captions of an image an epoch takes, from 0 to n-1 in the order of
// their rows. n is at least 1.
func (d Draw) Caption(imageKey string, n int) int {
	s := d.Random("caption", imageKey)
	return s.IntN(n)
}

// Texts draws from the pool of the row with that key. It returns indices into the pool's positives
// and negatives in the order in which they were drawn, each text once. Each negative belongs to a
// drawn positive. If the pool has no negative of any of the Categories, only its caption is drawn.
func (d Draw) Texts(key string, p *schemas.Pool) (positives, negatives []int) {
	s := d.Random("texts", key)
	open := make([]int, 0, len(p.Negatives)) // what can still be drawn, in the pool's order
	for i, n := range p.Negatives {
		if int(n.Of) >= 0 && int(n.Of) < len(p.Positives) {
			open = append(open, i)
		}
	}
	for len(negatives) < d.Negatives {
		category, ok := d.pickCategory(&s, p, open)
		if !ok {
			break
		}
		var of, among []int
		for _, i := range open {
			if p.Negatives[i].Category == category {
				of = append(of, int(p.Negatives[i].Of))
			}
		}
		slices.Sort(of)
		of = slices.Compact(of)
		k := of[s.IntN(len(of))]
		for _, i := range open {
			if p.Negatives[i].Category == category && int(p.Negatives[i].Of) == k {
				among = append(among, i)
			}
		}
		i := among[s.IntN(len(among))]
		negatives = append(negatives, i)
		if !slices.Contains(positives, k) {
			positives = append(positives, k)
		}
		open = d.keepDrawable(p, open, positives, p.Negatives[i].Text)
	}
	if len(positives) == 0 && len(p.Positives) > 0 {
		positives = []int{0}
	}
	return positives, negatives
}

// pickCategory draws, by weight, one of the categories of the negatives in open.
func (d Draw) pickCategory(s *portable.SplitMix64, p *schemas.Pool, open []int) (string, bool) {
	var weights [3]uint64
	var sum uint64
	for c, name := range Categories {
		for _, i := range open {
			if p.Negatives[i].Category == name {
				weights[c] = d.Weights[c]
				sum += d.Weights[c]
				break
			}
		}
	}
	if sum == 0 {
		return "", false
	}
	r, c := s.Next()%sum, 0
	for r >= weights[c] {
		r -= weights[c]
		c++
	}
	return Categories[c], true
}

// keepDrawable returns what may still be drawn from open after those positives and that negative
// text. It drops the same text, more positives than the draw takes, and positives equal to a drawn
// one.
func (d Draw) keepDrawable(p *schemas.Pool, open, positives []int, text string) []int {
	kept := open[:0]
	for _, i := range open {
		n := &p.Negatives[i]
		if n.Text == text {
			continue
		}
		drawn := slices.Contains(positives, int(n.Of))
		same := func(k int) bool { return p.Positives[k].ID == p.Positives[n.Of].ID }
		if !drawn && (len(positives) >= d.Positives || slices.ContainsFunc(positives, same)) {
			continue
		}
		kept = append(kept, i)
	}
	return kept
}

// CaptionNegatives draws for each class a negative that perturbs the caption itself and changes
// that class. It returns indices into the pool's negatives, or -1 if there is none. No text is
// drawn twice.
func (d Draw) CaptionNegatives(key string, p *schemas.Pool, classes []string) []int {
	s := d.Random("negatives", key)
	drawn := make([]int, len(classes))
	for c, class := range classes {
		var of []int
		for i, n := range p.Negatives {
			same := func(k int) bool { return k >= 0 && p.Negatives[k].Text == n.Text }
			if n.Of == 0 && (class == anyChange || n.Changed == class) && !slices.ContainsFunc(drawn[:c], same) {
				of = append(of, i)
			}
		}
		drawn[c] = -1
		if len(of) > 0 {
			drawn[c] = of[s.IntN(len(of))]
		}
	}
	return drawn
}

// Random returns the random numbers of a purpose and a key, for the draw's seed and epoch.
func (d Draw) Random(purpose, key string) portable.SplitMix64 {
	b := make([]byte, 0, 64+len(key))
	b = append(append(b, purpose...), '\n')
	b = append(strconv.AppendUint(b, d.Seed, 10), '\n')
	b = append(strconv.AppendUint(b, d.Epoch, 10), '\n')
	sum := sha256.Sum256(append(b, key...))
	return portable.SplitMix64(binary.LittleEndian.Uint64(sum[:]))
}
