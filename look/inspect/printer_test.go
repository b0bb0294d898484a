package inspect

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

func TestWhatATerminalObeysIsQuoted(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"größe \"zählt\"\\, 3\u00a0€ 🐶\n\t− [a]\n", "größe \"zählt\"\\, 3\u00a0€ 🐶\n\t− [a]\n"},
		{"a \x1b]0;PWNED\x07red dog", `a \x1b]0;PWNED\ared dog`},
		{"\x1b[2J", `\x1b[2J`},
		{"over\rwritten\b\x7f", `over\rwritten\b\x7f`},
		{"\u009b31m and \x9b31m", `\u009b31m and \x9b31m`},
		{"god \u202egod\u2066", `god \u202egod\u2066`},
		{"", ""},
	} {
		var out bytes.Buffer
		p := NewPrinter(&out)
		if n, err := p.Write([]byte(c.text)); n != len(c.text) || err != nil || p.Err() != nil || out.String() != c.want {
			t.Errorf("%q is written as %q, want %q (%d, %v)", c.text, out.String(), c.want, n, err)
		}
	}
}

// fails takes a few writes.
type fails struct{ left int }

var errFull = errors.New("full")

func (f *fails) Write(p []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestAFailedWriteIsKept(t *testing.T) {
	p := NewPrinter(&fails{1})
	fmt.Fprintln(p, "one")
	if p.Err() != nil {
		t.Errorf("got %v", p.Err())
	}
	fmt.Fprintln(p, "two")
	if !errors.Is(p.Err(), errFull) {
		t.Errorf("got %v", p.Err())
	}
}
