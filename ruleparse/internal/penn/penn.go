// Package penn has the part-of-speech tags of the Penn Treebank (Santorini 1990), with the
// additions of the English Web Treebank.
package penn

// Tag is a Penn Treebank part-of-speech tag, with the additions of the English
// Web Treebank.
type Tag uint8

const (
	NN Tag = iota
	NNS
	NNP
	NNPS
	JJ
	JJR
	JJS
	VB
	VBD
	VBG
	VBN
	VBP
	VBZ
	MD
	IN
	TO
	DT
	PDT
	CD
	RB
	RBR
	RBS
	RP
	CC
	PRP
	PRPS
	POS
	WDT
	WP
	WPS
	WRB
	EX
	UH
	FW
	LS
	SYM
	Comma
	Period
	Colon
	Open
	Close
	LRB
	RRB
	Dollar
	Hash
	ADD
	AFX
	GW
	HYPH
	NFP
	XX
	Count int = iota
)

// Names are the tags as treebanks write them.
var Names = [Count]string{
	"NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS", "VB", "VBD", "VBG",
	"VBN", "VBP", "VBZ", "MD", "IN", "TO", "DT", "PDT", "CD", "RB",
	"RBR", "RBS", "RP", "CC", "PRP", "PRP$", "POS", "WDT", "WP", "WP$",
	"WRB", "EX", "UH", "FW", "LS", "SYM", ",", ".", ":", "``",
	"''", "-LRB-", "-RRB-", "$", "#", "ADD", "AFX", "GW", "HYPH", "NFP",
	"XX",
}

// String returns the tag as treebanks write it.
func (t Tag) String() string { return Names[t] }

// IsVerb reports whether t is the tag of a verb, but not of a modal verb.
func IsVerb(t Tag) bool { return t >= VB && t <= VBZ }

// IsNoun reports whether t is the tag of a noun or a name.
func IsNoun(t Tag) bool { return t <= NNPS }
