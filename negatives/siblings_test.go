package negatives

import (
	"strconv"
	"strings"
	"testing"

	"capgraph/negatives/siblings"
	"capgraph/negatives/truth"
	"capgraph/schemas"
)

// described are captions of an image, each of which says one relation of a man to a horse.
func described(relations ...string) (captions []Caption) {
	for _, r := range relations {
		captions = append(captions, Caption{Graph: schemas.SceneGraph{
			Objects:   []schemas.Object{object("man"), object("horse")},
			Relations: []schemas.Relation{{Subject: 0, Predicate: r, Lemma: r, Object: 1}},
		}})
	}
	return captions
}

// TestSiblings distinguishes what captions of one image seldom state together from what they often do.
func TestSiblings(t *testing.T) {
	s, err := siblings.NewCounter()
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		s.Add(described("riding", "on"))
		s.Add(described("feeding", "near", "near"))
		s.Add(described("washing"))
	}
	s.Add(nil)
	var out, again strings.Builder
	for _, w := range []*strings.Builder{&out, &again} {
		if err := s.Write(w); err != nil {
			t.Fatal(err)
		}
	}
	const want = "feeding\tnear\t20\t10.0\n"
	if got := strings.ReplaceAll(out.String(), "feed\t", "feeding\t"); !strings.Contains(got, want) || out.String() != again.String() {
		t.Errorf("%s, want a line %s and the same again", got, want)
	}
	read, err := siblings.Read(out.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{{"ride", "feed", true}, {"feed", "ride", true}, {"ride", "on", false}, {"feed", "wash", false}} { // of "wash" nothing is known
		if got := read.Apart(c.a, c.b); got != c.want {
			t.Errorf("%s and %s are apart: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestSiblingsAreRead names the line that is none.
func TestSiblingsAreRead(t *testing.T) {
	if s, err := siblings.Read(siblings.SiblingsFile); err != nil || !s.Apart("sit", "walk") || s.Apart("carry", "hold") {
		t.Errorf("siblings.tsv: %v, sit and walk apart: %v, carry and hold apart: %v", err, s.Apart("sit", "walk"), s.Apart("carry", "hold"))
	}
	for _, file := range []string{"sit\twalk\t1\n", "sit\twalk\tone\t2.5\n", "sit\twalk\t1\ttwo\n", "\n"} {
		if _, err := siblings.Read("feed\tride\t0\t9.5\n" + file); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// TestExclusionsAndSiblingsAgree has no verbs opposed that captions of one image say both as often as by chance.
func TestExclusionsAndSiblingsAgree(t *testing.T) {
	w := newTestWords(t)
	for line := range strings.Lines(siblings.SiblingsFile) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		seen, err := strconv.ParseFloat(f[2], 64)
		expected, err2 := strconv.ParseFloat(f[3], 64)
		if err != nil || err2 != nil {
			t.Fatal(line)
		}
		for _, of := range []truth.Actor{truth.Person, truth.Animal, truth.Vehicle} {
			if w.Verb(f[0]).Opposed(w.Verb(f[1]), of) && seen >= expected {
				t.Errorf("%s and %s of actor %d: both are said of %s images, by chance of %s", f[0], f[1], of, f[2], f[3])
			}
		}
	}
}
