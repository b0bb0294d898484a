package truth

import (
	"capgraph/internal/lexicon/wordclass"
)

// Part is a part of the body on which something is worn.
type Part uint8

// NoPart is the part for clothes that the table worn does not have: their wearer may wear anything
// else too.
const NoPart Part = 0

// worn is the table of clothes in exclusions.tsv, with a row for each part of the body.
var worn = Exclusions["worn"]

// WornOn returns the part of the body on which a noun is worn.
func WornOn(head string) Part {
	for i := range worn {
		if wordclass.Has(worn[i].Words, head) {
			return Part(i + 1)
		}
	}
	return NoPart
}
