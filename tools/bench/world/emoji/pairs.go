package emoji

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"maps"
	"slices"

	scale "golang.org/x/image/draw"

	"capgraph/synth"
)

// heldOutOf says that one of so many combinations, and of pairs of combinations, is not trained on.
const heldOutOf = 5

// maxDraws is the largest number of draws to find a wanted scene.
const maxDraws = 10000

// The numbers of scenes, of a hundred, with two things with tones and with two things with colours.
// The others have a thing without an attribute.
const tonesOfHundred, coloursOfHundred = 50, 35

// pairWordings are the wordings of scenes whose first thing is the left one.
var pairWordings = repeatByWeight(map[string]int{
	"{1} and {2}": 12, "{2} and {1}": 12, "{1} next to {2}": 3, "{2} next to {1}": 3,
	"{1} to the left of {2}": 5, "{2} to the right of {1}": 5,
})

// repeatByWeight returns each key as often as its value says, in the order of the keys.
func repeatByWeight(weights map[string]int) (all []string) {
	for _, key := range slices.Sorted(maps.Keys(weights)) {
		all = append(all, slices.Repeat([]string{key}, weights[key])...)
	}
	return all
}

// bank has the things of each designer, by family.
type bank map[string]map[*family][]thing

// pairsCorpus draws scenes.
type pairsCorpus struct {
	Corpus
	designers        []string // trained on
	all              bank
	attributes       map[string][]string // by kind
	held             map[combination]bool
	trained, heldOut bank // of the designers trained on: the things with combinations that are trained on, and the others
	vocabulary       vocabulary
}

// pairKey is a pair of combinations in the order of their names.
type pairKey [2]combination

func newPairKey(a, b combination) pairKey {
	if a.kind+" "+a.attribute > b.kind+" "+b.attribute {
		a, b = b, a
	}
	return pairKey{a, b}
}

func (c Corpus) newPairsCorpus(l *library) *pairsCorpus {
	p := &pairsCorpus{Corpus: c, all: bank{}, trained: bank{}, heldOut: bank{}}
	for _, d := range designers {
		p.all[d.name], p.trained[d.name], p.heldOut[d.name] = map[*family][]thing{}, map[*family][]thing{}, map[*family][]thing{}
		for _, e := range l.characters {
			if picture := l.pictures[d.name][d.fileName(e)]; picture != nil {
				if t, ok := newThing(e, picture); ok {
					p.all[d.name][t.family] = append(p.all[d.name][t.family], t)
				}
			}
		}
		if d.name != heldOutDesigner {
			p.designers = append(p.designers, d.name)
		}
	}
	p.chooseHeldOut()
	return p
}

// chooseHeldOut chooses the combinations that are not trained on: a fifth of those of each kind, but
// only if at least three kinds with the same attribute remain.
func (p *pairsCorpus) chooseHeldOut() {
	p.attributes = map[string][]string{}
	kinds := map[string]int{} // the number of kinds trained on, by attribute
	found := map[combination]bool{}
	p.vocabulary = vocabulary{combinations: map[combination]bool{}, attributes: map[*family][]string{}, kinds: map[*family][]string{}}
	for _, d := range p.designers {
		for f, things := range p.all[d] {
			for _, t := range things {
				if !found[t.combination] {
					found[t.combination] = true
					p.attributes[t.kind] = append(p.attributes[t.kind], t.attribute)
					kinds[t.attribute]++
				}
				p.vocabulary.attributes[f] = append(p.vocabulary.attributes[f], t.attribute)
				p.vocabulary.kinds[f] = append(p.vocabulary.kinds[f], t.kind)
			}
		}
	}
	for f := range p.vocabulary.kinds {
		p.vocabulary.kinds[f], p.vocabulary.attributes[f] = sortUnique(p.vocabulary.kinds[f]), sortUnique(p.vocabulary.attributes[f])
	}
	p.held = map[combination]bool{}
	for _, kind := range slices.Sorted(maps.Keys(p.attributes)) {
		all := p.attributes[kind]
		slices.Sort(all)
		n := (len(all) + heldOutOf/2) / heldOutOf
		for _, attribute := range chooseSome(newStream(p.Seed, "held out", kind), all, len(all)) {
			if n > 0 && kinds[attribute] > 3 {
				p.held[combination{kind, attribute}] = true
				kinds[attribute]--
				n--
			}
		}
	}
	for _, d := range p.designers {
		for f, things := range p.all[d] {
			for _, t := range things {
				if p.held[t.combination] {
					p.heldOut[d][f] = append(p.heldOut[d][f], t)
				} else {
					p.trained[d][f] = append(p.trained[d][f], t)
				}
			}
		}
	}
}

// sortUnique returns names, sorted in place, each once.
func sortUnique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// isReserved reports whether a pair of combinations is kept for tests.
func (p *pairsCorpus) isReserved(key pairKey) bool {
	return newStream(p.Seed, "reserved", key).IntN(heldOutOf) == 0
}

// drawThings draws two things of one designer, the left and the right one, whose combinations are a
// wanted pair. One of them is from first, the other from second.
func (p *pairsCorpus) drawThings(r *stream, designers []string, first, second bank, wanted func(pairKey) bool) (things [2]thing, err error) {
	for range maxDraws {
		designer, share := choose(r, designers), r.IntN(100)
		families := [2]*family{skins, skins}
		switch {
		case share >= tonesOfHundred+coloursOfHundred:
			families = [2]*family{choose(r, []*family{skins, colours}), plain}
		case share >= tonesOfHundred:
			families = [2]*family{colours, colours}
		}
		from, others := first[designer][families[0]], second[designer][families[1]]
		if len(from) == 0 || len(others) == 0 {
			continue
		}
		a, b := choose(r, from), choose(r, others)
		if overlaps(a.kind, b.kind) || a.attribute == b.attribute || !wanted(newPairKey(a.combination, b.combination)) {
			continue
		}
		if r.IntN(2) == 0 {
			a, b = b, a
		}
		return [2]thing{a, b}, nil
	}
	return things, fmt.Errorf("no pair is left after %d draws: want fewer images", maxDraws)
}

// makePairs makes a corpus of scenes.
func (c Corpus) makePairs(ctx context.Context, l *library, w *writer) error {
	p := c.newPairsCorpus(l)
	trained := map[pairKey]bool{}
	scenes, streams := make([][2]thing, c.Images), make([]*stream, c.Images)
	for i := range scenes {
		r := newStream(c.Seed, "train", i)
		things, err := p.drawThings(r, p.designers, p.trained, p.trained, func(key pairKey) bool { return !p.isReserved(key) })
		if err != nil {
			return err
		}
		trained[newPairKey(things[0].combination, things[1].combination)] = true
		p.vocabulary.addThings(things)
		scenes[i], streams[i] = things, r
	}
	for i, things := range scenes {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := streams[i]
		img, err := w.drawPair(r, things)
		if err != nil {
			return err
		}
		var captions []sentence
		for form := range forms {
			captions = append(captions, sentence{things, form, choose(r, pairWordings)})
		}
		if err := w.addTraining(i, img, captions, &p.vocabulary, r); err != nil {
			return err
		}
	}
	for _, set := range []struct {
		name          string
		designers     []string
		first, second bank
	}{
		{New, p.designers, p.trained, p.trained},
		{Held, p.designers, p.heldOut, p.all},
		{Designer, []string{heldOutDesigner}, p.all, p.all},
	} {
		taken := maps.Clone(trained)
		for i := range c.Tests {
			r := newStream(c.Seed, set.name, i)
			things, err := p.drawThings(r, set.designers, set.first, set.second, func(key pairKey) bool { return !taken[key] })
			if err != nil {
				return err
			}
			taken[newPairKey(things[0].combination, things[1].combination)] = true
			if err := p.addTests(w, r, set.name, i, things); err != nil {
				return err
			}
		}
	}
	return nil
}

// addTests adds the questions about a scene, and its image.
func (p *pairsCorpus) addTests(w *writer, r *stream, set string, i int, things [2]thing) error {
	img, err := w.drawPair(r, things)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s/%06d.png", set, i)
	if r.IntN(2) == 0 {
		things[0], things[1] = things[1], things[0]
	}
	s := sentence{things: things, wording: "{1} and {2}"}
	asked := 1
	if things[0].family == skins || things[1].family == skins {
		asked = forms
	}
	s.form = r.IntN(asked)
	w.addRetrieval(set, name, s.text())
	for s.form = range asked {
		w.askParts(set, name, s)
		k := 0 // the thing whose attribute is replaced
		if things[0].attribute == "" {
			k = 1
		}
		others := slices.DeleteFunc(slices.Clone(p.attributes[things[k].kind]), func(a string) bool { return a == things[0].attribute || a == things[1].attribute })
		for _, other := range chooseSome(r, others, 1) {
			w.addQuestion(TestName(set, Replaced, ""), name, s.text(), s.replaceThing(k, things[k].withAttribute(other)).text())
		}
	}
	for _, t := range things {
		others := slices.DeleteFunc(slices.Clone(p.vocabulary.kinds[t.family]), func(kind string) bool {
			return overlaps(kind, things[0].kind) || overlaps(kind, things[1].kind)
		})
		for _, other := range chooseSome(r, others, 1) {
			w.addQuestion(TestName(set, Bare, ""), name, t.barePhrase(), t.withKind(other).barePhrase())
		}
	}
	return w.writeImage(synth.TestsDir(w.dir), name, img)
}

// askParts adds the questions in which the attributes of the two things are exchanged.
func (w *writer) askParts(set, image string, s sentence) {
	swapped, ok := s.swapAttributes()
	if !ok {
		return
	}
	family := s.things[0].name
	w.addQuestion(TestName(set, Swap, family), image, s.text(), swapped.text())
	for i, t := range s.things {
		w.addQuestion(TestName(set, Part, family), image, t.phrase(s.form), swapped.things[i].phrase(s.form))
	}
}

// addRetrieval adds an image with its caption to the retrieval test of a set.
func (w *writer) addRetrieval(set, image, caption string) {
	test := TestName(set, Retrieval, "")
	w.tests[test] = append(w.tests[test], synth.Captioned{Image: image, Caption: []string{caption}})
}

// drawPair draws the left and the right thing in three sizes, at any height of their half.
func (w *writer) drawPair(r *stream, things [2]thing) (*image.RGBA, error) {
	canvas := newCanvas()
	for i, t := range things {
		size := choose(r, []int{28, 30, 32})
		at := image.Pt(i*Side/2+r.IntN(Side/2-size+1), r.IntN(Side-size+1))
		if err := w.drawPicture(canvas, t.picture, size, at); err != nil {
			return nil, err
		}
	}
	return canvas, nil
}

// drawPicture draws a picture in a size.
func (w *writer) drawPicture(canvas *image.RGBA, p *picture, size int, at image.Point) error {
	img, err := w.decodedImage(p)
	if err != nil {
		return err
	}
	scale.CatmullRom.Scale(canvas, image.Rectangle{at, at.Add(image.Pt(size, size))}, img, img.Rect, draw.Src, nil)
	return nil
}
