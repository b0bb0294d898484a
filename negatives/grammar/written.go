package grammar

import (
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/schemas"
)

// Written is a quotation in a caption, such as the words on a sign: its tokens [From, To), and the token of the noun
// before it, -1 if unknown: "a *sign* that reads "STOP"".
type Written struct{ Noun, From, To int }

var saying, quoting = wordclass.Words("saying"), wordclass.Words("quoting")

const (
	quotes     = " \" “ ” ' ‘ ’ `` '' "
	maxWritten = 12 // most tokens in quotation marks
)

// FindWritten appends the quotations of a caption to dst: those after words such as "reads", and those between "with"
// and "on it".
func FindWritten(dst []Written, c *Caption) []Written {
	if !strings.ContainsAny(c.Text, "\"'“”‘’`") {
		return dst
	}
	word := func(i int) string { return strings.ToLower(c.Text[c.Tokens[i].Begin:c.Tokens[i].End]) }
	for i := 1; i < len(c.Tokens); i++ {
		with := word(i-1) == "with"
		if !wordclass.Has(quotes, word(i)) || !with && !wordclass.Has(saying, word(i-1)) {
			continue
		}
		to := i + 1
		for to < len(c.Tokens) && to <= i+maxWritten && !wordclass.Has(quotes, word(to)) {
			to++
		}
		if to == len(c.Tokens) || !wordclass.Has(quotes, word(to)) || to == i+1 {
			continue
		}
		if with && !(i > 1 && c.Tokens[i-2].Tag == "VBN") && !(to+1 < len(c.Tokens) && wordclass.Has(quoting, word(to+1))) {
			continue
		}
		noun := i - 2
		for noun >= 0 && wordclass.Has(" a an that the which with ", word(noun)) {
			noun--
		}
		if noun < 0 || wordclass.Has(" called entitled named titled ", word(i-1)) || !strings.HasPrefix(c.Tokens[noun].Tag, "N") {
			noun = -1
		}
		dst = append(dst, Written{noun, i + 1, to})
		i = to
	}
	return dst
}

// WrittenOn appends, for each object of a caption, the quoted text that is written on it, or "". The quotation follows
// the object's noun, or a later mention of the noun if only one object has it.
func WrittenOn(dst []string, c *Caption) []string {
	all := FindWritten(nil, c)
	for i := range c.Graph.Objects {
		dst = append(dst, "")
		for _, q := range all {
			if q.Noun >= 0 && dst[len(dst)-1] == "" && isOn(c, &c.Tokens[q.Noun], &c.Graph.Objects[i]) {
				dst[len(dst)-1] = c.Text[c.Tokens[q.From].Begin:c.Tokens[q.To-1].End]
			}
		}
	}
	return dst
}

// isOn reports whether a quotation is written on an object. noun is the noun before the quotation.
func isOn(c *Caption, noun *schemas.Token, o *schemas.Object) bool {
	if noun.End == o.End {
		return true
	}
	same := 0
	for i := range c.Graph.Objects {
		if c.Graph.Objects[i].Head == o.Head {
			same++
		}
	}
	return o.End < noun.Begin && noun.Lemma == o.Head && same == 1
}
