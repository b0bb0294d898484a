package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fileExtensions are the extensions by which file names in a caption are recognised.
var fileExtensions = []string{".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".svg", ".mp4", ".mov", ".avi", ".pdf"}

// stripLinks removes links, file names and a series of two or more hashtags at the end. Other
// hashtags lose their #.
func stripLinks(s string, _ Options, found *findings) string {
	if !strings.ContainsAny(s, ".#/") {
		return s
	}
	words := strings.Fields(s)
	end := len(words)
	for end > 0 && isHashtag(words[end-1]) {
		end--
	}
	if len(words)-end >= 2 {
		words, found.link = words[:end], true
	}
	kept := words[:0]
	for _, w := range words {
		switch {
		case isLink(w) || isFileName(w):
			found.link = true
			continue
		case isHashtag(w):
			w = w[1:]
		}
		kept = append(kept, w)
	}
	return strings.Join(kept, " ")
}

func isHashtag(word string) bool {
	if !strings.HasPrefix(word, "#") {
		return false
	}
	r, _ := utf8.DecodeRuneInString(word[1:])
	return unicode.IsLetter(r)
}

func isLink(word string) bool {
	word = strings.ToLower(strings.TrimLeft(word, `"'([<`))
	for _, start := range []string{"www.", "http://", "https://"} {
		if host, ok := strings.CutPrefix(word, start); ok && host != "" {
			return true
		}
	}
	return false
}

func isFileName(word string) bool {
	word = strings.ToLower(strings.Trim(word, `"'()[],;:.!?`))
	for _, e := range fileExtensions {
		if len(word) > len(e) && strings.HasSuffix(word, e) {
			return true
		}
	}
	return false
}
