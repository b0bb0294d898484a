package negatives

// tags is a set of part-of-speech tags.
type tags uint32

const (
	tagNN tags = 1 << iota
	tagNNS
	tagNNP
	tagNNPS
	tagJJ
	tagJJR
	tagJJS
	tagCC
	tagComma
	tagVBN
	tagVBG
	tagVBZ
	tagVBP
	tagVBD
	tagVB
	tagCD
	tagRB
	tagDT
	tagPRPS
	tagPOS
	tagWPS
	tagIN
	tagTO
	tagRP
)

const (
	nouns  = tagNN | tagNNS
	proper = tagNNP | tagNNPS
	verbs  = tagVB | tagVBD | tagVBG | tagVBN | tagVBP | tagVBZ
)

// tagOf returns the set with one tag, or the empty set for tags that no rule uses.
func tagOf(tag string) tags {
	switch tag {
	case "NN":
		return tagNN
	case "NNS":
		return tagNNS
	case "NNP":
		return tagNNP
	case "NNPS":
		return tagNNPS
	case "JJ":
		return tagJJ
	case "JJR":
		return tagJJR
	case "JJS":
		return tagJJS
	case "CC":
		return tagCC
	case ",":
		return tagComma
	case "VBN":
		return tagVBN
	case "VBG":
		return tagVBG
	case "VBZ":
		return tagVBZ
	case "VBP":
		return tagVBP
	case "VBD":
		return tagVBD
	case "VB":
		return tagVB
	case "CD":
		return tagCD
	case "RB":
		return tagRB
	case "DT":
		return tagDT
	case "PRP$":
		return tagPRPS
	case "POS":
		return tagPOS
	case "WP$":
		return tagWPS
	case "IN":
		return tagIN
	case "TO":
		return tagTO
	case "RP":
		return tagRP
	}
	return 0
}
