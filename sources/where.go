package sources

import (
	"math/big"
	"strconv"
	"strings"

	"capgraph/schemas"
)

// condition is one entry of Options.Where.
type condition struct{ name, want string }

// checkRow rejects row if the column has another value.
func (c condition) checkRow(row *Row, got cell) {
	if row.Reject == "" && !got.hasValue(c.want) {
		row.reject(RejectNotSelected, "%s is %q, not %q", c.name, clip(got.String(), maxDetail/4), clip(c.want, maxDetail/4))
	}
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
