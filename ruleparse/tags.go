package ruleparse

// tag is a Penn Treebank part-of-speech tag, with the additions of the English
// Web Treebank.
type tag uint8

const (
	tagNN tag = iota
	tagNNS
	tagNNP
	tagNNPS
	tagJJ
	tagJJR
	tagJJS
	tagVB
	tagVBD
	tagVBG
	tagVBN
	tagVBP
	tagVBZ
	tagMD
	tagIN
	tagTO
	tagDT
	tagPDT
	tagCD
	tagRB
	tagRBR
	tagRBS
	tagRP
	tagCC
	tagPRP
	tagPRPS
	tagPOS
	tagWDT
	tagWP
	tagWPS
	tagWRB
	tagEX
	tagUH
	tagFW
	tagLS
	tagSYM
	tagComma
	tagPeriod
	tagColon
	tagOpen
	tagClose
	tagLRB
	tagRRB
	tagDollar
	tagHash
	tagADD
	tagAFX
	tagGW
	tagHYPH
	tagNFP
	tagXX
	tagCount int = iota
)

var tagNames = [tagCount]string{
	"NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS", "VB", "VBD", "VBG",
	"VBN", "VBP", "VBZ", "MD", "IN", "TO", "DT", "PDT", "CD", "RB",
	"RBR", "RBS", "RP", "CC", "PRP", "PRP$", "POS", "WDT", "WP", "WP$",
	"WRB", "EX", "UH", "FW", "LS", "SYM", ",", ".", ":", "``",
	"''", "-LRB-", "-RRB-", "$", "#", "ADD", "AFX", "GW", "HYPH", "NFP",
	"XX",
}

func (t tag) String() string { return tagNames[t] }
