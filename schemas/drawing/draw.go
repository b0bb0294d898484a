// Package drawing draws the texts of a row that are used in an epoch: captions, positives and
// negatives.
package drawing

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"

	"capgraph/internal/portable"
	"capgraph/schemas"
)

// Classes are the sampling classes of negatives, in the order of Draw.Weights: MosaiCLIP's c_1,
// c_2, c_3 (MosaiCLIP App. B), and ClassCaption.
var Classes = [4]string{schemas.CategoryObject, schemas.CategoryRelation, schemas.CategoryAttribute, ClassCaption}

// ClassCaption is the sampling class of all negatives of the caption itself, whatever their
// category.
const ClassCaption = "caption"

// ClassOf returns the sampling class of a negative: ClassCaption or its category.
func ClassOf(n *schemas.HardNegative) string {
	if n.Of == 0 {
		return ClassCaption
	}
	return n.Category
}

// NegCLIPClasses and CECLIPClasses are the changes for which those objectives draw a negative of a
// caption. NegCLIP draws one of any change. CE-CLIP draws one each of relation, attribute, action
// and object, in this order (CE-CLIP §3.1). Its relation negative swaps two nouns.
var (
	NegCLIPClasses = [1]string{anyChange}
	CECLIPClasses  = [4]string{schemas.ChangedOrder, schemas.ChangedAttribute, schemas.ChangedAction, schemas.ChangedObject}
)

// anyChange is a class that matches all changes. One change is drawn first, then a negative with
// it.
const anyChange = "*"

// Draw draws the texts of a pool that are used in an epoch (MosaiCLIP §3.4, §3.6, App. B and H.1).
// It is a function of its fields and of a row's key. python/capgraph_torch/draw.py is the same in
// Python, and testdata/draw.json has test vectors (docs/format.md, "The draw").
type Draw struct {
	Seed, Epoch uint64
	// Positives and Negatives are the most of each that are drawn; at least 1. The caption is drawn
	// in addition to Positives.
	Positives, Negatives int
	// Weights are the probabilities of Classes, as whole numbers in proportion to them.
	Weights [4]uint64
	// Bare includes the positives without attributes (see BarePositives).
	Bare bool
	// Specific draws positives with probabilities in proportion to 1 / Count; otherwise they are
	// equal.
	Specific bool
}

// NewDraw returns the draw for a stage of MosaiCLIP's curriculum: 1 positive and 1 negative in
// stage 1, at most 3 and 6 in later ones. A quarter of the negatives is of the caption; for the
// others p_1 = 0.15 and p_2 = p_3.
func NewDraw(seed, epoch uint64, stage int) Draw {
	d := Draw{Seed: seed, Epoch: epoch, Positives: 3, Negatives: 6, Weights: [4]uint64{18, 51, 51, 40}}
	if stage == 1 {
		d.Positives, d.Negatives = 1, 1
	}
	return d
}

// Caption returns the index of the caption that is used in an epoch, among the n captions of an
// image in the order of their rows. n is at least 1.
func (d Draw) Caption(imageKey string, n int) int {
	s := d.Random("caption", imageKey)
	return s.IntN(n)
}

// Texts draws from the pool of the row with a key. It returns indices of the pool's positives and
// negatives in the order in which they were drawn, each text once. The caption, positive 0, is the
// first. Each negative belongs to a drawn positive.
func (d Draw) Texts(key string, p *schemas.Pool) (positives, negatives []int) {
	if len(p.Positives) == 0 {
		return nil, nil
	}
	s := d.Random("texts", key)
	open := d.listDrawable(p) // what can still be drawn, in the order of the pool
	positives = []int{0}
	open = d.keepDrawable(p, open, positives)
	for len(negatives) < d.Negatives {
		class, ok := d.pickClass(&s, p, open)
		if !ok {
			break
		}
		var of, among []int
		for _, i := range open {
			if ClassOf(&p.Negatives[i]) == class {
				of = append(of, int(p.Negatives[i].Of))
			}
		}
		slices.Sort(of)
		k := d.pickPositive(&s, p, slices.Compact(of))
		for _, i := range open {
			if n := &p.Negatives[i]; ClassOf(n) == class && int(n.Of) == k {
				among = append(among, i)
			}
		}
		i := among[s.IntN(len(among))]
		negatives = append(negatives, i)
		if !slices.Contains(positives, k) {
			positives = append(positives, k)
		}
		open = slices.DeleteFunc(open, func(o int) bool { return p.Negatives[o].Text == p.Negatives[i].Text })
		open = d.keepDrawable(p, open, positives)
	}
	return positives, negatives
}

// listDrawable returns the indices of the negatives whose positive the draw may take.
func (d Draw) listDrawable(p *schemas.Pool) (open []int) {
	var bare []bool
	if !d.Bare {
		bare = BarePositives(p)
	}
	for i, n := range p.Negatives {
		if k := int(n.Of); k >= 0 && k < len(p.Positives) && (bare == nil || !bare[k]) {
			open = append(open, i)
		}
	}
	return open
}

// pickClass returns a random class of the negatives in open, by weight. It returns false if all
// weights are 0.
func (d Draw) pickClass(s *portable.SplitMix64, p *schemas.Pool, open []int) (string, bool) {
	var weights [len(Classes)]uint64
	var sum uint64
	for c, name := range Classes {
		if slices.ContainsFunc(open, func(i int) bool { return ClassOf(&p.Negatives[i]) == name }) {
			weights[c] = d.Weights[c]
			sum += d.Weights[c]
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
	return Classes[c], true
}

// pickPositive returns a random index from of.
func (d Draw) pickPositive(s *portable.SplitMix64, p *schemas.Pool, of []int) int {
	if !d.Specific {
		return of[s.IntN(len(of))]
	}
	weight := func(k int) uint64 { return max(1<<32/uint64(max(p.Positives[k].Count, 1)), 1) }
	var sum uint64
	for _, k := range of {
		sum += weight(k)
	}
	r, i := s.Next()%sum, 0
	for r >= weight(of[i]) {
		r -= weight(of[i])
		i++
	}
	return of[i]
}

// keepDrawable returns the indices in open that can still be drawn, given the positives drawn so
// far. It removes negatives of a positive that equals a drawn one, and, if no more positives may be
// drawn, those of any other positive.
func (d Draw) keepDrawable(p *schemas.Pool, open, positives []int) []int {
	return slices.DeleteFunc(open, func(i int) bool {
		of := int(p.Negatives[i].Of)
		if slices.Contains(positives, of) {
			return false
		}
		same := func(k int) bool { return p.Positives[k].ID == p.Positives[of].ID }
		return len(positives) > d.Positives || slices.ContainsFunc(positives, same)
	})
}

// CaptionNegatives draws, for each class, a negative of the caption itself that changes that class.
// For anyChange, one of the changes is drawn first. It returns indices of the pool's negatives, or
// -1 for a class without one. No text is drawn twice.
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
		if class == anyChange && len(of) > 0 {
			var changes []string
			for _, i := range of {
				changes = append(changes, p.Negatives[i].Changed)
			}
			slices.Sort(changes)
			changes = slices.Compact(changes)
			change := changes[s.IntN(len(changes))]
			of = slices.DeleteFunc(of, func(i int) bool { return p.Negatives[i].Changed != change })
		}
		if len(of) > 0 {
			drawn[c] = of[s.IntN(len(of))]
		}
	}
	return drawn
}

// Random returns the random numbers for a purpose and a key, given the draw's seed and epoch.
func (d Draw) Random(purpose, key string) portable.SplitMix64 {
	b := make([]byte, 0, 64+len(key))
	b = append(append(b, purpose...), '\n')
	b = append(strconv.AppendUint(b, d.Seed, 10), '\n')
	b = append(strconv.AppendUint(b, d.Epoch, 10), '\n')
	sum := sha256.Sum256(append(b, key...))
	return portable.SplitMix64(binary.LittleEndian.Uint64(sum[:]))
}
