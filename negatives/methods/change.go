package methods

import (
	"slices"
	"strings"

	"github.com/pmezard/go-difflib/difflib"

	"capgraph/negatives/say"
)

// ReplacesOne reports whether a method replaces one thing, so that the two texts must differ in one
// place.
func ReplacesOne(method string) bool {
	method = strings.TrimPrefix(method, "llm_")
	return strings.HasPrefix(method, "replace_") || strings.HasPrefix(method, "fill_")
}

// articles and agreeingVerbs are words that may have to change because a word near them does.
var (
	articles      = []string{"a", "an", "the"}
	agreeingVerbs = []string{"is", "are", "was", "were", "has", "have", "does", "do"}
)

// ChangesOne reports whether a negative differs from its positive in one place: in words in a row,
// or with one common word between them. An article before them and a verb that agrees may differ
// too. Case and punctuation count.
func ChangesOne(positive, negative string) bool {
	if was, is := differingParts(positive, negative); haveNoCommonWord(was, is) {
		return true
	}
	a, b := strings.Fields(positive), strings.Fields(negative)
	var spans []difflib.OpCode
	for _, op := range difflib.NewMatcher(a, b).GetOpCodes() {
		if op.Tag == 'e' {
			continue
		}
		n := len(spans) - 1
		if n >= 0 && op.I1-spans[n].I2 == 1 && !differInArticle(a, b, op) && !differInArticle(a, b, spans[n]) {
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
		case len(spans) > 1 && isForced(was, is, articles) && next-s.I2 <= say.MaxArticleDistance && (len(was) != len(is) || articleKey(was) == articleKey(is)):
		case len(spans) > 1 && isForced(was, is, agreeingVerbs):
		default:
			places++
		}
	}
	return places <= 1
}

// differingParts returns what differs between two texts: each without their common first and last
// words.
func differingParts(a, b string) (was, is string) {
	apart := func(s string, i int) bool { // whether a word begins or ends at i
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

// haveNoCommonWord reports whether two texts have no word in common.
func haveNoCommonWord(a, b string) bool {
	for word := range strings.FieldsSeq(a) {
		for other := range strings.FieldsSeq(b) {
			if word == other {
				return false
			}
		}
	}
	return true
}

// differInArticle reports whether two texts differ only in articles at op.
func differInArticle(a, b []string, op difflib.OpCode) bool {
	return isForced(a[op.I1:op.I2], b[op.J1:op.J2], articles)
}

// articleKey returns the first word in lower case, and "a" for "an".
func articleKey(words []string) string {
	if word := strings.ToLower(words[0]); word != "an" {
		return word
	}
	return "a"
}

// isForced reports whether at most one word of a list is replaced by at most one other of the list.
// It is also true if such a word is added or removed and its neighbour only changes its case.
func isForced(was, is, list []string) bool {
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
