package ruleparse

import "strings"

// Quantities that stand alone before a noun, and nouns that count what follows
// their "of".
const (
	quantityWords = " several many few some both multiple numerous various countless dozens hundreds dozen "
	quantityNouns = " couple pair group bunch lot lots number variety herd flock pack row crowd dozen dozens bunches groups pairs "
)

func oneOf(list, w string) bool {
	i := strings.Index(list, w)
	for i >= 0 {
		if i > 0 && list[i-1] == ' ' && list[i+len(w)] == ' ' {
			return true
		}
		next := strings.Index(list[i+1:], w)
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// isQuantity reports whether tokens from up to to say a number of objects.
func isQuantity(ts []span, from, to int32) bool {
	first := &ts[from]
	switch to - from {
	case 1:
		return numbers(first) && (from == 0 || !isNoun(ts[from-1].tag)) || oneOf(quantityWords, first.low)
	case 2:
		return ts[to-1].low == "of" && oneOf(quantityNouns, first.low)
	}
	return false
}

// numbers reports whether t is a number that counts: no year, no "0.95", no "04".
func numbers(t *span) bool {
	if t.kind != digits {
		return t.tag == tagCD && t.kind != mark
	}
	year := len(t.low) == 4 && (t.low[:2] == "18" || t.low[:2] == "19" || t.low[:2] == "20")
	return t.tag == tagCD && !year && t.low[0] != '0' && !strings.Contains(t.low, ".")
}

// quantityBefore finds the quantity that ends before token at: "two", "a group
// of", "a large group of". It returns at where there is none.
func quantityBefore(ts []span, inNode []bool, at int32) int32 {
	i := at - 1
	if i >= 0 && ts[i].tag == tagDT && i > 0 && ts[i-1].low == "of" {
		i-- // "a couple of the dogs"
	}
	switch {
	case i >= 1 && ts[i].low == "of" && oneOf(quantityNouns, ts[i-1].low):
		i--
	case i >= 1 && ts[i].tag == tagCD && isNoun(ts[i-1].tag): // "iphone 7 case"
		return at
	case i >= 0 && !inNode[i] && (numbers(&ts[i]) || oneOf(quantityWords, ts[i].low)):
		return i
	default:
		return at
	}
	return withArticle(ts, i)
}

// withArticle moves back over an adjective and an article.
func withArticle(ts []span, i int32) int32 {
	if i >= 2 && ts[i-1].tag == tagJJ && ts[i-2].tag == tagDT {
		return i - 2
	}
	if i >= 1 && ts[i-1].tag == tagDT {
		return i - 1
	}
	return i
}
