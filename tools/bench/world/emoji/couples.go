package emoji

import (
	"context"
	"fmt"
	"image"
	"maps"
	"slices"

	"capgraph/schemas"
	"capgraph/synth"
)

// couple is the content of an emoji of two persons: their kinds, and the wording that connects
// them.
type couple struct{ first, second, wording string }

// couples are the emoji of two persons under their names in CLDR.
var couples = map[string]couple{
	"woman and man holding hands":       {"woman", "man", "{1} and {2} holding hands"},
	"men holding hands":                 {"man", "man", "{1} and {2} holding hands"},
	"women holding hands":               {"woman", "woman", "{1} and {2} holding hands"},
	"people holding hands":              {"person", "person", "{1} and {2} holding hands"},
	"kiss: woman, man":                  {"woman", "man", "{1} kissing {2}"},
	"kiss: man, man":                    {"man", "man", "{1} kissing {2}"},
	"kiss: woman, woman":                {"woman", "woman", "{1} kissing {2}"},
	"kiss: person, person":              {"person", "person", "{1} kissing {2}"},
	"couple with heart: woman, man":     {"woman", "man", "{1} and {2} in love"},
	"couple with heart: man, man":       {"man", "man", "{1} and {2} in love"},
	"couple with heart: woman, woman":   {"woman", "woman", "{1} and {2} in love"},
	"couple with heart: person, person": {"person", "person", "{1} and {2} in love"},
	"handshake":                         {"hand", "hand", "{1} shaking {2}"},
}

// heldOutCouples is the number of pairs of tones that are not trained on, of the 20 ordered pairs
// of different tones of a couple of two kinds.
const heldOutCouples = 6

// newCouple returns the content of an emoji of two persons.
func newCouple(e character, p *picture) (sentence, bool) {
	c, ok := couples[e.kind()]
	tones := e.tones()
	if len(tones) == 1 {
		tones = append(tones, tones[0])
	}
	if !ok || len(tones) != 2 {
		return sentence{}, false
	}
	things := [2]thing{{skins, combination{c.first, tones[0]}, p}, {skins, combination{c.second, tones[1]}, p}}
	return sentence{things: things, wording: c.wording}, true
}

// orderedTones is a couple with the tone of each person. It does not depend on which person is
// named first.
type orderedTones struct {
	wording string
	pair    pairKey
}

func (s sentence) orderedTones() orderedTones {
	return orderedTones{s.wording, newPairKey(s.things[0].combination, s.things[1].combination)}
}

// makeCouples makes a corpus of couples.
func (c Corpus) makeCouples(ctx context.Context, l *library, w *writer) error {
	sets := map[string][]sentence{}
	trained := map[orderedTones]bool{}
	v := vocabulary{combinations: map[combination]bool{}, attributes: map[*family][]string{skins: toneNames}}
	v.hasPair = func(s sentence) bool { return trained[s.orderedTones()] }
	held := c.heldOutCouples()
	for _, d := range designers {
		for _, e := range l.characters {
			p := l.pictures[d.name][d.fileName(e)]
			if p == nil {
				continue
			}
			s, ok := newCouple(e, p)
			switch {
			case !ok:
			case d.name == heldOutDesigner:
				sets[Designer] = append(sets[Designer], s)
			case held[s.orderedTones()]:
				sets[Held] = append(sets[Held], s)
			default:
				sets[Seen] = append(sets[Seen], s)
			}
		}
	}
	if len(sets[Seen]) == 0 {
		return fmt.Errorf("the packages have no picture of two persons")
	}
	scenes, streams := make([]sentence, c.Images), make([]*stream, c.Images)
	for i := range scenes {
		streams[i] = newStream(c.Seed, "train", i)
		scenes[i] = choose(streams[i], sets[Seen])
		trained[scenes[i].orderedTones()] = true
		v.addThings(scenes[i].things)
	}
	for i, s := range scenes {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := streams[i]
		img, err := w.drawCouple(r, s)
		if err != nil {
			return err
		}
		var captions []sentence
		for form := range forms {
			said := s
			said.form = form
			if r.IntN(2) == 0 {
				said.things[0], said.things[1] = s.things[1], s.things[0]
			}
			captions = append(captions, said)
		}
		if err := w.addTraining(i, img, captions, &v, r); err != nil {
			return err
		}
	}
	for _, set := range []string{Seen, Held, Designer} {
		if err := c.testCouples(w, set, sets[set]); err != nil {
			return err
		}
	}
	return nil
}

// heldOutCouples returns the ordered pairs of tones that are not trained on.
func (c Corpus) heldOutCouples() map[orderedTones]bool {
	held := map[orderedTones]bool{}
	for _, name := range slices.Sorted(maps.Keys(couples)) {
		var all []orderedTones
		for _, first := range toneNames {
			for _, second := range toneNames {
				if first != second && couples[name].first != couples[name].second {
					all = append(all, orderedTones{couples[name].wording, newPairKey(combination{couples[name].first, first}, combination{couples[name].second, second})})
				}
			}
		}
		for _, o := range chooseSome(newStream(c.Seed, "held out", name), all, heldOutCouples) {
			held[o] = true
		}
	}
	return held
}

// testCouples adds questions about couples of two kinds with different tones.
func (c Corpus) testCouples(w *writer, set string, from []sentence) error {
	from = slices.DeleteFunc(slices.Clone(from), func(s sentence) bool { _, ok := s.swapAttributes(); return !ok })
	r := newStream(c.Seed, set)
	for i, s := range chooseSome(r, from, c.Tests) {
		img, err := w.drawCouple(r, s)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%s/%06d.png", set, i)
		for s.form = range forms {
			w.askParts(set, name, s)
		}
		if err := w.writeImage(synth.TestsDir(w.dir), name, img); err != nil {
			return err
		}
	}
	return nil
}

// drawCouple draws a couple almost as large as the image.
func (w *writer) drawCouple(r *stream, s sentence) (*image.RGBA, error) {
	canvas := newCanvas()
	size := Side - r.IntN(Side/8+1)
	at := image.Pt(r.IntN(Side-size+1), r.IntN(Side-size+1))
	return canvas, w.drawPicture(canvas, s.things[0].picture, size, at)
}

// addTraining adds an image to train on with its captions and their right texts.
func (w *writer) addTraining(i int, img image.Image, captions []sentence, v *vocabulary, r *stream) error {
	var texts []string
	var pools []schemas.Pool
	for _, s := range captions {
		texts, pools = append(texts, s.text()), append(pools, v.rightPool(s, r))
	}
	return w.writeTraining(i, img, texts, pools)
}
