package clean

import (
	"regexp"
	"slices"
	"strings"
)

// sentenceWords are words of sentences that lists of tags lack, and prepositions those that a list
// divided by spaces lacks too.
var (
	sentenceWords = strings.Fields("a an the and or is are was were his her its their there this that which who while")
	prepositions  = strings.Fields("of on in at with to for by from near next under over behind into onto")
)

const (
	// leastTags is how many tags a list has at least.
	leastTags = 4
	// mostTagWords is the most words of a tag.
	mostTagWords = 3
)

// tagWeight is the weight of a tag for generators of images: (red hair:1.2).
var tagWeight = regexp.MustCompile(`\(([^():,]+):[0-9.]+\)`)

// IsTagList reports whether a text is a list of tags and no sentence: "1girl, solo, long hair, blue
// eyes". The tags are divided by commas, semicolons, bars or line ends, or by spaces if some have
// underscores: "1girl solo long_hair blue_eyes". Most tags are a word or a few, without articles and
// verbs of sentences.
func IsTagList(text string) bool { return splitTags(text) != nil }

// splitTags returns the tags of a list, or nil.
func splitTags(text string) []string {
	text = strings.TrimRight(strings.TrimSpace(text), ",;|.")
	if strings.IndexByte(text, ':') >= 0 {
		text = tagWeight.ReplaceAllString(text, "$1")
	}
	if strings.ContainsAny(text, ".!?&") || strings.Contains(text, ": ") || strings.Contains(text, ":\n") {
		return nil
	}
	for _, sep := range []string{"\n", ";", "|", ","} {
		if strings.Contains(text, sep) {
			return dividedTags(text, sep)
		}
	}
	words := strings.Fields(text)
	underscored := 0
	for _, w := range words {
		if strings.Contains(strings.Trim(w, "_"), "_") {
			underscored++
		}
	}
	if len(words) < leastTags || underscored < 2 || 3*underscored < len(words) || hasSentenceWord(words) || hasOneOf(words, prepositions) {
		return nil
	}
	return words
}

// dividedTags returns the tags of a list that is divided by sep, or nil.
func dividedTags(text, sep string) (tags []string) {
	if strings.Count(text, sep)+1 < leastTags {
		return nil
	}
	short := 0
	for tag := range strings.SplitSeq(text, sep) {
		words := strings.Fields(tag)
		if len(words) > 0 && len(words) <= mostTagWords && !hasSentenceWord(words) && !strings.ContainsAny(tag, ",;|") {
			short++
		}
		tags = append(tags, strings.TrimSpace(tag))
	}
	if len(tags) < leastTags || 10*short < 9*len(tags) {
		return nil
	}
	return tags
}

// hasSentenceWord reports whether one of the words is of a sentence.
func hasSentenceWord(words []string) bool { return hasOneOf(words, sentenceWords) }

// hasOneOf reports whether one of the words is in a list, in any case.
func hasOneOf(words, list []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(list, func(l string) bool { return strings.EqualFold(w, l) })
	})
}

// writeTags writes a list of tags with commas and spaces: "1girl solo long_hair blue_eyes" as "1girl, solo,
// long hair, blue eyes".
func writeTags(s string, _ Options, _ *findings) string {
	if !strings.ContainsAny(s, "_;|\n") {
		return s
	}
	tags := splitTags(s)
	if tags == nil {
		return s
	}
	kept := tags[:0]
	for _, tag := range tags {
		b := []byte(strings.TrimLeft(tag, "-*•# "))
		for i := 1; i+1 < len(b); i++ {
			if b[i] == '_' && isAlphanumeric(b[i-1]) && isAlphanumeric(b[i+1]) {
				b[i] = ' '
			}
		}
		if len(b) > 0 {
			kept = append(kept, string(b))
		}
	}
	return strings.Join(kept, ", ")
}
