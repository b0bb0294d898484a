// Package wordclass has the classes of words by which the parser's rules and the negatives
// go: words.tsv, which says what each is.
package wordclass

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed words.tsv
var file string

var classes = read(file)

// read reads the words of classes, each with a space before and after it.
func read(tsv string) map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(tsv) {
		if class, words, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok && !strings.HasPrefix(line, "#") {
			m[class] = " " + words + " "
		}
	}
	return m
}

// Of is the words of a class, each with a space before and after it. It panics where
// there is no such class, as regexp.MustCompile does: it is called for variables of
// packages.
func Of(class string) string {
	words, ok := classes[class]
	if !ok {
		panic(fmt.Sprintf("words.tsv has no class %q", class))
	}
	return words
}

// Has reports whether w is one of the words of class, each of which has a space before and
// after it.
func Has(class, w string) bool {
	for i := strings.Index(class, w); i >= 0 && w != ""; {
		if i > 0 && class[i-1] == ' ' && class[i+len(w)] == ' ' {
			return true
		}
		next := strings.Index(class[i+1:], w)
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}
