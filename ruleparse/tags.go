package ruleparse

import (
	"strings"
)

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

// tagByLexicon tags tokens by the closed classes and what the lexicon says that
// a word can be: what is left where no treebank was trained on.
func tagByLexicon(closed map[string]tag, ts []span) {
	for i := range ts {
		t := &ts[i]
		t.tag = lexicalTag(closed, ts, i)
	}
}

func lexicalTag(closed map[string]tag, ts []span, i int) tag {
	t := &ts[i]
	switch t.kind {
	case mark, address:
		return markTag(t)
	case digits:
		return tagCD
	}
	if c, ok := closed[t.low]; ok {
		if c == tagEX && !(i+1 < len(ts) && ts[i+1].flags&anyVerb != 0) {
			return tagRB
		}
		return c
	}
	previous := tagPeriod
	if i > 0 {
		previous = ts[i-1].tag
	}
	opens := previous == tagDT || previous == tagPRPS || previous == tagJJ || previous == tagCD || previous == tagPOS
	f := t.flags
	switch {
	case f&verbIng != 0:
		if opens && f&nounSingular != 0 && !nounFollows(ts, i) {
			return tagNN
		}
		return tagVBG
	case f&(verbPast|verbParticiple) != 0 && f&anyNoun == 0:
		return tagVBN
	case f&adjective != 0 && (f&nounSingular == 0 || nounFollows(ts, i)):
		return tagJJ
	case f&nounPlural != 0:
		if f&verbS != 0 && (previous == tagNN || previous == tagWDT || previous == tagWP) && i+1 < len(ts) && !nounFollows(ts, i) && ts[i+1].kind != mark {
			return tagVBZ
		}
		return tagNNS
	case f&verbS != 0:
		return tagVBZ
	case f&nounSingular != 0:
		if f&verbBase != 0 && (previous == tagNNS || previous == tagTO || previous == tagMD) && !opens {
			return tagVB
		}
		return tagNN
	case f&verbBase != 0:
		return tagVB
	case f&(adjective|adjectiveMore) != 0:
		return tagJJ
	case f&adverb != 0:
		return tagRB
	case t.capital:
		return tagNNP
	}
	return tagNN
}

// nounFollows reports whether the next token can be a noun or stands before one.
func nounFollows(ts []span, i int) bool {
	return i+1 < len(ts) && ts[i+1].kind == letters && ts[i+1].flags&(anyNoun|adjective) != 0
}

// closedClass is what function words are, where no tagger says otherwise.
var closedClass = [...]struct {
	tag   tag
	words string
}{
	{tagDT, "a an the this that these those some any no every each another all both either neither"},
	{tagIN, "of in on at by for with from into onto over under behind beside besides between among against along across around near above below beneath inside outside through throughout toward towards off about amid amidst atop upon underneath during without within past until till while because if as than like since though although per via alongside next"},
	{tagTO, "to"},
	{tagCC, "and or but nor & plus"},
	{tagPRP, "i you he she it we they me him them us himself herself itself themselves myself yourself ourselves one's someone something somebody everyone everything nobody nothing"},
	{tagPRPS, "my your his her its our their"},
	{tagWDT, "which whatever"},
	{tagWP, "who whom what"},
	{tagWPS, "whose"},
	{tagWRB, "where when how why"},
	{tagEX, "there"},
	{tagMD, "can could will would shall should may might must 'll 'd"},
	{tagVBZ, "is has does"},
	{tagVBP, "are am have do 're 've 'm"},
	{tagVBD, "was were had did"},
	{tagVBN, "been"},
	{tagVBG, "being having doing"},
	{tagVB, "be"},
	{tagRB, "not n't very also too just only there together away back here up down out almost partially partly n’t"},
	{tagPOS, "'s ' ’s ’"},
	{tagCD, "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million"},
	{tagJJ, "several many few other various multiple own such same"},
}

// closedTags lists the rows of closedClass by word; the first row wins.
func closedTags() map[string]tag {
	m := make(map[string]tag, 256)
	for _, r := range closedClass {
		for w := range strings.FieldsSeq(r.words) {
			if _, ok := m[w]; !ok {
				m[w] = r.tag
			}
		}
	}
	return m
}

// markTag returns the tag of punctuation, a symbol or an address.
func markTag(t *span) tag {
	if t.kind == address {
		return tagADD
	}
	switch t.low {
	case ",":
		return tagComma
	case ".", "!", "?", "...", "..", "…", "!!", "??", "!!!":
		return tagPeriod
	case ":", ";", "-", "--", "–", "—", "|", "/":
		return tagColon
	case "\"", "“", "``":
		return tagOpen
	case "”", "''":
		return tagClose
	case "'", "’", "‘":
		return tagClose
	case "(", "[", "{":
		return tagLRB
	case ")", "]", "}":
		return tagRRB
	case "$", "€", "£":
		return tagDollar
	case "#":
		return tagHash
	case "&", "+":
		return tagCC
	}
	return tagSYM
}
