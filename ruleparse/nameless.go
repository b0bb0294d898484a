package ruleparse

import "strings"

// nameless reports whether token i, alone, names neither a thing nor a quality:
// an article number ("DBL220357"), a measure ("51x42mm"), a letter, a number that
// counts nothing, a verb after its pronoun.
func nameless(ts []span, i int32) bool {
	t := &ts[i]
	switch {
	case i > 0 && oneOf(charactersSaid, ts[i-1].low):
		return false // "the number 5", "the letter a"
	case i > 0 && oneOf(" i we he she they you ", ts[i-1].low):
		return true // a verb: "we spot"
	case t.kind == digits:
		return true
	}
	return t.kind == letters && t.tag != tagPRP && (len(t.low) == 1 || t.entry < 0 && coded(t.low))
}

// charactersSaid are what stands before a character that is a thing.
const charactersSaid = " character letter letters no number numbers numeral numerals numeric word words "

// coded reports whether a word is a code rather than a word with a number in it
// ("6-light", "1920s").
func coded(w string) bool {
	const numerals = "0123456789"
	if cut := strings.LastIndexByte(w, '-'); cut >= 0 && !strings.ContainsAny(w[cut:], numerals) {
		return false
	}
	w = strings.TrimSuffix(w, "s")
	return strings.ContainsAny(w, numerals) && strings.Trim(w, numerals) != ""
}
