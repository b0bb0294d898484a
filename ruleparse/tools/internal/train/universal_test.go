package train

import (
	"os"
	"slices"
	"strings"
	"testing"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// universal maps Penn tags to Universal Dependencies' tags, whatever the word. The missing tags
// depend on the word or on what follows.
var universal = map[penn.Tag]string{
	penn.NN: "NOUN", penn.NNS: "NOUN", penn.NNP: "PROPN", penn.NNPS: "PROPN", penn.JJ: "ADJ", penn.JJR: "ADJ", penn.JJS: "ADJ",
	penn.VB: "VERB", penn.VBD: "VERB", penn.VBG: "VERB", penn.VBN: "VERB", penn.VBP: "VERB", penn.VBZ: "VERB", penn.MD: "AUX",
	penn.IN: "ADP", penn.TO: "PART", penn.DT: "DET", penn.PDT: "DET", penn.CD: "NUM", penn.RB: "ADV", penn.RBR: "ADV", penn.RBS: "ADV",
	penn.RP: "ADP", penn.CC: "CCONJ", penn.PRP: "PRON", penn.PRPS: "PRON", penn.POS: "PART", penn.WDT: "PRON", penn.WP: "PRON", penn.WPS: "PRON",
	penn.WRB: "ADV", penn.EX: "PRON", penn.UH: "INTJ", penn.FW: "X", penn.LS: "X", penn.SYM: "SYM", penn.Dollar: "SYM", penn.Hash: "SYM",
	penn.ADD: "PROPN", penn.AFX: "X", penn.GW: "X", penn.XX: "X",
}

// universalOf returns the tag of token i. Words and neighbours distinguish auxiliaries, particles,
// pronouns and subordinating conjunctions.
func universalOf(ts []tokens.Token, i int) string {
	t := &ts[i]
	next := tagAt(ts, i+1)
	switch {
	case t.IsOneOf(" / % # + = > < & ") && (t.Tag != penn.CC && t.Tag != penn.LRB && t.Tag != penn.RRB && t.Tag != penn.HYPH), strings.HasPrefix(t.Low, ":") && len(t.Low) > 1:
		return "SYM"
	case t.Tag == penn.SYM && len(t.Low) > 1 && strings.Trim(t.Low, ".!?-*:=_~") == "":
		return "PUNCT"
	case penn.IsVerb(t.Tag):
		return universalVerb(ts, i)
	case t.Tag == penn.RB && t.IsOneOf(" not n't n’t nt "):
		return "PART"
	case t.Tag == penn.DT && t.IsOneOf(" this that these those ") && !penn.IsNoun(next) && !oneOfTags(next, penn.JJ, penn.CD, penn.DT, penn.PRPS, penn.JJS, penn.JJR):
		return "PRON"
	case t.Tag == penn.WDT && t.IsOneOf(" what whatever which whichever ") && penn.IsNoun(next) && i > 0 && ts[i-1].Tag == penn.IN:
		return "DET"
	case t.Tag == penn.NN && t.IsOneOf(" someone something somebody anyone anything anybody everyone everything everybody nobody nothing none "):
		return "PRON"
	case t.Tag == penn.NN && t.Low == "one" && i > 0 && ts[i-1].Low == "no":
		return "PRON"
	case t.Tag == penn.NNP && t.IsOneOf(" united new national islamic international supreme middle saudi ") && penn.IsNoun(next):
		return "ADJ"
	case t.Tag == penn.FW && strings.HasPrefix(t.Low, "etc"):
		return "NOUN"
	case t.Tag == penn.LS && t.Kind == tokens.Digits:
		return "NUM"
	case t.Tag == penn.TO && next != penn.VB && next != penn.RB:
		return "ADP"
	case t.Tag == penn.IN && joinsClause(ts, i):
		return "SCONJ"
	}
	if u, ok := universal[t.Tag]; ok {
		return u
	}
	return "PUNCT"
}

// universalVerb returns AUX for a form of "be" unless it says that something exists, and for "do",
// "have" and "get" beside another verb.
func universalVerb(ts []tokens.Token, i int) string {
	t := &ts[i]
	next := tagAt(ts, i+1)
	after := next // behind adverbs, and behind the subject of a question
	for k := i + 1; k < len(ts) && (ts[k].Tag == penn.RB || ts[k].Tag == penn.PRP && k == i+1); k++ {
		after = tagAt(ts, k+1)
	}
	switch {
	case t.IsOneOf(" be am is are was were been being 's 're 'm ’s ’re ’m s r m `s ai "):
		k := i - 1
		for k >= 0 && (ts[k].Tag == penn.MD || ts[k].Tag == penn.RB || penn.IsVerb(ts[k].Tag)) && i-k < 4 {
			k--
		}
		if k >= 0 && ts[k].Tag == penn.EX || next == penn.EX {
			return "VERB"
		}
		return "AUX"
	case t.IsOneOf(" do does did ") && (after == penn.VB || asks(ts, i, penn.VB) || next == penn.Period || next == penn.RB):
		return "AUX"
	case t.IsOneOf(" have has had having 've ’ve 'd ve ") && (after == penn.VBN || after == penn.VBD || asks(ts, i, penn.VBN)):
		return "AUX"
	case t.IsOneOf(" get gets got getting ") && next == penn.VBN:
		return "AUX"
	}
	return "VERB"
}

// asks reports whether token i opens a question or follows its first word, and a subject and a verb
// with the tag follow.
func asks(ts []tokens.Token, i int, verb penn.Tag) bool {
	if i > 0 && !oneOfTags(ts[i-1].Tag, penn.WP, penn.WRB, penn.WDT, penn.Period, penn.CC, penn.RB) && ts[i-1].Kind != tokens.Mark {
		return false
	}
	k := i + 1
	for k < len(ts) && k < i+7 && (penn.IsNoun(ts[k].Tag) || oneOfTags(ts[k].Tag, penn.DT, penn.PRP, penn.PRPS, penn.JJ, penn.POS, penn.RB, penn.CD)) {
		k++
	}
	return k > i+1 && tagAt(ts, k) == verb
}

// joinsClause reports whether a clause follows the preposition at i.
func joinsClause(ts []tokens.Token, i int) bool {
	low, next := ts[i].Low, tagAt(ts, i+1)
	switch {
	case wordclass.Has(" if while although though whether unless lest that so ", low):
		return true
	case low == "because":
		return i+1 >= len(ts) || ts[i+1].Low != "of"
	}
	k := i + 1
	for k < len(ts) && k < i+9 && (penn.IsNoun(ts[k].Tag) || oneOfTags(ts[k].Tag, penn.DT, penn.PRP, penn.PRPS, penn.JJ, penn.POS, penn.RB, penn.CD, penn.EX, penn.PDT)) {
		k++
	}
	end := tagAt(ts, k)
	finite := k > i+1 && oneOfTags(end, penn.VBZ, penn.VBD, penn.VBP, penn.MD)
	switch {
	case wordclass.Has(" as before after until till than once since like cos ", low):
		return finite || low == "as" && (next == penn.VBN || next == penn.VBG) || next == penn.VBG && low != "like"
	case wordclass.Has(" for with ", low):
		return next == penn.VBG || k > i+1 && (low == "for" && end == penn.TO || low == "with" && end == penn.VBG)
	}
	return next == penn.VBG || oneOfTags(next, penn.WRB, penn.WP) || i+1 < len(ts) && ts[i+1].Low == "whether" ||
		next == penn.RB && tagAt(ts, i+2) == penn.VBG
}

// tagAt returns the tag of token i, and that of a full stop beyond the last.
func tagAt(ts []tokens.Token, i int) penn.Tag {
	if i < len(ts) {
		return ts[i].Tag
	}
	return penn.Period
}

func oneOfTags(t penn.Tag, tags ...penn.Tag) bool { return slices.Contains(tags, t) }

// TestUniversalTags measures the tags as Universal Dependencies count them, on gold tokens of the
// treebank's development part.
func TestUniversalTags(t *testing.T) {
	const path = "../../../../../shared/data/ud/en_ewt-ud-dev.conllu"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Skip("skipped: the treebank is not there: ", err)
	}
	p := embeddedReader(t)
	gold, err := readTreebank(path, p.Lexicon)
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
		p.Tagger.Tag(s.spans)
		for i := range s.spans {
			if s.spans[i].Tag == s.tags[i] {
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
