package inspect

import (
	"strings"

	"github.com/pmezard/go-difflib/difflib"
)

// Segment is some consecutive words of a text. They are changed if another text does not have them in the
// same place.
type Segment struct {
	Text    string
	Changed bool
}

// Diff compares two texts word by word and returns the segments of each. Joined by spaces, a text's
// segments are its words.
func Diff(a, b string) (inA, inB []Segment) {
	wordsA, wordsB := strings.Fields(a), strings.Fields(b)
	codes := difflib.NewMatcher(wordsA, wordsB).GetOpCodes()
	if inPlace := diffInPlace(wordsA, wordsB); inPlace != nil && countChanged(inPlace) <= countChanged(codes) {
		codes = inPlace
	}
	for _, op := range codes {
		if op.I2 > op.I1 {
			inA = append(inA, Segment{strings.Join(wordsA[op.I1:op.I2], " "), op.Tag != 'e'})
		}
		if op.J2 > op.J1 {
			inB = append(inB, Segment{strings.Join(wordsB[op.J1:op.J2], " "), op.Tag != 'e'})
		}
	}
	return inA, inB
}

// diffInPlace compares the words at equal positions, so that two swapped words are two changes. It
// returns nil if the numbers of words differ.
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

// countChanged returns how many words the edits in codes change.
func countChanged(codes []difflib.OpCode) int {
	n := 0
	for _, op := range codes {
		if op.Tag != 'e' {
			n += op.I2 - op.I1 + op.J2 - op.J1
		}
	}
	return n
}

// Mark joins segments and encloses changed ones in open and close: "a [red] dog".
func Mark(segments []Segment, open, close string) string {
	var b strings.Builder
	for i, r := range segments {
		if i > 0 {
			b.WriteByte(' ')
		}
		if r.Changed {
			b.WriteString(open + r.Text + close)
		} else {
			b.WriteString(r.Text)
		}
	}
	return b.String()
}
