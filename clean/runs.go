package clean

import "strings"

// runs shortens repeated punctuation and sets the space that is missing after
// a comma or a full stop between words.
func runs(s string, _ Options, _ *findings) string {
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
		b.WriteString(shortened(s[i:i+n], s[:i], s[i+n:]))
		i += n
	}
	return b.String()
}

// shortened returns what is written for a run of one byte, given what is
// before and after it.
func shortened(run, before, after string) string {
	n := len(run)
	switch run[0] {
	case '.':
		switch {
		case n > 3:
			return "..."
		case n == 2:
			return "."
		case n == 1 && sentence(before, after):
			return ". "
		}
	case ',':
		if before != "" && after != "" && letter(before[len(before)-1]) && letter(after[0]) {
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

// sentence reports whether a full stop between before and after ends one, as
// in "on the ground.A man" and not in "U.S. flag" or "example.Org".
func sentence(before, after string) bool {
	n := len(before)
	if n < 2 || !lower(before[n-1]) || !lower(before[n-2]) || after == "" || !letter(after[0]) || lower(after[0]) {
		return false
	}
	return len(after) == 1 || after[1] == ' ' || lower(after[1])
}

func lower(b byte) bool { return 'a' <= b && b <= 'z' }
