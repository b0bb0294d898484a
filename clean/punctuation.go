package clean

import "strings"

// tidyPunctuation shortens repeated punctuation and adds the space that is missing after a comma or
// a full stop between words.
func tidyPunctuation(s string, _ Options, _ *findings) string {
	if !strings.ContainsAny(s, `.,;:!?"-=*_~|`) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i := 0; i < len(s); {
		n := 1
		for i+n < len(s) && s[i+n] == s[i] {
			n++
		}
		b.WriteString(shortenRun(s[i:i+n], s[:i], s[i+n:]))
		i += n
	}
	return b.String()
}

// shortenRun returns the replacement of a run of one punctuation mark, given the text before and after it.
func shortenRun(run, before, after string) string {
	n := len(run)
	switch run[0] {
	case '.':
		switch {
		case n > 3:
			return "..."
		case n == 2:
			return "."
		case n == 1 && endsSentence(before, after):
			return ". "
		}
	case ',':
		if before != "" && after != "" && isLetter(before[len(before)-1]) && isLetter(after[0]) {
			return ", "
		}
		return ","
	case '-':
		if n > 1 {
			return " - "
		}
	case ';', ':', '!', '?', '"', '=', '*', '_', '~', '|':
		return run[:1]
	}
	return run
}

// endsSentence reports whether a full stop between before and after ends a sentence, as in "on the
// ground.A man" and not in "U.S. flag" or "example.Org".
func endsSentence(before, after string) bool {
	n := len(before)
	if n < 2 || !isLower(before[n-1]) || !isLower(before[n-2]) || after == "" || !isLetter(after[0]) || isLower(after[0]) {
		return false
	}
	return len(after) == 1 || after[1] == ' ' || isLower(after[1])
}

func isLower(b byte) bool { return 'a' <= b && b <= 'z' }
