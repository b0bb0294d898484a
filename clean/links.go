package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// extensions are those of files that a caption may be named after.
var extensions = []string{".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".svg", ".mp4", ".mov", ".avi", ".pdf"}

// links takes links, file names and a pile of hashtags at the end away, and the
// sign of the hashtags that are words of a sentence.
func links(s string, _ Options, found *findings) string {
	if !strings.ContainsAny(s, ".#/") {
		return s
	}
	words := strings.Fields(s)
	end := len(words)
	for end > 0 && hashtag(words[end-1]) {
		end--
	}
	if len(words)-end >= 2 {
		words, found.link = words[:end], true
	}
	kept := words[:0]
	for _, w := range words {
		switch {
		case link(w) || fileName(w):
			found.link = true
			continue
		case hashtag(w):
			w = w[1:]
		}
		kept = append(kept, w)
	}
	return strings.Join(kept, " ")
}

func hashtag(word string) bool {
	if !strings.HasPrefix(word, "#") {
		return false
	}
	r, _ := utf8.DecodeRuneInString(word[1:])
	return unicode.IsLetter(r)
}

func link(word string) bool {
	word = strings.ToLower(strings.TrimLeft(word, `"'([<`))
	for _, start := range []string{"www.", "http://", "https://"} {
		if host, ok := strings.CutPrefix(word, start); ok && host != "" {
			return true
		}
	}
	return false
}

func fileName(word string) bool {
	word = strings.ToLower(strings.Trim(word, `"'()[],;:.!?`))
	for _, e := range extensions {
		if len(word) > len(e) && strings.HasSuffix(word, e) {
			return true
		}
	}
	return false
}
