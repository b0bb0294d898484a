package tokens

import (
	"strings"

	"capgraph/ruleparse/internal/penn"
)

// tagByLexicon tags tokens by the closed classes and what the lexicon says that
// a word can be: what is left where no treebank was trained on.
func tagByLexicon(closed map[string]penn.Tag, ts []Token) {
	for i := range ts {
		t := &ts[i]
		t.Tag = lexicalTag(closed, ts, i)
	}
}

func lexicalTag(closed map[string]penn.Tag, ts []Token, i int) penn.Tag {
	t := &ts[i]
	switch t.Kind {
	case Mark, address:
		return markTag(t)
	case Digits:
		return penn.CD
	}
	if c, ok := closed[t.Low]; ok {
		if c == penn.EX && !(i+1 < len(ts) && ts[i+1].Flags&AnyVerb != 0) {
			return penn.RB
		}
		return c
	}
	previous := penn.Period
	if i > 0 {
		previous = ts[i-1].Tag
	}
	opens := previous == penn.DT || previous == penn.PRPS || previous == penn.JJ || previous == penn.CD || previous == penn.POS
	f := t.Flags
	switch {
	case f&VerbIng != 0:
		if opens && f&NounSingular != 0 && !nounFollows(ts, i) {
			return penn.NN
		}
		return penn.VBG
	case f&(VerbPast|VerbParticiple) != 0 && f&AnyNoun == 0:
		return penn.VBN
	case f&Adjective != 0 && (f&NounSingular == 0 || nounFollows(ts, i)):
		return penn.JJ
	case f&NounPlural != 0:
		if f&VerbS != 0 && (previous == penn.NN || previous == penn.WDT || previous == penn.WP) && i+1 < len(ts) && !nounFollows(ts, i) && ts[i+1].Kind != Mark {
			return penn.VBZ
		}
		return penn.NNS
	case f&VerbS != 0:
		return penn.VBZ
	case f&NounSingular != 0:
		if f&VerbBase != 0 && (previous == penn.NNS || previous == penn.TO || previous == penn.MD) && !opens {
			return penn.VB
		}
		return penn.NN
	case f&VerbBase != 0:
		return penn.VB
	case f&(Adjective|AdjectiveMore) != 0:
		return penn.JJ
	case f&Adverb != 0:
		return penn.RB
	case t.Capital:
		return penn.NNP
	}
	return penn.NN
}

// nounFollows reports whether the next token can be a noun or stands before one.
func nounFollows(ts []Token, i int) bool {
	return i+1 < len(ts) && ts[i+1].Kind == Letters && ts[i+1].Flags&(AnyNoun|Adjective) != 0
}

// closedClass is what function words are, where no tagger says otherwise.
var closedClass = [...]struct {
	tag   penn.Tag
	words string
}{
	{penn.DT, "a an the this that these those some any no every each another all both either neither"},
	{penn.IN, "of in on at by for with from into onto over under behind beside besides between among against along across around near above below beneath inside outside through throughout toward towards off about amid amidst atop upon underneath during without within past until till while because if as than like since though although per via alongside next"},
	{penn.TO, "to"},
	{penn.CC, "and or but nor & plus"},
	{penn.PRP, "i you he she it we they me him them us himself herself itself themselves myself yourself ourselves one's someone something somebody everyone everything nobody nothing"},
	{penn.PRPS, "my your his her its our their"},
	{penn.WDT, "which whatever"},
	{penn.WP, "who whom what"},
	{penn.WPS, "whose"},
	{penn.WRB, "where when how why"},
	{penn.EX, "there"},
	{penn.MD, "can could will would shall should may might must 'll 'd"},
	{penn.VBZ, "is has does"},
	{penn.VBP, "are am have do 're 've 'm"},
	{penn.VBD, "was were had did"},
	{penn.VBN, "been"},
	{penn.VBG, "being having doing"},
	{penn.VB, "be"},
	{penn.RB, "not n't very also too just only there together away back here up down out almost partially partly n’t"},
	{penn.POS, "'s ' ’s ’"},
	{penn.CD, "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million"},
	{penn.JJ, "several many few other various multiple own such same"},
}

// closedTags lists the rows of closedClass by word; the first row wins.
func closedTags() map[string]penn.Tag {
	m := make(map[string]penn.Tag, 256)
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
func markTag(t *Token) penn.Tag {
	if t.Kind == address {
		return penn.ADD
	}
	switch t.Low {
	case ",":
		return penn.Comma
	case ".", "!", "?", "...", "..", "…", "!!", "??", "!!!":
		return penn.Period
	case ":", ";", "-", "--", "–", "—", "|", "/":
		return penn.Colon
	case "\"", "“", "``":
		return penn.Open
	case "”", "''":
		return penn.Close
	case "'", "’", "‘":
		return penn.Close
	case "(", "[", "{":
		return penn.LRB
	case ")", "]", "}":
		return penn.RRB
	case "$", "€", "£":
		return penn.Dollar
	case "#":
		return penn.Hash
	case "&", "+":
		return penn.CC
	}
	return penn.SYM
}
