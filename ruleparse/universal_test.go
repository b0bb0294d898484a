package ruleparse

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// universal is the Universal Dependencies' tag of a Penn tag whatever the word;
// the tags that are not here depend on the word or on what follows.
var universal = map[tag]string{
	tagNN: "NOUN", tagNNS: "NOUN", tagNNP: "PROPN", tagNNPS: "PROPN", tagJJ: "ADJ", tagJJR: "ADJ", tagJJS: "ADJ",
	tagVB: "VERB", tagVBD: "VERB", tagVBG: "VERB", tagVBN: "VERB", tagVBP: "VERB", tagVBZ: "VERB", tagMD: "AUX",
	tagIN: "ADP", tagTO: "PART", tagDT: "DET", tagPDT: "DET", tagCD: "NUM", tagRB: "ADV", tagRBR: "ADV", tagRBS: "ADV",
	tagRP: "ADP", tagCC: "CCONJ", tagPRP: "PRON", tagPRPS: "PRON", tagPOS: "PART", tagWDT: "PRON", tagWP: "PRON", tagWPS: "PRON",
	tagWRB: "ADV", tagEX: "PRON", tagUH: "INTJ", tagFW: "X", tagLS: "X", tagSYM: "SYM", tagDollar: "SYM", tagHash: "SYM",
	tagADD: "PROPN", tagAFX: "X", tagGW: "X", tagXX: "X",
}

// universalOf is the tag of token i: Penn's, with the words and neighbours that
// tell auxiliaries, particles, pronouns and subordinating conjunctions.
func universalOf(ts []span, i int) string {
	t := &ts[i]
	next := tagAt(ts, i+1)
	switch {
	case oneOf(" / % # + = > < & ", t.low) && (t.tag != tagCC && t.tag != tagLRB && t.tag != tagRRB && t.tag != tagHYPH), strings.HasPrefix(t.low, ":") && len(t.low) > 1:
		return "SYM"
	case t.tag == tagSYM && len(t.low) > 1 && strings.Trim(t.low, ".!?-*:=_~") == "":
		return "PUNCT"
	case isVerb(t.tag):
		return universalVerb(ts, i)
	case t.tag == tagRB && oneOf(" not n't n’t nt ", t.low):
		return "PART"
	case t.tag == tagDT && oneOf(" this that these those ", t.low) && !isNoun(next) && !oneOfTags(next, tagJJ, tagCD, tagDT, tagPRPS, tagJJS, tagJJR):
		return "PRON"
	case t.tag == tagWDT && oneOf(" what whatever which whichever ", t.low) && isNoun(next) && i > 0 && ts[i-1].tag == tagIN:
		return "DET"
	case t.tag == tagNN && oneOf(" someone something somebody anyone anything anybody everyone everything everybody nobody nothing none ", t.low):
		return "PRON"
	case t.tag == tagNN && t.low == "one" && i > 0 && ts[i-1].low == "no":
		return "PRON"
	case t.tag == tagNNP && oneOf(" united new national islamic international supreme middle saudi ", t.low) && isNoun(next):
		return "ADJ"
	case t.tag == tagFW && strings.HasPrefix(t.low, "etc"):
		return "NOUN"
	case t.tag == tagLS && t.kind == digits:
		return "NUM"
	case t.tag == tagTO && next != tagVB && next != tagRB:
		return "ADP"
	case t.tag == tagIN && joinsClause(ts, i):
		return "SCONJ"
	}
	if u, ok := universal[t.tag]; ok {
		return u
	}
	return "PUNCT"
}

// universalVerb is AUX for a form of "be" that does not say that something
// exists, and for "do", "have" and "get" beside another verb.
func universalVerb(ts []span, i int) string {
	t := &ts[i]
	next := tagAt(ts, i+1)
	after := next // behind adverbs, and behind the subject of a question
	for k := i + 1; k < len(ts) && (ts[k].tag == tagRB || ts[k].tag == tagPRP && k == i+1); k++ {
		after = tagAt(ts, k+1)
	}
	switch {
	case oneOf(" be am is are was were been being 's 're 'm ’s ’re ’m s r m `s ai ", t.low):
		k := i - 1
		for k >= 0 && (ts[k].tag == tagMD || ts[k].tag == tagRB || isVerb(ts[k].tag)) && i-k < 4 {
			k--
		}
		if k >= 0 && ts[k].tag == tagEX || next == tagEX {
			return "VERB"
		}
		return "AUX"
	case oneOf(" do does did ", t.low) && (after == tagVB || asks(ts, i, tagVB) || next == tagPeriod || next == tagRB):
		return "AUX"
	case oneOf(" have has had having 've ’ve 'd ve ", t.low) && (after == tagVBN || after == tagVBD || asks(ts, i, tagVBN)):
		return "AUX"
	case oneOf(" get gets got getting ", t.low) && next == tagVBN:
		return "AUX"
	}
	return "VERB"
}

// asks reports whether token i opens a question or follows its first word, and a
// subject and then a verb with the tag given come after.
func asks(ts []span, i int, verb tag) bool {
	if i > 0 && !oneOfTags(ts[i-1].tag, tagWP, tagWRB, tagWDT, tagPeriod, tagCC, tagRB) && ts[i-1].kind != mark {
		return false
	}
	k := i + 1
	for k < len(ts) && k < i+7 && (isNoun(ts[k].tag) || oneOfTags(ts[k].tag, tagDT, tagPRP, tagPRPS, tagJJ, tagPOS, tagRB, tagCD)) {
		k++
	}
	return k > i+1 && tagAt(ts, k) == verb
}

// joinsClause reports whether the preposition at i is followed by a clause.
func joinsClause(ts []span, i int) bool {
	low, next := ts[i].low, tagAt(ts, i+1)
	switch {
	case oneOf(" if while although though whether unless lest that so ", low):
		return true
	case low == "because":
		return i+1 >= len(ts) || ts[i+1].low != "of"
	}
	k := i + 1
	for k < len(ts) && k < i+9 && (isNoun(ts[k].tag) || oneOfTags(ts[k].tag, tagDT, tagPRP, tagPRPS, tagJJ, tagPOS, tagRB, tagCD, tagEX, tagPDT)) {
		k++
	}
	end := tagAt(ts, k)
	finite := k > i+1 && oneOfTags(end, tagVBZ, tagVBD, tagVBP, tagMD)
	switch {
	case oneOf(" as before after until till than once since like cos ", low):
		return finite || low == "as" && (next == tagVBN || next == tagVBG) || next == tagVBG && low != "like"
	case oneOf(" for with ", low):
		return next == tagVBG || k > i+1 && (low == "for" && end == tagTO || low == "with" && end == tagVBG)
	}
	return next == tagVBG || oneOfTags(next, tagWRB, tagWP) || i+1 < len(ts) && ts[i+1].low == "whether" ||
		next == tagRB && tagAt(ts, i+2) == tagVBG
}

// tagAt is the tag of token i, a full stop's beyond the last.
func tagAt(ts []span, i int) tag {
	if i < len(ts) {
		return ts[i].tag
	}
	return tagPeriod
}

func oneOfTags(t tag, tags ...tag) bool { return slices.Contains(tags, t) }

// TestUniversalTags measures the tags as Universal Dependencies count them, on
// gold tokens of the treebank's development part.
func TestUniversalTags(t *testing.T) {
	const path = "../../shared/data/ud/en_ewt-ud-dev.conllu"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Skip("skipped: the treebank is not there: ", err)
	}
	p := newParser(t)
	gold, err := readTreebank(path, p.lexicon)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(string(raw)) {
		if f := strings.Split(line, "\t"); len(f) == 10 && !strings.ContainsAny(f[0], "-.") {
			want = append(want, f[3])
		}
	}
	var n, penn, upos, names int
	for _, s := range gold {
		p.tagger.run(s.spans)
		for i := range s.spans {
			if s.spans[i].tag == s.tags[i] {
				penn++
			}
			switch got := universalOf(s.spans, i); {
			case got == want[n]:
				upos++
			case got == "NOUN" && want[n] == "PROPN", got == "PROPN" && want[n] == "NOUN":
				names++
			}
			n++
		}
	}
	share := func(k int) float64 { return 100 * float64(k) / float64(n) }
	t.Logf("%d tokens: Penn tags %.1f %%, universal tags %.1f %%, nouns taken for names or names for nouns %.1f %%", n, share(penn), share(upos), share(names))
	if share(upos) < 95 {
		t.Error("fewer than 95 % of the universal tags are right")
	}
}
