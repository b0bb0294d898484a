package inspect

import (
	"io"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// Printer writes text for a terminal. Control characters and invisible characters in captions are
// written as Go escapes: ESC as \x1b.
type Printer struct {
	out io.Writer
	err error
}

// NewPrinter returns a printer that writes to out.
func NewPrinter(out io.Writer) *Printer { return &Printer{out: out} }

// Write implements io.Writer. After an error it writes nothing more.
func (p *Printer) Write(text []byte) (int, error) {
	if p.err == nil {
		_, p.err = p.out.Write(escapeUnprintable(text))
	}
	return len(text), p.err
}

// Err returns the first error that Write returned.
func (p *Printer) Err() error { return p.err }

// escapeUnprintable escapes each character that is neither visible nor white space. If there is
// none, it returns text itself.
func escapeUnprintable(text []byte) []byte {
	var quoted []byte
	from := 0 // text[:from] is in quoted
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r != '\n' && r != '\t' && !unicode.IsGraphic(r) || r == utf8.RuneError && size == 1 {
			q := strconv.Quote(string(text[i : i+size]))
			quoted = append(append(quoted, text[from:i]...), q[1:len(q)-1]...)
			from = i + size
		}
		i += size
	}
	if from == 0 {
		return text
	}
	return append(quoted, text[from:]...)
}
