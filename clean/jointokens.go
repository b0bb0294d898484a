package clean

import "strings"

// joinsLeft are the tokens, such as "n't" or ",", that are joined to the word before them. That
// word must end in a letter or a digit, a quote or a bracket.
var joinsLeft = map[string]bool{
	",": true, ".": true, ";": true, ":": true, "!": true, "?": true, "...": true,
	")": true, "]": true, "}": true, "%": true,
	"'s": true, "'m": true, "'d": true, "'re": true, "'ve": true, "'ll": true, "n't": true,
}

// joinsRight are the tokens that are joined to the word after them.
var joinsRight = map[string]bool{"(": true, "[": true, "{": true, "$": true, "£": true, "€": true}

// treebankBrackets maps the Penn Treebank's names of brackets to the brackets.
var treebankBrackets = map[string]string{"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]"}

// hyphenCompounds are words that form a compound with the word before them, as in "close - up",
// where a tokeniser has set spaces around the hyphen.
var hyphenCompounds = map[string]bool{
	"up": true, "style": true, "shaped": true, "sized": true, "colored": true, "coloured": true,
	"powered": true, "made": true, "haired": true, "eyed": true, "legged": true, "sleeved": true,
	"covered": true, "filled": true, "free": true, "friendly": true, "lapse": true, "angle": true,
}

// joinTokens joins what a tokeniser has split: punctuation, brackets, quotes, clitics ("do n't")
// and compounds ("t - shirt", "close - up").
func joinTokens(s string, _ Options, _ *findings) string {
	if !isTokenised(s) {
		return s
	}
	words := strings.Fields(s)
	for i, w := range words {
		if bracket, ok := treebankBrackets[strings.ToLower(w)]; ok {
			words[i] = bracket
		}
	}
	quoted := countWord(words, `"`)
	var b strings.Builder
	b.Grow(len(s))
	open, glued := false, true // open: within quotes; glued: no space before the next word
	for i, w := range words {
		left := joinsLeft[strings.ToLower(w)] && i > 0 && mayEndBeforeMark(words[i-1])
		right := joinsRight[w]
		if w == `"` && quoted%2 == 0 {
			left, right, open = open, !open, !open
		}
		if w == "-" && isCompoundHyphen(words, i) {
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

// isTokenised reports whether a word of s is n't, or begins with something other than a letter or a
// digit.
func isTokenised(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i-1] == ' ' && !isAlphanumeric(s[i]) && s[i] < 0x80 {
			return true
		}
	}
	return strings.Contains(s, " n'") || strings.Contains(s, " N'") || strings.Contains(s, "RB-") ||
		strings.Contains(s, "rb-") || strings.HasPrefix(s, `" `) || strings.HasPrefix(s, "( ") || strings.Contains(s, " £ ") || strings.Contains(s, " € ")
}

func countWord(words []string, word string) int {
	n := 0
	for _, w := range words {
		if w == word {
			n++
		}
	}
	return n
}

// mayEndBeforeMark reports whether a punctuation mark may follow word without a space.
func mayEndBeforeMark(word string) bool {
	last := word[len(word)-1]
	return isAlphanumeric(last) || last >= 0x80 || strings.IndexByte(`"')]}%>.`, last) >= 0
}

// isCompoundHyphen reports whether words[i], a hyphen, joins the words around it to a compound.
func isCompoundHyphen(words []string, i int) bool {
	if i == 0 || i+1 == len(words) {
		return false
	}
	before, after := words[i-1], words[i+1]
	if !isLetter(after[0]) || !isAlphanumeric(before[len(before)-1]) {
		return false
	}
	return len(before) == 1 && strings.IndexByte("tTxX", before[0]) >= 0 ||
		hyphenCompounds[strings.TrimRight(after, ",.;:!?")] ||
		isDigit(before[0]) && strings.HasPrefix(after, "year") ||
		strings.HasPrefix(before, "year") && strings.HasPrefix(after, "old")
}
