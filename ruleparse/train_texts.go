package ruleparse

import (
	"bufio"
	"capgraph/clean"
	"capgraph/internal/annotated"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// untaught is how many of the last rows of FACTUAL's training part no teacher has
// seen, nor anything made from them.
const untaught = 4000

// untold lists the captions that a teacher annotates: those of the web, of CC3M and of
// COCO, cleaned, but for those of the development part.
func (p *Parser) untold(data string) ([]string, error) {
	web, err := readTexts(filepath.Join(data, "webalt", "train_5000.parquet"))
	if err != nil {
		return nil, err
	}
	conceptual, err := readTSV(filepath.Join(data, "cc3m", "cc3m_val_first8000.tsv"))
	if err != nil {
		return nil, err
	}
	coco, err := readCOCO(filepath.Join(data, "coco", "captions_val2017.json"))
	if err != nil {
		return nil, err
	}
	more, err := readKarpathy(filepath.Join(data, "coco", "karpathy_val_minus_val2017.json"))
	if err != nil {
		return nil, err
	}
	cleaner, err := clean.New(clean.Defaults())
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var out []string
	train, _, err := p.annotated(data)
	if err != nil {
		return nil, err
	}
	for _, c := range slices.Concat(web, conceptual, variants(train), coco, more) {
		text, reason := cleaner.Clean(c)
		if n := strings.Count(text, " ") + 1; reason == "" && n >= 2 && n <= maxTaught && !seen[text] && !annotated.Development(text) {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out, nil
}

// maxTaught is how many words a caption has at most that a teacher annotates.
const maxTaught = 40

// readTexts reads the column TEXT of a Parquet file.
func readTexts(path string) ([]string, error) {
	rows, err := parquet.ReadFile[struct {
		Text *string `parquet:"TEXT,optional"`
	}](path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var out []string
	for _, r := range rows {
		if r.Text != nil {
			out = append(out, *r.Text)
		}
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

// variantsEach is how often each caption is varied.
const variantsEach = 3

// variants makes captions of those of xs: objects with their attributes are
// replaced by those of other captions whose noun is of the same class, verbs by
// verbs in the same form, prepositions by prepositions.
func variants(xs []*example) (out []string) {
	type kind struct {
		class   uint8
		tag     tag
		capital bool
	}
	things, others := map[kind][]string{}, map[tag][]string{}
	replaceable := func(t *span) bool { return isVerb(t.tag) && !t.be || t.tag == tagIN }
	last := func(x *example, to int) kind {
		return kind{x.spans[to-1].class, x.spans[to-1].tag, x.spans[to-1].capital}
	}
	for _, x := range xs {
		x.parts(func(from, to int) {
			things[last(x, to)] = append(things[last(x, to)], x.caption[x.spans[from].begin:x.spans[to-1].end])
		}, func(t *span) {
			if replaceable(t) {
				others[t.tag] = append(others[t.tag], x.caption[t.begin:t.end])
			}
		})
	}
	rnd := noise(77)
	for _, x := range xs {
		if x.annotated.Source == "coco" {
			continue
		}
		for range variantsEach {
			var text []string
			x.parts(func(from, to int) {
				if rnd.Below(2) == 0 {
					of := things[last(x, to)]
					text = append(text, of[rnd.Below(len(of))])
				} else {
					text = append(text, x.caption[x.spans[from].begin:x.spans[to-1].end])
				}
			}, func(t *span) {
				often := 4
				if t.tag == tagIN {
					often = 8
				}
				if of := others[t.tag]; replaceable(t) && rnd.Below(often) == 0 {
					text = append(text, of[rnd.Below(len(of))])
				} else {
					text = append(text, x.caption[t.begin:t.end])
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
