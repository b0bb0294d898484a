package ruleparse

import "strings"

// nameless reports whether a node is a word, or words of a shop, that name nothing.
func (n *node) nameless(ts []span) bool {
	if n.to == n.from+1 {
		return nameless(ts, n.from)
	}
	return n.to == n.from+2 && ts[n.from].low == "stock" && nameless(ts, n.from) && nameless(ts, n.from+1)
}

// nameless reports whether token i, alone, names neither a thing nor a quality:
// an article number ("DBL220357"), a measure ("51x42mm"), a letter, a number that
// counts nothing, a verb after its pronoun.
func nameless(ts []span, i int32) bool {
	t := &ts[i]
	switch {
	case i > 0 && oneOf(" i we he she they you ", ts[i-1].low):
		return true // a verb: "we spot"
	case t.kind == digits || t.kind == mark || oneOf(unspecific, t.low) || oneOf(boilerplate, t.low) || oneOf(drawn, t.low):
		return true
	case i > 0 && ts[i-1].low == "royalty" && t.low == "free":
		return true
	case i > 0 && ts[i-1].low == "stock" && oneOf(stockOf, t.low):
		return int(i)+1 == len(ts) || ts[i+1].tag != tagIN
	case i > 1 && t.low == "side" && ts[i-1].low == "by" && ts[i-2].low == "side":
		return true
	case t.flags&(verbBase|verbS) != 0 && governs(ts, i):
		return true // "boards his car"
	case t.flags&verbS != 0 && i > 0 && ts[i-1].tag == tagWDT:
		return true // "a creek that meanders"
	case oneOf(colours, t.low) && isolatedOn(ts, int(i)):
		return true
	}
	return t.kind == letters && (len(t.low) == 1 || t.entry < 0 && (coded(t.low) || strings.Contains(t.low, "_") || strings.Count(t.low, "-") > 3))
}

// isolatedOn reports whether token i is a colour that stands for what is behind a thing, or one of
// two: "a toy isolated on white", "isolated on black and white".
func isolatedOn(ts []span, i int) bool {
	on := i - 1
	if on > 1 && ts[on].tag == tagCC && oneOf(colours, ts[on-1].low) {
		on -= 2
	}
	return on > 0 && ts[on].low == "on" && ts[on-1].low == "isolated" && !garment(ts, i+1)
}

// unspecific are words that are neither a thing nor a quality.
const unspecific = " already also always ever everything i just me most never now really still us very we you "

// boilerplate are words of the sites that pictures are sold and shown on, stockOf
// what stands after "stock" there, and drawn says how a picture was made.
const (
	boilerplate = " buy com gif jpeg jpg png royalty royalty-free stock stockfoto thumbnail welcome www "
	drawn       = " vector vectors "
	stockOf     = " footage illustration image images photo photography photos vector vectors video "
)

// governs reports whether token i is a verb by what stands after it, a possessive
// pronoun or, at the beginning, "some" or what commands go on with ("watch the ships"), and
// not after what only stands before nouns.
func governs(ts []span, i int32) bool {
	if i == 0 && len(ts) > 1 && ts[0].tag == tagVB && ts[0].low != "display" {
		switch ts[1].tag {
		case tagDT, tagPRP, tagRP:
			return true
		}
	}
	if int(i)+1 >= len(ts) || ts[i+1].tag != tagPRPS && (i > 0 || ts[1].low != "some") {
		return false
	}
	if i == 0 {
		return true
	}
	l := &ts[i-1]
	return !determines(l) && l.tag != tagJJ && l.tag != tagCD && l.tag != tagIN && l.tag != tagPOS && l.tag != tagVBG && l.tag != tagVBN
}

// determines reports whether t is an article or a possessive pronoun.
func determines(t *span) bool { return t.tag == tagDT || t.tag == tagPRPS }

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
