package main

import (
	"fmt"
	"io"
	"strings"

	"capgraph/clean"
	"capgraph/internal/text"
	"capgraph/sources"
)

// printLengths prints whether a model wrote the captions, their lengths in words, and how many a
// limit on length rejects.
func printLengths(w io.Writer, found sources.Found) {
	words := found.Lengths.Words
	switch m := found.Models; {
	case m != nil && len(m.Alt) > 0:
		fmt.Fprintf(w, "captions are a model's, as in %s; the alt text, %s, is not read (docs/guide/prepare.md)\n", m.Corpus, strings.Join(m.Alt, ", "))
	case m != nil:
		fmt.Fprintf(w, "captions are a model's, as in %s (docs/guide/prepare.md)\n", m.Corpus)
	case found.Lengths.LookLikeModels():
		fmt.Fprintf(w, "captions look like a model's: of %d, %d have several sentences, %d begin with \"The image\" (docs/guide/prepare.md)\n", len(words), found.Lengths.Several, found.Lengths.Shown)
	}
	if len(words) == 0 {
		return
	}
	fmt.Fprintf(w, "lengths of the first %s: %s to %s, half of them %s or more\n", text.Counted(len(words), "caption", "captions"), text.Thousands(words[0]), text.Counted(words[len(words)-1], "word", "words"), text.Thousands(words[len(words)/2]))
	short, long := 0, 0
	o := clean.Defaults()
	for _, n := range words {
		if n < o.MinWords {
			short++
		} else if n > o.MaxWords {
			long++
		}
	}
	if short > 0 {
		fmt.Fprintf(w, "%d of them %s rejected by clean.min_words: %d\n", short, text.Plural(short, "is", "are"), o.MinWords)
	}
	if long > 0 {
		fmt.Fprintf(w, "%d of them %s rejected by clean.max_words: %d\n", long, text.Plural(long, "is", "are"), o.MaxWords)
	}
}
