package inspect

import (
	gostrings "strings"

	"github.com/pmezard/go-difflib/difflib"
)

// Segment is a piece of a text: words that another text has too, or not.
type Segment struct {
	Text    string
	Changed bool
}

// Diff takes two texts apart at words and says which of each the other
// lacks in that place. The runs of a text, joined by spaces, are its words.
func Diff(a, b string) (inA, inB []Segment) {
	wordsA, wordsB := gostrings.Fields(a), gostrings.Fields(b)
	codes := difflib.NewMatcher(wordsA, wordsB).GetOpCodes()
	if inPlace := diffInPlace(wordsA, wordsB); inPlace != nil && countChanged(inPlace) <= countChanged(codes) {
		codes = inPlace
	}
	for _, op := range codes {
		if op.I2 > op.I1 {
			inA = append(inA, Segment{gostrings.Join(wordsA[op.I1:op.I2], " "), op.Tag != 'e'})
		}
		if op.J2 > op.J1 {
			inB = append(inB, Segment{gostrings.Join(wordsB[op.J1:op.J2], " "), op.Tag != 'e'})
		}
	}
	return inA, inB
}

// diffInPlace compares texts of as many words; nil where they are not. It shows
// two words that changed places as such.
func diffInPlace(a, b []string) []difflib.OpCode {
	if len(a) != len(b) {
		return nil
	}
	codes := []difflib.OpCode{}
	for i := range a {
		tag := byte('r')
		if a[i] == b[i] {
			tag = 'e'
		}
		if last := len(codes) - 1; last >= 0 && codes[last].Tag == tag {
			codes[last].I2, codes[last].J2 = i+1, i+1
			continue
		}
		codes = append(codes, difflib.OpCode{Tag: tag, I1: i, I2: i + 1, J1: i, J2: i + 1})
	}
	return codes
}

func countChanged(codes []difflib.OpCode) int {
	n := 0
	for _, op := range codes {
		if op.Tag != 'e' {
			n += op.I2 - op.I1 + op.J2 - op.J1
		}
	}
	return n
}

// Mark writes runs as one line, what changed between open and shut.
func Mark(runs []Segment, open, shut string) string {
	var b gostrings.Builder
	for i, r := range runs {
		if i > 0 {
			b.WriteByte(' ')
		}
		if r.Changed {
			b.WriteString(open + r.Text + shut)
		} else {
			b.WriteString(r.Text)
		}
	}
	return b.String()
}
