package clean

import "strings"

// quotes takes the quotes around the whole text away, a quote at one end that
// has no partner, and the quoting of a field of a CSV file, which doubles the
// quotes within. It leaves quotes around a part of the text, and inches.
func quotes(s string, _ Options, _ *findings) string {
	if s == "" || !strings.ContainsAny(s, `"'`) {
		return s
	}
	body := strings.TrimRight(s, ".!?")
	stop := s[len(body):]
	if text, ok := field(s); ok {
		return text
	}
	switch strings.Count(s, `"`) {
	case 0:
		return single(s, body, stop)
	case 1:
		if s[0] == '"' {
			return strings.TrimLeft(s[1:], " ")
		}
		if n := len(body); body[n-1] == '"' && !(n > 1 && digit(body[n-2])) {
			return strings.TrimRight(body[:n-1], " ") + stop
		}
	case 2:
		if s[0] == '"' && body[len(body)-1] == '"' {
			return strings.Trim(body[1:len(body)-1], " ") + stop
		}
	}
	return s
}

// field returns what a quoted field of a CSV file says; ok is false where s is
// not such a field with quotes within.
func field(s string) (text string, ok bool) {
	if len(s) < 4 || s[0] != '"' || s[len(s)-1] != '"' {
		return "", false
	}
	inner := s[1 : len(s)-1]
	if single := strings.ReplaceAll(inner, `""`, ""); single == inner || strings.Contains(single, `"`) {
		return "", false
	}
	return strings.TrimSpace(strings.ReplaceAll(inner, `""`, `"`)), true
}

// single takes single quotes around the whole text away; what stands between
// them may have apostrophes within words.
func single(s, body, stop string) string {
	if len(body) < 3 || body[0] != '\'' || body[len(body)-1] != '\'' {
		return s
	}
	inner := body[1 : len(body)-1]
	for i := range len(inner) {
		if inner[i] == '\'' && (i == 0 || i+1 == len(inner) || !letter(inner[i-1]) || !letter(inner[i+1])) {
			return s
		}
	}
	return strings.Trim(inner, " ") + stop
}
