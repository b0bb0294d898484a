package sources

import (
	"math/big"
	"strconv"
	"strings"

	"capgraph/schemas"
)

// condition is one entry of Options.Where: the column has one of the values, or its number compares
// so with a number.
type condition struct {
	name, text string // as in Where
	values     []string
	operator   string // one of operators, or "" for values
	number     *big.Rat
}

// operators are the operators of comparisons, the longer ones first.
var operators = []string{"<=", ">=", "<", ">"}

// newCondition reads an entry of Where: a comparison such as "< 0.3", a list "in (a, b)", else one
// value.
func newCondition(name, text string) condition {
	c := condition{name: name, text: text, values: []string{text}}
	if list, ok := strings.CutPrefix(text, "in ("); ok && strings.HasSuffix(list, ")") {
		c.values = nil
		for v := range strings.SplitSeq(strings.TrimSuffix(list, ")"), ",") {
			c.values = append(c.values, strings.TrimSpace(v))
		}
		return c
	}
	for _, o := range operators {
		after, ok := strings.CutPrefix(text, o)
		if !ok {
			continue
		}
		if n, isNumber := parseNumber(strings.TrimSpace(after)); isNumber {
			c.operator, c.number = o, n
		}
		break
	}
	return c
}

// checkRow rejects row if the column has another value.
func (c condition) checkRow(row *Row, got cell) {
	if row.Reject != "" || c.fitsCell(got) {
		return
	}
	wanted := clip(c.text, maxDetail/4)
	if c.operator == "" && len(c.values) == 1 {
		wanted = strconv.Quote(wanted)
	}
	row.reject(RejectNotSelected, "%s is %q, not %s", c.name, clip(got.String(), maxDetail/4), wanted)
}

// fitsCell reports whether a value is one that Where asks for.
func (c condition) fitsCell(got cell) bool {
	if c.operator != "" {
		return !got.Null && c.compareText(strings.TrimSpace(got.String()))
	}
	for _, v := range c.values {
		if got.hasValue(v) {
			return true
		}
	}
	return false
}

// compareText reports whether a number, which may be infinite, compares so with the condition's. Values that are no numbers do not.
func (c condition) compareText(got string) bool {
	sign := 0
	if n, ok := parseNumber(got); ok {
		sign = n.Cmp(c.number)
	} else {
		f, err := strconv.ParseFloat(got, 64)
		if err != nil || f != f {
			return false
		}
		if sign = 1; f < 0 {
			sign = -1
		}
	}
	switch c.operator {
	case "<":
		return sign < 0
	case "<=":
		return sign <= 0
	case ">":
		return sign > 0
	}
	return sign >= 0
}

// hasValue reports whether the value is the one that Where wants. Texts are compared as texts,
// numbers by value, and booleans in any case.
func (c cell) hasValue(want string) bool {
	got := c.String()
	switch {
	case got == want:
		return true
	case c.Null, c.kind == textCell:
		return false
	case c.Type == schemas.KeptFloat:
		return c.isFloatValue(want)
	case got == "true", got == "false":
		return strings.EqualFold(got, want)
	}
	g, isNumber := parseNumber(got)
	w, wantsNumber := parseNumber(want)
	return isNumber && wantsNumber && g.Cmp(w) == 0
}

// isFloatValue compares a number with the precision that the file has it in.
func (c cell) isFloatValue(want string) bool {
	if w, ok := parseNumber(want); ok {
		f, _ := w.Float64()
		if c.single {
			narrow, _ := w.Float32()
			f = float64(narrow)
		}
		return f == c.Float
	}
	f, err := strconv.ParseFloat(strings.Replace(want, ".", "", 1), 64) // YAML's .inf and .nan
	return err == nil && (f == c.Float || f != f && c.Float != c.Float)
}

// parseNumber returns the exact value of a number. It returns false if s is not a number, or has
// more than a million digits.
func parseNumber(s string) (*big.Rat, bool) {
	if strings.Contains(s, "/") {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}
