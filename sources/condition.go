package sources

import (
	"errors"
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
	case c.Null, c.kind == text:
		return false
	case c.Type == KeptFloat:
		bits := 64
		if c.single {
			bits = 32
		}
		f, err := strconv.ParseFloat(goNumber(want), bits)
		return err == nil && (f == c.Float || f != f && c.Float != c.Float)
	case got == "true", got == "false":
		return strings.EqualFold(got, want)
	}
	g, isNumber := decimalOf(got)
	w, wantsNumber := decimalOf(goNumber(want))
	return isNumber && wantsNumber && g == w
}

// goNumber is a number of YAML as Go writes it: whole numbers in decimal, where
// leading zeros mean nothing, and infinities without a point.
func goNumber(want string) string {
	if strings.ContainsAny(want, "xXoObB_") {
		if n, err := strconv.ParseInt(want, 0, 64); err == nil {
			return strconv.FormatInt(n, 10)
		}
	}
	return strings.NewReplacer(".inf", "inf", ".nan", "nan").Replace(strings.ToLower(want))
}

// decimal is the value of a number that is written in decimal: digits, without
// zeros at either end, times ten to the power of exponent.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

// decimalOf is exact, whatever the number of digits. It returns false where s
// is no number.
func decimalOf(s string) (decimal, bool) {
	if _, err := strconv.ParseFloat(s, 64); err != nil && !errors.Is(err, strconv.ErrRange) || strings.Trim(s, "+-.0123456789eE") != "" {
		return decimal{}, false
	}
	mantissa, power, scaled := strings.Cut(strings.ToLower(s), "e")
	d := decimal{negative: mantissa[0] == '-'}
	if scaled {
		var err error
		if d.exponent, err = strconv.ParseInt(power, 10, 32); err != nil {
			return decimal{}, false
		}
	}
	whole, fraction, _ := strings.Cut(strings.TrimLeft(mantissa, "+-"), ".")
	d.exponent -= int64(len(fraction))
	digits := strings.TrimLeft(whole+fraction, "0")
	d.digits = strings.TrimRight(digits, "0")
	d.exponent += int64(len(digits) - len(d.digits))
	if d.digits == "" {
		return decimal{}, true
	}
	return d, true
}
