package sources

import (
	"math/big"
	"strconv"
	"strings"

	"capgraph/schemas"
)

// condition is an entry of Options.Where: it requires one of some values in a column, or a
// comparison with a number.
type condition struct {
	name, text string // as in Where
	values     []string
	operator   string // one of operators; "" for values
	number     *big.Rat
}

// operators are the comparison operators. Longer ones come first, so that they match first.
var operators = []string{"<=", ">=", "<", ">"}

// newCondition parses an entry of Where: a comparison such as "< 0.3", a list such as "in (a, b)",
// else a single value.
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

// checkRow rejects row if its cell does not meet the condition.
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

// fitsCell reports whether a cell meets the condition.
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

// compareText reports whether a number, which may be infinite, meets the comparison of the condition. Other
// text does not meet it.
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

// hasValue reports whether the cell has the value want. Numbers are compared by value, booleans in
// any case, and strings exactly.
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

// isFloatValue compares a floating-point cell with want in the precision of the file.
func (c cell) isFloatValue(want string) bool {
	if w, ok := parseNumber(want); ok {
		f, _ := w.Float64()
		if c.single {
			narrow, _ := w.Float32()
			f = float64(narrow)
		}
		return f == c.Float
	}
	f, err := strconv.ParseFloat(strings.Replace(want, ".", "", 1), 64) // YAML writes .inf and .nan
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
