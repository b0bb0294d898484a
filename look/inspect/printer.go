package inspect

import (
	"io"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// Printer writes for people. Captions may hold what a terminal obeys or hides:
// that is written as Go quotes it, ESC as \x1b.
type Printer struct {
	out io.Writer
	err error
}

// NewPrinter makes a printer onto out.
func NewPrinter(out io.Writer) *Printer { return &Printer{out: out} }

// Write implements io.Writer. After an error nothing more is written.
func (p *Printer) Write(text []byte) (int, error) {
	if p.err == nil {
		_, p.err = p.out.Write(escapeUnprintable(text))
	}
	return len(text), p.err
}

// Err is the first error of Write.
func (p *Printer) Err() error { return p.err }

// escapeUnprintable is text with each character quoted that is neither seen nor white
// space; text itself where there is none.
func escapeUnprintable(text []byte) []byte {
	var quoted []byte
	from := 0 // what of text is not yet in quoted
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
