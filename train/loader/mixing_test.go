package loader

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"capgraph/store"
)

// prefixes counts image keys by their first letter.
func prefixes(keys []string) map[byte]int {
	n := map[byte]int{}
	for _, k := range keys {
		n[k[0]]++
	}
	return n
}

func TestCorporaAreOneListWithoutWeights(t *testing.T) {
	o := testOptions(writeTexts(t, makeImages("a", 20), 6), writeTexts(t, makeImages("b", 12), 6))
	o.Batch, o.Window = 16, 100
	l := openLoader(t, o)
	var all []string
	for range 2 {
		b, err := l.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var of []string
		for _, s := range b.Samples {
			of = append(of, s.ImageKey)
			if want := int(s.ImageKey[0] - 'a'); s.Corpus != want {
				t.Errorf("%s is of corpus %d", s.ImageKey, s.Corpus)
			}
		}
		if n := prefixes(of); n['a'] == 0 || n['b'] == 0 {
			t.Errorf("a batch is of one corpus: %v", of)
		}
		all = append(all, of...)
		l.Release(b)
	}
	slices.Sort(all)
	if len(slices.Compact(all)) != 32 {
		t.Errorf("an epoch has %d images", len(all))
	}
}

// Corpora of 40 and 10 images with the weights 1 and 3: three of four samples are from the small one.
// Its images come several times, with another crop each time.
func TestCorporaAreDrawnByWeight(t *testing.T) {
	o := testOptions(writeTexts(t, makeImages("a", 40), 7), writeTexts(t, makeImages("b", 10), 7))
	o.Corpora[0].Weight, o.Corpora[1].Weight = 1, 3
	o.Batch, o.Samples = 50, 2000
	l := openLoader(t, o)
	if l.Steps() != 40 || l.Images() != 2000 {
		t.Fatalf("%d steps of %d images", l.Steps(), l.Images())
	}
	count, crops := map[string]int{}, map[string]bool{}
	for range 40 {
		b, err := l.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range b.Samples {
			count[s.ImageKey]++
			crops[s.ImageKey+string(s.Pixels)] = true
		}
		l.Release(b)
	}
	of := map[byte]int{}
	for key, n := range count {
		of[key[0]] += n
	}
	if of['b'] < 1400 || of['b'] > 1600 {
		t.Errorf("%d of 2000 samples are of the corpus of weight 3 of 4", of['b'])
	}
	for _, images := range [][]captionedImage{makeImages("a", 40), makeImages("b", 10)} {
		least, most := 2000, 0
		for _, image := range images {
			least, most = min(least, count[image.key]), max(most, count[image.key])
		}
		if most-least > 1 {
			t.Errorf("images of a corpus come %d to %d times", least, most)
		}
	}
	if len(crops) != 2000 {
		t.Errorf("2000 samples have %d crops", len(crops))
	}
}

func TestReplacement(t *testing.T) {
	o := testOptions(writeTexts(t, makeImages("i", 400), 90))
	o.Batch, o.Window, o.Replacement = 100, 400, true
	l := openLoader(t, o)
	count, made := map[string]int{}, map[string]bool{}
	for range 4 {
		b, err := l.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range b.Samples {
			count[s.ImageKey]++
			made[string(s.Pixels)] = true
		}
		l.Release(b)
	}
	// Of n images drawn n times, 1 - 1/e come: 253 of 400.
	if n := len(count); n < 220 || n > 285 {
		t.Errorf("%d of 400 images come in an epoch", n)
	}
	if len(made) != 400 {
		t.Errorf("400 samples have %d crops", len(made))
	}
}

// neighboursFile writes a file with the next three images as neighbours of each.
func neighboursFile(t testing.TB, lists ...[]captionedImage) string {
	t.Helper()
	var all []string
	for _, l := range lists {
		for _, image := range l {
			all = append(all, image.key)
		}
	}
	var text strings.Builder
	for i, key := range all {
		fmt.Fprintf(&text, "%s\t%s\t%s\t%s\t%s\n", key, key, all[(i+1)%len(all)], all[(i+2)%len(all)], all[(i+3)%len(all)])
	}
	name := filepath.Join(t.TempDir(), "near.tsv")
	if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// A partner is the epoch's sample of one of the three nearest images, inside the same window or
// outside.
func TestPartnersAreSimilarImages(t *testing.T) {
	images := makeImages("i", 24)
	dir, near := writeTexts(t, images, 5), neighboursFile(t, images)
	for _, window := range []int{5, 24} {
		o := testOptions(dir)
		o.Window, o.Neighbours = window, near
		l := openLoader(t, o)
		own, partners, from := map[string]string{}, map[string]string{}, map[int]int{}
		for range l.Steps() {
			b, err := l.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range b.Samples {
				var i, j int
				fmt.Sscanf(s.ImageKey+s.Partner.ImageKey, "i%04di%04d", &i, &j)
				from[(j-i+24)%24]++
				partners[s.Partner.ImageKey] = describeSample(s.Partner)
				alone := *s
				alone.Partner = nil
				own[s.ImageKey] = describeSample(&alone)
			}
			l.Release(b)
		}
		for key, is := range partners {
			if own[key] != is {
				t.Errorf("window %d: the partner %s\nis no sample %s", window, is, own[key])
			}
		}
		if from[1] == 0 || from[2] == 0 || from[3] == 0 || from[1]+from[2]+from[3] != 24 {
			t.Errorf("partners are the neighbours %v", from)
		}
	}
}

func TestPartnersThatAreNotThere(t *testing.T) {
	dir, name := writeTexts(t, makeImages("i", 4), 5), filepath.Join(t.TempDir(), "near.tsv")
	if err := os.WriteFile(name, []byte("i0000\ti0001\r\ni0001\telsewhere\ni0002\ti0003\ni0000\ti0002\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o := testOptions(dir)
	o.Neighbours = name
	o.Corpora[0].Images = fakeImages{broken: "i0003"}
	b, err := openLoader(t, o).Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range b.Samples {
		switch s.ImageKey {
		case "i0000":
			if s.Partner == nil || s.Partner.ImageKey != "i0001" || s.Partner.Pixels == nil || s.PartnerErr != nil {
				t.Errorf("partner %+v, error %v", s.Partner, s.PartnerErr)
			}
		case "i0002":
			if s.Partner != nil || s.PartnerErr == nil || errors.Is(s.PartnerErr, ErrNoNeighbour) {
				t.Errorf("partner %+v, error %v", s.Partner, s.PartnerErr)
			}
		default:
			if s.Partner != nil || !errors.Is(s.PartnerErr, ErrNoNeighbour) {
				t.Errorf("partner %+v, error %v", s.Partner, s.PartnerErr)
			}
		}
	}
}

func TestNeighboursNameTheirLine(t *testing.T) {
	for _, text := range []string{"a\tb\n\n", "a\tb\nc\n", "a\tb\n" + strings.Repeat("k", maxNeighbourLine+1)} {
		if _, err := ReadNeighbours(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("error %v", err)
		}
	}
	if _, err := readNeighbours(store.Local{}, filepath.Join(t.TempDir(), "none.tsv")); err == nil || !strings.Contains(err.Error(), "none.tsv") {
		t.Errorf("error %v", err)
	}
}

func FuzzNeighbours(f *testing.F) {
	for _, s := range []string{"", "a\tb\n", "a\ta\t\tb\r\nb\t", "\xff\t\x00", "a\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := ReadNeighbours(bytes.NewReader(data))
		if err != nil {
			return
		}
		for key, near := range n.nearest {
			if len(near) > Nearest || slices.Contains(near, key) || slices.Contains(near, "") {
				t.Errorf("%q has the neighbours %q", key, near)
			}
		}
	})
}
