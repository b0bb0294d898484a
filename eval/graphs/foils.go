package graphs

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"capgraph/internal/text"
)

// Foil is a row of DiscourseFOIL (Lin et al. 2025): a description of an image, and a caption of it with a
// hallucination and without.
type Foil struct {
	Reference, Foiled, Right string
	Hallucination            string
	Fixed                    bool // whether the right caption differs from the foiled one
}

// foilsPeek is the number of bytes at the beginning of a file that IsFoils reads.
const foilsPeek = 1 << 16

// NewGoldReader returns a buffered reader of a file, as IsFoils and IsAnnotated need it.
func NewGoldReader(file io.Reader) *bufio.Reader { return bufio.NewReaderSize(file, foilsPeek) }

// IsFoils reports whether a file is a JSON array whose first objects have a hall_caption. in comes from
// NewGoldReader.
func IsFoils(in *bufio.Reader) bool {
	begin, _ := in.Peek(foilsPeek)
	return firstByte(in) == '[' && bytes.Contains(begin, []byte(`"hall_caption"`))
}

// ReadFoils reads DiscourseFOIL-200.json. It ends at the first error, which names the file and the row.
func ReadFoils(file io.Reader, name string) iter.Seq2[Foil, error] {
	type entry struct {
		Caption       string          `json:"caption"`
		Foiled        string          `json:"hall_caption"`
		Right         string          `json:"human_corrected_hall_caption"`
		Hallucination string          `json:"hallucination"`
		Fixed         json.RawMessage `json:"fixed"` // "true" or "false", with the quotes
	}
	return func(yield func(Foil, error) bool) {
		row := 0
		for e, err := range readArray[entry](file, name) {
			row++
			if err == nil && (e.Caption == "" || e.Foiled == "" || e.Right == "") {
				err = fmt.Errorf("%s: row %d: lacks caption, hall_caption or human_corrected_hall_caption", name, row)
			}
			fixed := strings.Trim(string(e.Fixed), `"`) == "true"
			if !yield(Foil{e.Caption, e.Foiled, e.Right, strings.TrimPrefix(e.Hallucination, "hallucination: "), fixed}, err) || err != nil {
				return
			}
		}
	}
}

// readArray reads the elements of a JSON array. It ends at the first error, which names the file and the row.
func readArray[T any](file io.Reader, name string) iter.Seq2[T, error] {
	return func(yield func(e T, err error) bool) {
		var none T
		d := json.NewDecoder(file)
		if token, err := d.Token(); err != nil || token != json.Delim('[') {
			yield(none, fmt.Errorf("%s: %w", name, cmp.Or(err, errors.New("is not a JSON array"))))
			return
		}
		for row := 1; d.More(); row++ {
			var e T
			if err := d.Decode(&e); err != nil {
				yield(none, fmt.Errorf("%s: row %d: %w", name, row, err))
				return
			}
			if !yield(e, nil) {
				return
			}
		}
		if _, err := d.Token(); err != nil {
			yield(none, fmt.Errorf("%s: is cut off: %w", name, err))
		}
	}
}

// FoilScore counts how often a metric of graphs is higher for the right caption than for the foiled one, both
// compared with the reference.
type FoilScore struct {
	Pairs    int
	Unfixed  int // rows that are left out
	metrics  [2]foilMetric
	synonyms synonyms
}

// foilMetric are the counts of one metric.
type foilMetric struct {
	right, ties         int
	sumRight, sumFoiled float64
}

// foilMetricNames are in the order of FoilScore.metrics.
var foilMetricNames = [...]string{"SPICE", "tuple F1"}

// NewFoilScore returns an empty score. It fails if the embedded lexicon cannot be read.
func NewFoilScore() (*FoilScore, error) {
	s, err := newSynonyms()
	return &FoilScore{synonyms: s}, err
}

// Add counts the graphs of a row and returns the SPICE of its two captions.
func (s *FoilScore) Add(reference, foiled, right []Triple) (ofRight, ofFoiled float64) {
	s.Pairs++
	r, f := s.synonyms.compareGraphs(right, reference), s.synonyms.compareGraphs(foiled, reference)
	s.metrics[0].add(r.spice, f.spice)
	s.metrics[1].add(r.f1, f.f1)
	return r.spice, f.spice
}

func (m *foilMetric) add(right, foiled float64) {
	m.sumRight, m.sumFoiled = m.sumRight+right, m.sumFoiled+foiled
	switch {
	case right > foiled:
		m.right++
	case right == foiled:
		m.ties++
	}
}

// WriteTable writes the score for people to read, in per cent. Ties are wrong, as in the benchmark's script.
func (s *FoilScore) WriteTable(w io.Writer) error {
	fmt.Fprintf(w, "%s; %s without a correction left out\n\n", text.Counted(s.Pairs, "pair", "pairs"), text.Counted(s.Unfixed, "row", "rows"))
	_, err := fmt.Fprintf(w, "%-12s %8s %6s %15s %16s\n", "", "accuracy", "ties", "right captions", "foiled captions")
	for i, name := range foilMetricNames {
		m := &s.metrics[i]
		_, err = fmt.Fprintf(w, "%-12s %8s %6s %15s %16s\n", name, formatPercent(ratio(m.right, s.Pairs), s.Pairs), formatPercent(ratio(m.ties, s.Pairs), s.Pairs),
			formatPercent(m.sumRight/float64(s.Pairs), s.Pairs), formatPercent(m.sumFoiled/float64(s.Pairs), s.Pairs))
	}
	return err
}
