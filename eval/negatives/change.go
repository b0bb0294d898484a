package negatives

import (
	"slices"
	"strings"

	"github.com/pmezard/go-difflib/difflib"
)

// ReplacesOne tells whether a method puts one thing in the place of another, so
// that the texts must differ in one place.
func ReplacesOne(method string) bool {
	method = strings.TrimPrefix(method, "llm_")
	return strings.HasPrefix(method, "replace_") || strings.HasPrefix(method, "fill_")
}

// articles and agreeing are the words that a change elsewhere can force.
var (
	articles = []string{"a", "an", "the"}
	agreeing = []string{"is", "are", "was", "were", "has", "have", "does", "do"}
)

// nearest is how many words may stand between an article and the change that forces
// it: those said of the thing that it belongs to.
const nearest = 6

// ChangesOne tells whether a negative differs from its positive in one place alone:
// in words that follow each other, but for one that both have, in the article before
// them, and in a verb that has to agree. Case and punctuation count.
func ChangesOne(positive, negative string) bool {
	if was, is := between(positive, negative); disjoint(was, is) {
		return true
	}
	a, b := strings.Fields(positive), strings.Fields(negative)
	var spans []difflib.OpCode
	for _, op := range difflib.NewMatcher(a, b).GetOpCodes() {
		if op.Tag == 'e' {
			continue
		}
		n := len(spans) - 1
		if n >= 0 && op.I1-spans[n].I2 == 1 && !article(a, b, op) && !article(a, b, spans[n]) {
			spans[n].I2, spans[n].J2 = op.I2, op.J2
			continue
		}
		spans = append(spans, op)
	}
	places := 0
	for i, s := range spans {
		next := len(a)
		if i+1 < len(spans) {
			next = spans[i+1].I1
		}
		switch was, is := a[s.I1:s.I2], b[s.J1:s.J2]; {
		case len(spans) > 1 && forced(was, is, articles) && next-s.I2 <= nearest && (len(was) != len(is) || class(was) == class(is)):
		case len(spans) > 1 && forced(was, is, agreeing):
		default:
			places++
		}
	}
	return places <= 1
}

// between is what is left of two texts without the words that both begin with and
// those that both end with.
func between(a, b string) (was, is string) {
	apart := func(s string, i int) bool { // words end or begin there
		return i == 0 || i == len(s) || s[i-1] == ' ' || s[i] == ' '
	}
	shorter, n := min(len(a), len(b)), 0
	for n < shorter && a[n] == b[n] {
		n++
	}
	for !apart(a, n) || !apart(b, n) {
		n--
	}
	a, b = a[n:], b[n:]
	shorter, n = min(len(a), len(b)), 0
	for n < shorter && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for !apart(a, len(a)-n) || !apart(b, len(b)-n) {
		n--
	}
	return a[:len(a)-n], b[:len(b)-n]
}

// disjoint holds where two texts have no word in common.
func disjoint(a, b string) bool {
	for word := range strings.FieldsSeq(a) {
		for other := range strings.FieldsSeq(b) {
			if word == other {
				return false
			}
		}
	}
	return true
}

// article holds where articles alone differ.
func article(a, b []string, op difflib.OpCode) bool {
	return forced(a[op.I1:op.I2], b[op.J1:op.J2], articles)
}

// class is the first of some words, "a" for "an".
func class(words []string) string {
	if word := strings.ToLower(words[0]); word != "an" {
		return word
	}
	return "a"
}

// forced holds where nothing but words of a list is in the place of nothing but
// such words, at most one on a side, or only their capitals differ with them.
func forced(was, is, list []string) bool {
	of := func(words []string) bool {
		return len(words) == 0 || len(words) == 1 && slices.Contains(list, strings.ToLower(words[0]))
	}
	if of(was) && of(is) {
		return true
	}
	// "A red" and "Red": the capital goes to the word that comes first now.
	if len(was) < len(is) {
		was, is = is, was
	}
	return len(was) == 2 && len(is) == 1 && of(was[:1]) && strings.EqualFold(was[1], is[0])
}
