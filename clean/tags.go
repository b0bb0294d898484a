package clean

import (
	"regexp"
	"strings"
)

// sentenceWords are words of sentences that lists of tags lack.
var sentenceWords = strings.Fields("a an the and or is are was were his her its their there this that which who while")

const (
	// leastTags is how many tags a list has at least.
	leastTags = 4
	// mostTagWords is the most words of a tag.
	mostTagWords = 3
)

// tagWeight is the weight of a tag for generators of images: (red hair:1.2).
var tagWeight = regexp.MustCompile(`\(([^():,]+):[0-9.]+\)`)

// IsTagList reports whether a text is a list of tags and no sentence: "1girl, solo, long hair, blue
// eyes". Most of what is between its commas is a word or a few, without articles and verbs of
// sentences.
func IsTagList(text string) bool {
	text = strings.TrimRight(strings.TrimSpace(text), ",.")
	if strings.IndexByte(text, ':') >= 0 {
		text = tagWeight.ReplaceAllString(text, "$1")
	}
	if strings.Count(text, ",")+1 < leastTags || strings.ContainsAny(text, ".!?;:\n") {
		return false
	}
	tags, short := 0, 0
	for tag := range strings.SplitSeq(text, ",") {
		words := strings.Fields(tag)
		if tags++; len(words) > 0 && len(words) <= mostTagWords && !hasSentenceWord(words) {
			short++
		}
	}
	return 10*short >= 9*tags
}

// hasSentenceWord reports whether one of the words is of a sentence.
func hasSentenceWord(words []string) bool {
	for _, w := range words {
		for _, s := range sentenceWords {
			if strings.EqualFold(w, s) {
				return true
			}
		}
	}
	return false
}
