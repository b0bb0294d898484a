package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"slices"
	"strings"

	"capgraph/scenegraph"
)

// writeVerdicts writes the verdicts of readers on pairs, without texts. A line has the source of a pair, the key of its
// caption, the pos_id of its positive, its method, the words that the negative lacks, its new words, and the verdicts.
func writeVerdicts(files, out string) error {
	at := map[string]int{}
	var lines []string
	for file := range strings.SplitSeq(files, ",") {
		pairs, err := readPairs(file)
		if err != nil {
			return err
		}
		for i := range pairs {
			p := &pairs[i]
			gone, come := wordsThatDiffer(p.Positive, p.Negative)
			line := fmt.Sprintf("%s\t%s\t%d\t%s\t%s\t%s", p.Source, p.Key, scenegraph.TextID(p.Positive), p.Method, gone, come)
			of := fmt.Sprint(line, "\t", scenegraph.TextID(p.Negative))
			k, ok := at[of]
			if !ok {
				k, lines = len(lines), append(lines, line)
				at[of] = k
			}
			lines[k] += "\t" + p.Verdict
		}
	}
	slices.Sort(lines)
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	w := bufio.NewWriter(z)
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return f.Close()
}

// wordsThatDiffer returns the words of the positive that the negative lacks, and the words of the negative that the
// positive lacks.
func wordsThatDiffer(positive, negative string) (gone, come string) {
	lacks := func(a, b string) string {
		rest := strings.Fields(strings.ToLower(b))
		return strings.Join(slices.DeleteFunc(strings.Fields(strings.ToLower(a)), func(w string) bool {
			k := slices.Index(rest, w)
			if k >= 0 {
				rest = slices.Delete(rest, k, k+1)
			}
			return k >= 0
		}), " ")
	}
	return lacks(positive, negative), lacks(negative, positive)
}
