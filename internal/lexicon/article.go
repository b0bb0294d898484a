package lexicon

import "strings"

// anBefore and aBefore are beginnings of lower-case words whose sound differs from their first
// letter. anyUni are exceptions of aBefore.
var (
	anBefore = []string{"hour", "honest", "honor", "honour", "heir", "herb"}
	aBefore  = []string{"uni", "use", "usu", "uti", "ute", "ura", "urin", "euro", "eu", "ewe", "one-", "once", "ubiq", "u-", "uku"}
	anyUni   = []string{"unin", "unim", "unid"} // "an uninhabited", not "a unicorn"
)

// Article returns "an" before a word that begins with a vowel sound, else "a". The word is in its
// spelling in the text: "SUV" is spelt out.
func Article(word string) string {
	if hasVowelSound(word) {
		return "an"
	}
	return "a"
}

func hasVowelSound(word string) bool {
	if word != "" && (word[0] < 'a' || word[0] > 'z') {
		word = strings.TrimLeft(word, `"'“‘(`)
	}
	if word == "" {
		return false
	}
	if isSpeltOut(word) { // "a UFO", "an NYC taxi"
		return strings.IndexByte("AEFHILMNORSX8", word[0]) >= 0
	}
	if c := word[0]; c >= '0' && c <= '9' {
		digits := len(word) - len(strings.TrimLeft(word, "0123456789"))
		return c == '8' || digits == 2 && (word[:2] == "11" || word[:2] == "18")
	}
	w := strings.ToLower(word)
	switch {
	case w == "one":
		return false
	case hasAnyPrefix(w, anBefore), hasAnyPrefix(w, anyUni):
		return true
	case hasAnyPrefix(w, aBefore):
		return false
	}
	return isVowel(w[0]) || strings.HasPrefix(w, "é")
}

// isSpeltOut reports whether word begins with one to four capitals that are spelt out letter by
// letter: without a vowel, or three letters that begin with U.
func isSpeltOut(word string) bool {
	n := 0
	for n < len(word) && word[n] >= 'A' && word[n] <= 'Z' {
		n++
	}
	spelt := n == 1 || n <= 4 && !strings.ContainsAny(word[:n], "AEIOU") || n <= 3 && n > 0 && word[0] == 'U' || word[:n] == "SUV"
	return n > 0 && spelt && (n == len(word) || word[n] == '-' || word[n] == 's')
}

// hasAnyPrefix reports whether s, which is not empty, begins with one of prefixes.
func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if s[0] == p[0] && strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
