// Package wordclass has the classes of words that the parser's rules and the negatives use, such as
// colours and garments. words.tsv lists and describes them.
package wordclass

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed words.tsv
var classFile string

var classes = parseClasses(classFile)

// parseClasses returns the words of each class, with a space before and after each word.
func parseClasses(tsv string) map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(tsv) {
		if class, words, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok && !strings.HasPrefix(line, "#") {
			m[class] = " " + words + " "
		}
	}
	return m
}

// Words returns the words of a class, with a space before and after each. It panics if there is no
// such class, like regexp.MustCompile, since it initialises package variables.
func Words(class string) string {
	words, ok := classes[class]
	if !ok {
		panic(fmt.Sprintf("words.tsv has no class %q", class))
	}
	return words
}

// Has reports whether list has a word, or several words in sequence. Words in list are separated by
// spaces or ends of lines.
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
