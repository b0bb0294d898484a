// Package publiccounts has counts of public captions, and weights of package balance that were
// trained on them, for use when there are too few captions to count:
//
//	v, err := negatives.ReadVocabulary(publiccounts.Vocabulary(), opts)
//
// tools/makevocabulary writes the file.
package publiccounts

import (
	"bufio"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"capgraph/internal/counts"
	"capgraph/schemas"
)

// Version identifies the counts.
const Version = "publiccounts/1"

//go:embed counts.tsv.gz
var embedded string

// endOfVocabulary is the line between the vocabulary and the weights in the file.
const endOfVocabulary = "balance"

// Vocabulary yields the counts of nouns, attributes, relations and verbs, sorted by kind and key.
func Vocabulary() iter.Seq2[schemas.Count, error] {
	return readCounts(strings.NewReader(embedded), false)
}

// Balance yields the weights of package balance, by hashed n-grams.
func Balance() iter.Seq2[schemas.Count, error] { return readCounts(strings.NewReader(embedded), true) }

// AddTo yields the sums of rows, which are sorted by kind and key, and the vocabulary.
func AddTo(rows iter.Seq2[schemas.Count, error]) iter.Seq2[schemas.Count, error] {
	return counts.Merge([]iter.Seq2[schemas.Count, error]{rows, Vocabulary()})
}

// readCounts yields the rows of the vocabulary, or of the weights if balance is set.
func readCounts(in io.Reader, balance bool) iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) {
		plain, err := gzip.NewReader(in)
		if err != nil {
			yield(schemas.Count{}, fmt.Errorf("counts of public captions: %w", err))
			return
		}
		lines := bufio.NewScanner(plain)
		kind, passed := "", false
		for lines.Scan() {
			line := lines.Text()
			switch {
			case line == endOfVocabulary:
				if !balance {
					return
				}
				passed = true
			case !strings.Contains(line, "\t"):
				kind = line
			case passed == balance:
				at := strings.LastIndexByte(line, '\t')
				n, err := strconv.ParseInt(line[at+1:], 10, 64)
				if err != nil {
					yield(schemas.Count{}, fmt.Errorf("counts of public captions: %q is no count", line))
					return
				}
				if !yield(schemas.Count{Kind: kind, Key: line[:at], N: n}, nil) {
					return
				}
			}
		}
		if err := lines.Err(); err != nil {
			yield(schemas.Count{}, fmt.Errorf("counts of public captions: %w", err))
		}
	}
}

// Write writes the vocabulary and the weights in the form of the embedded file. The same rows give
// the same bytes.
func Write(out io.Writer, vocabulary, balance iter.Seq2[schemas.Count, error]) error {
	z, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(z)
	kind := ""
	for i, rows := range []iter.Seq2[schemas.Count, error]{vocabulary, balance} {
		if i > 0 {
			fmt.Fprintln(w, endOfVocabulary)
		}
		for row, err := range rows {
			if err != nil {
				return err
			}
			if row.Kind != kind {
				kind = row.Kind
				fmt.Fprintln(w, kind)
			}
			fmt.Fprintf(w, "%s\t%d\n", row.Key, row.N)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return z.Close()
}
