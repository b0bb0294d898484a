package clean

import "strings"

// leftward are the words that a tokeniser tore off the word before them; it
// must end in a letter or a digit, a quote or a bracket.
var leftward = map[string]bool{
	",": true, ".": true, ";": true, ":": true, "!": true, "?": true, "...": true,
	")": true, "]": true, "}": true, "%": true,
	"'s": true, "'m": true, "'d": true, "'re": true, "'ve": true, "'ll": true, "n't": true,
}

// rightward are the words that were torn off the word after them.
var rightward = map[string]bool{"(": true, "[": true, "{": true, "$": true, "£": true, "€": true}

// brackets are what the Penn Treebank writes for them.
var brackets = map[string]string{"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]"}

// compounds are the words that make a compound with the one before them, where
// a tokeniser has set spaces around the hyphen.
var compounds = map[string]bool{
	"up": true, "style": true, "shaped": true, "sized": true, "colored": true, "coloured": true,
	"powered": true, "made": true, "haired": true, "eyed": true, "legged": true, "sleeved": true,
	"covered": true, "filled": true, "free": true, "friendly": true, "lapse": true, "angle": true,
}

// joints joins what a tokeniser has torn: punctuation, brackets and quotes,
// clitics ("do n't"), compounds ("t - shirt", "close - up").
func joints(s string, _ Options, _ *findings) string {
	if !torn(s) {
		return s
	}
	words := strings.Fields(s)
	for i, w := range words {
		if bracket, ok := brackets[strings.ToLower(w)]; ok {
			words[i] = bracket
		}
	}
	quoted := lone(words, `"`)
	var b strings.Builder
	b.Grow(len(s))
	open, glued := false, true // within quotes; no space before the next word
	for i, w := range words {
		left := leftward[strings.ToLower(w)] && i > 0 && ends(words[i-1])
		right := rightward[w]
		if w == `"` && quoted%2 == 0 {
			left, right, open = open, !open, !open
		}
		if w == "-" && hyphen(words, i) {
			left, right = true, true
		}
		if !glued && !left {
			b.WriteByte(' ')
		}
		b.WriteString(w)
		glued = right
	}
	return b.String()
}

// torn reports whether a word of s begins with something other than a letter
// or a digit, or is n't.
func torn(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i-1] == ' ' && !alphanumeric(s[i]) && s[i] < 0x80 {
			return true
		}
	}
	return strings.Contains(s, " n'") || strings.Contains(s, " N'") || strings.Contains(s, "RB-") ||
		strings.Contains(s, "rb-") || strings.HasPrefix(s, `" `) || strings.HasPrefix(s, "( ") || strings.Contains(s, " £ ") || strings.Contains(s, " € ")
}

func lone(words []string, word string) int {
	n := 0
	for _, w := range words {
		if w == word {
			n++
		}
	}
	return n
}

// ends reports whether punctuation may follow word without a space.
func ends(word string) bool {
	last := word[len(word)-1]
	return alphanumeric(last) || last >= 0x80 || strings.IndexByte(`"')]}%>.`, last) >= 0
}

// hyphen reports whether words[i], a hyphen, stands within a compound.
func hyphen(words []string, i int) bool {
	if i == 0 || i+1 == len(words) {
		return false
	}
	before, after := words[i-1], words[i+1]
	if !letter(after[0]) || !alphanumeric(before[len(before)-1]) {
		return false
	}
	return len(before) == 1 && strings.IndexByte("tTxX", before[0]) >= 0 ||
		compounds[strings.TrimRight(after, ",.;:!?")] ||
		digit(before[0]) && strings.HasPrefix(after, "year") ||
		strings.HasPrefix(before, "year") && strings.HasPrefix(after, "old")
}
