package clean

import "strings"

// trimEdges removes bullets, bars, commas and white space, which lists and layouts leave at the
// ends of a text.
func trimEdges(s string, _ Options, _ *findings) string {
	s = strings.TrimLeft(s, " ,;:|")
	for {
		word, rest, more := strings.Cut(s, " ")
		if !more || word == "" || strings.Trim(word, ".,;:!?|*~=_-·•") != "" {
			break
		}
		s = strings.TrimLeft(rest, " ,;:|")
	}
	s = strings.TrimRight(s, " ,;:|")
	for {
		i := strings.LastIndexByte(s, ' ')
		if i < 0 || strings.Trim(s[i+1:], "|*~=_-·•") != "" {
			return s
		}
		s = strings.TrimRight(s[:i], " ,;:|")
	}
}
