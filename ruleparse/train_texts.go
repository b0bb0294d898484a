package ruleparse

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// untaught is how many of the last rows of FACTUAL's training part no teacher has
// seen, nor anything made from them.
const untaught = 4000

// untold lists the captions that a teacher annotates: of COCO and CC3M, parts of
// those of COCO, and FACTUAL's with other objects, verbs and prepositions.
func (p *Parser) untold(data string) ([]string, error) {
	coco, err := readCOCO(filepath.Join(data, "coco", "captions_val2017.json"))
	if err != nil {
		return nil, err
	}
	more, err := readKarpathy(filepath.Join(data, "coco", "karpathy_val_minus_val2017.json"))
	if err != nil {
		return nil, err
	}
	coco = append(coco, more...)
	web, err := readTSV(filepath.Join(data, "cc3m", "cc3m_val_first8000.tsv"))
	if err != nil {
		return nil, err
	}
	captions, gold, err := readTraining(data)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, c := range captions {
		seen[strings.ToLower(c)] = true
	}
	var out []string
	add := func(text string) {
		if n := strings.Count(text, " ") + 1; n >= 2 && n <= 40 && !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	for _, c := range append(coco, web...) {
		add(strings.Join(strings.Fields(c), " "))
	}
	rnd := noise(3)
	for _, c := range coco {
		add(part(strings.Fields(strings.ToLower(strings.TrimRight(c, " ."))), &rnd))
	}
	n := max(0, len(captions)-untaught)
	for _, t := range variants(p.alignAll(captions[:n], gold[:n])) {
		add(t)
	}
	return out, nil
}

func readTraining(data string) ([]string, [][]Triple, error) {
	return readFactual(filepath.Join(data, "factual", "factual_sg_train.csv"))
}

func readCOCO(path string) (out []string, err error) {
	var file struct {
		Annotations []struct{ Caption string }
	}
	if err := readJSON(path, &file); err != nil {
		return nil, err
	}
	for _, a := range file.Annotations {
		out = append(out, a.Caption)
	}
	return out, nil
}

func readKarpathy(path string) (out []string, err error) {
	var images []struct{ Caption []string }
	if err := readJSON(path, &images); err != nil {
		return nil, err
	}
	for _, i := range images {
		out = append(out, i.Caption...)
	}
	return out, nil
}

func readJSON(path string, to any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, to); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// readTSV reads the first column.
func readTSV(path string) (out []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		c, _, _ := strings.Cut(lines.Text(), "\t")
		out = append(out, c)
	}
	return out, lines.Err()
}

// What begins a part, and what neither ends one nor goes on with it.
const (
	partStarts = " a an the two three some several his her many four white black red blue green small large man woman people "
	partSeams  = " a an the in on with and of at next to while is are that his her by near for from as who which its their very two "
)

// part cuts a part of two to nine words out of a caption, as regions are
// described, or returns "".
func part(words []string, rnd *noise) string {
	if len(words) < 6 {
		return ""
	}
	var starts []int
	for i, w := range words {
		if strings.Contains(partStarts, " "+w+" ") {
			starts = append(starts, i)
		}
	}
	sizes := [...]int{2, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 8, 9}
	for range 4 {
		from := 0
		if len(starts) > 0 {
			from = starts[rnd.Below(len(starts))]
		}
		to := from + sizes[rnd.Below(len(sizes))]
		if to > len(words) || from == 0 && to == len(words) {
			continue
		}
		last := words[to-1]
		comma := strings.HasSuffix(last, ",")
		if strings.Contains(partSeams, " "+last+" ") {
			continue
		}
		if to < len(words) && !comma && !strings.Contains(partSeams, " "+words[to]+" ") && !strings.HasSuffix(words[to], "ing") {
			continue
		}
		cut := slices.Clone(words[from:to])
		cut[len(cut)-1] = strings.TrimSuffix(last, ",")
		if a := cut[0]; (a == "a" || a == "an" || a == "the") && rnd.Below(3) == 0 {
			cut = cut[1:]
		}
		return strings.Join(cut, " ")
	}
	return ""
}

// variantsEach is how often each caption is varied.
const variantsEach = 8

// variants makes captions of those of xs: objects with their attributes are
// replaced by those of other captions whose noun is of the same class, verbs by
// verbs in the same form, prepositions by prepositions.
func variants(xs []*example) (out []string) {
	type kind struct {
		class uint8
		tag   tag
	}
	things, others := map[kind][]string{}, map[tag][]string{}
	replaceable := func(t *span) bool { return isVerb(t.tag) && !t.be || t.tag == tagIN }
	last := func(x *example, to int) kind { return kind{x.spans[to-1].class, x.spans[to-1].tag} }
	for _, x := range xs {
		x.parts(func(from, to int) {
			things[last(x, to)] = append(things[last(x, to)], strings.Join(words(x.spans[from:to]), " "))
		}, func(t *span) {
			if replaceable(t) {
				others[t.tag] = append(others[t.tag], t.low)
			}
		})
	}
	rnd := noise(77)
	for _, x := range xs {
		for range variantsEach {
			var text []string
			x.parts(func(from, to int) {
				if rnd.Below(2) == 0 {
					of := things[last(x, to)]
					text = append(text, of[rnd.Below(len(of))])
				} else {
					text = append(text, words(x.spans[from:to])...)
				}
			}, func(t *span) {
				often := 4
				if t.tag == tagIN {
					often = 8
				}
				if of := others[t.tag]; replaceable(t) && rnd.Below(often) == 0 {
					text = append(text, of[rnd.Below(len(of))])
				} else {
					text = append(text, t.low)
				}
			})
			out = append(out, strings.Join(text, " "))
		}
	}
	return out
}

// parts calls thing for each run of tokens in nodes and other for each other
// token, in the order of the text.
func (x *example) parts(thing func(from, to int), other func(*span)) {
	for i := 0; i < len(x.spans); {
		if !x.inNode[i] {
			other(&x.spans[i])
			i++
			continue
		}
		from := i
		for i < len(x.spans) && x.inNode[i] {
			i++
		}
		thing(from, i)
	}
}
