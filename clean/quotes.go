package clean

import "strings"

// stripQuotes removes quotes around the whole text, and a quote at one end without a partner. It
// undoes the quoting of CSV fields, in which inner quotes are doubled. Quotes around a part of the
// text stay, and so do inch marks.
func stripQuotes(s string, _ Options, _ *findings) string {
	if s == "" || !strings.ContainsAny(s, `"'`) {
		return s
	}
	body := strings.TrimRight(s, ".!?")
	stop := s[len(body):]
	if text, ok := unquoteCSVField(s); ok {
		return text
	}
	switch strings.Count(s, `"`) {
	case 0:
		return stripSingleQuotes(s, body, stop)
	case 1:
		if s[0] == '"' {
			return strings.TrimLeft(s[1:], " ")
		}
		if n := len(body); body[n-1] == '"' && !(n > 1 && isDigit(body[n-2])) {
			return strings.TrimRight(body[:n-1], " ") + stop
		}
	case 2:
		if s[0] == '"' && body[len(body)-1] == '"' {
			return strings.Trim(body[1:len(body)-1], " ") + stop
		}
	}
	return s
}

// unquoteCSVField returns the text of a quoted CSV field. ok is false if s is not a quoted field
// with quotes inside.
func unquoteCSVField(s string) (text string, ok bool) {
	if len(s) < 4 || s[0] != '"' || s[len(s)-1] != '"' {
		return "", false
	}
	inner := s[1 : len(s)-1]
	if single := strings.ReplaceAll(inner, `""`, ""); single == inner || strings.Contains(single, `"`) {
		return "", false
	}
	return strings.TrimSpace(strings.ReplaceAll(inner, `""`, `"`)), true
}

// stripSingleQuotes removes single quotes around the whole text. Apostrophes within words do not
// count as quotes.
func stripSingleQuotes(s, body, stop string) string {
	if len(body) < 3 || body[0] != '\'' || body[len(body)-1] != '\'' {
		return s
	}
	inner := body[1 : len(body)-1]
	for i := range len(inner) {
		if inner[i] == '\'' && (i == 0 || i+1 == len(inner) || !isLetter(inner[i-1]) || !isLetter(inner[i+1])) {
			return s
		}
	}
	return strings.Trim(inner, " ") + stop
}
