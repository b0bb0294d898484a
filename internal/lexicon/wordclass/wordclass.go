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

// Has holds where list, words with spaces or ends of lines between them, has a word, or several words
// one after the other.
func Has(list, word string) bool {
	for i := 0; word != ""; {
		j := strings.Index(list[i:], word)
		if j < 0 {
			return false
		}
		j += i
		end := j + len(word)
		before := j == 0 || list[j-1] == ' ' || list[j-1] == '\n'
		if before && (end == len(list) || list[end] == ' ' || list[end] == '\n') {
			return true
		}
		i = end
	}
	return false
}
