package ruleparse

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
