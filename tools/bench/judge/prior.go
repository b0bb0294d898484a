package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"slices"
	"strings"

	"capgraph/negatives/vocabulary"
)

// least is the smallest sum of counts over the runs that the prior contains.
const least = 2

// writePrior writes the summed counts of runs, one line each: a kind, a key and a count.
func writePrior(out string, runs []string) error {
	type key struct{ kind, key string }
	sums := map[key]int64{}
	for _, dir := range runs {
		rows, err := countsOf(dir)
		if err != nil {
			return err
		}
		for c, err := range rows {
			if err != nil {
				return err
			}
			switch c.Kind {
			case vocabulary.Between, vocabulary.AttributeOf, vocabulary.ActionOf:
				sums[key{c.Kind, c.Key}] += c.N
			case vocabulary.Usage: // without the counts of sentence beginnings and of names
				if !strings.HasSuffix(c.Key, "\tfirst") && !strings.HasSuffix(c.Key, "\tname") {
					sums[key{c.Kind, c.Key}] += c.N
				}
			}
		}
	}
	var lines []string
	for k, n := range sums {
		if n >= least {
			lines = append(lines, fmt.Sprintf("%s\t%s\t%d\n", k.kind, k.key, n))
		}
	}
	slices.Sort(lines)
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(z)
	for _, l := range lines {
		w.WriteString(l)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return f.Close()
}
