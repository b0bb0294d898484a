package clean

import (
	"regexp"
	"slices"
	"strings"
)

// sentenceWords occur in sentences but not in lists of tags. prepositions do not occur in lists of
// tags that spaces separate.
var (
	sentenceWords = strings.Fields("a an the and or is are was were his her its their there this that which who while")
	prepositions  = strings.Fields("of on in at with to for by from near next under over behind into onto")
)

const (
	// leastTags is the fewest tags of a list.
	leastTags = 4
	// mostTagWords is the most words of a tag.
	mostTagWords = 3
)

// tagWeight matches a tag with a weight for image generators: (red hair:1.2).
var tagWeight = regexp.MustCompile(`\(([^():,]+):[0-9.]+\)`)

// IsTagList reports whether a text is a list of tags rather than a sentence: "1girl, solo, long
// hair, blue eyes". The tags are separated by commas, semicolons, bars or line ends, or by spaces if
// some have underscores: "1girl solo long_hair blue_eyes". Most tags have one to three words,
// without articles and verbs of sentences.
func IsTagList(text string) bool { return splitTags(text) != nil }

// splitTags returns the tags of a list of tags; nil if text is none.
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
			return splitTagsAt(text, sep)
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

// splitTagsAt splits a text at sep and returns its parts; nil if they are not a list of tags.
func splitTagsAt(text, sep string) (tags []string) {
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

// hasSentenceWord reports whether one of the words is in sentenceWords.
func hasSentenceWord(words []string) bool { return hasOneOf(words, sentenceWords) }

// hasOneOf reports whether one of the words is in list, in any case.
func hasOneOf(words, list []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(list, func(l string) bool { return strings.EqualFold(w, l) })
	})
}

// respellTags rewrites a list of tags with commas and spaces: "1girl solo long_hair blue_eyes" becomes
// "1girl, solo, long hair, blue eyes".
func respellTags(s string, _ Options, _ *findings) string {
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
