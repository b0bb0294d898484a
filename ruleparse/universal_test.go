package ruleparse

import (
	"os"
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
	var next tag = tagPeriod
	if i+1 < len(ts) {
		next = ts[i+1].tag
	}
	after := next // behind adverbs
	for k := i + 1; k < len(ts) && (ts[k].tag == tagRB || ts[k].tag == tagPRP && k == i+1); k++ {
		if k+1 < len(ts) {
			after = ts[k+1].tag
		}
	}
	switch {
	case isVerb(t.tag) && (oneOf(" be am is are was were been being 's 're 'm ’s ’re ’m ai ", t.low)):
		return "AUX"
	case isVerb(t.tag) && oneOf(" do does did ", t.low) && (after == tagVB || next == tagRB && after == tagVB):
		return "AUX"
	case isVerb(t.tag) && oneOf(" have has had having 've ’ve 'd ", t.low) && (after == tagVBN || after == tagVBD):
		return "AUX"
	case t.tag == tagRB && oneOf(" not n't n’t nt ", t.low):
		return "PART"
	case t.tag == tagDT && oneOf(" this that these those all some any both each another ", t.low) && !isNoun(next) && next != tagJJ && next != tagCD && next != tagVBG && next != tagVBN && next != tagDT && next != tagPRPS && next != tagJJS && next != tagJJR:
		return "PRON"
	case t.tag == tagWDT && oneOf(" what whatever which whichever ", t.low) && isNoun(next):
		return "DET"
	case t.tag == tagNN && oneOf(" someone something somebody anyone anything anybody everyone everything everybody nothing nobody ", t.low):
		return "PRON"
	case t.tag == tagTO && next != tagVB && next != tagRB:
		return "ADP"
	case t.tag == tagIN && oneOf(" if because while although though whether since unless lest ", t.low):
		return "SCONJ"
	case t.tag == tagIN && t.low == "that":
		return "SCONJ"
	case t.tag == tagIN && oneOf(" as before after until till than like so once ", t.low) && (next == tagPRP || next == tagEX):
		return "SCONJ"
	case t.tag == tagIN && next == tagVBG && oneOf(" by for in of without on from at about with after before while when into to than despite through besides upon against ", t.low):
		return "SCONJ"
	}
	if u, ok := universal[t.tag]; ok {
		return u
	}
	return "PUNCT"
}

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
	if share(upos) < 93 {
		t.Error("fewer than 93 % of the universal tags are right")
	}
}
