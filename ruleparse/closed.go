package ruleparse

import "strings"

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
