package examples

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/parquet-go/parquet-go"

	"capgraph/clean"
	"capgraph/internal/annotated"
	"capgraph/internal/portable"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/scenegraph"
)

// HeldOutRows is the number of last rows of FACTUAL's training part from which no teacher was trained, neither directly
// nor on captions made from them.
const HeldOutRows = 4000

// ReadQuestionTexts returns the captions that a teacher annotates: those of the web, of CC3M and of COCO, cleaned,
// without the development captions.
func (s *Source) ReadQuestionTexts() ([]string, error) {
	web, err := readTextColumn(filepath.Join(s.Data, "webalt", "train_5000.parquet"))
	if err != nil {
		return nil, err
	}
	conceptual, err := readTSV(filepath.Join(s.Data, "cc3m", "cc3m_val_first8000.tsv"))
	if err != nil {
		return nil, err
	}
	coco, err := readCOCO(filepath.Join(s.Data, "coco", "captions_val2017.json"))
	if err != nil {
		return nil, err
	}
	more, err := readKarpathy(filepath.Join(s.Data, "coco", "karpathy_val_minus_val2017.json"))
	if err != nil {
		return nil, err
	}
	options := clean.Defaults()
	options.Language = clean.LanguageAny // the teacher has annotated captions that later versions of the cleaner reject
	cleaner, err := clean.New(options)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var out []string
	train, _, err := s.ReadAnnotated(FirstGraphs)
	if err != nil {
		return nil, err
	}
	for _, c := range slices.Concat(web, conceptual, makeVariants(train), coco, more) {
		cleaned := cleaner.Examine(c)
		text, reason := cleaned.Text, cleaned.Reason
		if cleaned.Noise != 0 || clean.IsTagList(c) && !strings.Contains(c, ",") {
			continue // the teacher was asked before the cleaner rejected model noise and tags separated by bars
		}
		if n := strings.Count(text, " ") + 1; reason == "" && n >= 2 && n <= maxQuestionWords && isLatin(text) && !seen[text] && !annotated.IsDevelopment(text) {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out, nil
}

// ReadPlainCaptions returns the captions of COCO and CC3M as they are, without the development captions.
func (s *Source) ReadPlainCaptions() ([]string, error) {
	coco, err := readCOCO(filepath.Join(s.Data, "coco", "captions_val2017.json"))
	if err != nil {
		return nil, err
	}
	conceptual, err := readTSV(filepath.Join(s.Data, "cc3m", "cc3m_val_first8000.tsv"))
	return slices.DeleteFunc(append(coco, conceptual...), annotated.IsDevelopment), err
}

// isLatin reports whether more than half of the letters of a text are Latin.
func isLatin(text string) bool {
	letters, latin := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if unicode.Is(unicode.Latin, r) {
				latin++
			}
		}
	}
	return 2*latin > letters
}

// maxQuestionWords is the most words of a caption that a teacher annotates.
const maxQuestionWords = 40

// readTextColumn reads the column TEXT of a Parquet file.
func readTextColumn(path string) ([]string, error) {
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

// ReadFactual returns the captions of FACTUAL's training part and their gold graphs.
func (s *Source) ReadFactual() ([]string, [][]scenegraph.Triple, error) {
	return readFactual(filepath.Join(s.Data, "factual", "factual_sg_train.csv"))
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

// readTSV returns the first column of a TSV file.
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

// variantsPerCaption is the number of variants made of each caption.
const variantsPerCaption = 3

// makeVariants returns variants of the captions of xs. It replaces objects, with their attributes, by objects of other
// captions in the same WordNet class, verbs by verbs in the same form, and prepositions by prepositions.
func makeVariants(xs []*Example) (out []string) {
	type kind struct {
		class   uint8
		tag     penn.Tag
		capital bool
	}
	things, others := map[kind][]string{}, map[penn.Tag][]string{}
	replaceable := func(t *tokens.Token) bool { return penn.IsVerb(t.Tag) && !t.IsBe || t.Tag == penn.IN }
	last := func(x *Example, to int) kind {
		return kind{x.Tokens[to-1].Class, x.Tokens[to-1].Tag, x.Tokens[to-1].Capital}
	}
	for _, x := range xs {
		x.eachRun(func(from, to int) {
			things[last(x, to)] = append(things[last(x, to)], x.Caption[x.Tokens[from].Begin:x.Tokens[to-1].End])
		}, func(t *tokens.Token) {
			if replaceable(t) {
				others[t.Tag] = append(others[t.Tag], x.Caption[t.Begin:t.End])
			}
		})
	}
	rnd := portable.SplitMix64(77)
	for _, x := range xs {
		if x.Annotated.Source == "coco" {
			continue
		}
		for range variantsPerCaption {
			var text []string
			x.eachRun(func(from, to int) {
				if rnd.IntN(2) == 0 {
					of := things[last(x, to)]
					text = append(text, of[rnd.IntN(len(of))])
				} else {
					text = append(text, x.Caption[x.Tokens[from].Begin:x.Tokens[to-1].End])
				}
			}, func(t *tokens.Token) {
				often := 4
				if t.Tag == penn.IN {
					often = 8
				}
				if of := others[t.Tag]; replaceable(t) && rnd.IntN(often) == 0 {
					text = append(text, of[rnd.IntN(len(of))])
				} else {
					text = append(text, x.Caption[t.Begin:t.End])
				}
			})
			out = append(out, strings.Join(text, " "))
		}
	}
	return out
}

// Source makes examples from the data in a folder.
type Source struct {
	Data   string // see ruleparse/tools/README.md
	Reader *tokens.Reader
}
