package sources

import (
	"math/big"
	"strconv"
	"strings"
)

// condition is one entry of Options.Where.
type condition struct{ name, want string }

// check rejects row where the column has another value.
func (c condition) check(row *Row, got cell) {
	if row.Reject == "" && !got.is(c.want) {
		row.reject(RejectNotSelected, "%s is %q, not %q", c.name, clip(got.String(), maxDetail/4), clip(c.want, maxDetail/4))
	}
}

// is tells whether the value is the one that Where wants. Texts are compared as
// texts, numbers by value, and booleans in any case.
func (c cell) is(want string) bool {
	got := c.String()
	switch {
	case got == want:
		return true
	case c.Null, c.kind == textCell:
		return false
	case c.Type == KeptFloat:
		return c.isFloat(want)
	case got == "true", got == "false":
		return strings.EqualFold(got, want)
	}
	g, isNumber := numberOf(got)
	w, wantsNumber := numberOf(want)
	return isNumber && wantsNumber && g.Cmp(w) == 0
}

// isFloat compares as many bits as the file has of the number.
func (c cell) isFloat(want string) bool {
	if w, ok := numberOf(want); ok {
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

// numberOf is the exact value of a number; false where s is none, or one of more than a
// million digits.
func numberOf(s string) (*big.Rat, bool) {
	if strings.Contains(s, "/") {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}
