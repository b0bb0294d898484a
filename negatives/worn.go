package negatives

// part is a part of the body on which something is worn.
type part uint8

// noPart is that of what is worn on no part of the table: who wears it may wear
// anything else too.
const noPart part = 0

// worn is a table of exclusions.tsv, of a row for each part of the body.
var worn = exclusions["worn"]

// wornBeside holds for what is worn on a part of the body on which the other is not.
func (n *noun) wornBeside(other *noun) bool { return n.wornOn != noPart && n.wornOn != other.wornOn }

// wornOn is the part of the body on which a noun is worn.
func wornOn(head string) part {
	for i := range worn {
		if contains(worn[i].words, head) {
			return part(i + 1)
		}
	}
	return noPart
}
