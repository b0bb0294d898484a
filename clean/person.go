package clean

import "strings"

// replacePerson finds <PERSON>, in any case and with spaces inside the brackets, and replaces it by
// "person" or keeps it as <PERSON>, as o.Person says.
func replacePerson(s string, o Options, found *findings) string {
	if strings.IndexByte(s, '<') < 0 {
		return s
	}
	word := "person"
	if o.Person != PersonReplace {
		word = "<PERSON>"
	}
	var b strings.Builder
	last := 0 // s[:last] is written
	for i := 0; i < len(s); i++ {
		n := personLen(s[i:])
		if n == 0 {
			continue
		}
		found.person = true
		between := s[last:i]
		if last == 0 || o.Person != PersonReplace || strings.TrimSpace(between) != "" {
			b.WriteString(between)
			if i > 0 && isAlphanumeric(s[i-1]) {
				b.WriteByte(' ')
			}
			b.WriteString(word)
		}
		last = i + n
		if last < len(s) && isAlphanumeric(s[last]) {
			b.WriteByte(' ')
		}
		i = last - 1
	}
	if last == 0 {
		return s
	}
	b.WriteString(s[last:])
	return b.String()
}

// personLen returns the length of the <PERSON> at the start of s; 0 if there is none.
func personLen(s string) int {
	if s[0] != '<' {
		return 0
	}
	i := 1 + leadingSpaces(s[1:])
	if len(s) < i+len("person") || !strings.EqualFold(s[i:i+len("person")], "person") {
		return 0
	}
	i += len("person")
	i += leadingSpaces(s[i:])
	if i == len(s) || s[i] != '>' {
		return 0
	}
	return i + 1
}

func leadingSpaces(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }
