package ruleparse

import (
	"cmp"
	"slices"
	"strings"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// givenMark is added to the parser's name in graphs whose objects were given as phrases.
const givenMark = "+phrases"

// givenPhrases has the phrases that the caller gave for a text, and their places in it.
type givenPhrases struct {
	asked  bool
	found  []analysis.Given // sorted; none overlaps another
	places []phrasePlace
	label  tokens.Text
	unused []schemas.UnusedPhrase
}

// phrasePlace is an occurrence of given[phrase] in the text: the tokens [from, to).
type phrasePlace struct {
	phrase   int
	from, to int32
	used     bool
}

// findPhrases sets w.given to the occurrences of the given phrases in w.text. Of overlapping phrases it takes the
// longest, of equally long ones the first.
func (p *Parser) findPhrases(w *workspace, given []schemas.Phrase) {
	g, ts := &w.given, w.text.Tokens
	g.found, g.places, g.unused = g.found[:0], g.places[:0], g.unused[:0]
	for i := range given {
		n := len(g.places)
		if f := &given[i]; f.Begin >= 0 {
			if from, to := tokensIn(ts, f.Begin, f.End); from < to {
				g.places = append(g.places, phrasePlace{phrase: i, from: from, to: to})
			}
		} else if slices.ContainsFunc(given[:i], func(o schemas.Phrase) bool { return o.Begin < 0 && o.Text == f.Text }) {
			continue // found already
		} else {
			p.findWords(w, i, f.Text)
		}
		if len(g.places) == n {
			g.unused = append(g.unused, schemas.UnusedPhrase{Text: given[i].Text, Reason: schemas.PhraseNotInText})
		}
	}
	slices.SortStableFunc(g.places, func(a, b phrasePlace) int {
		return cmp.Or(cmp.Compare(b.to-b.from, a.to-a.from), cmp.Compare(a.from, b.from))
	})
	taken := make([]int32, len(ts)) // 1 + the index of the place that includes the token, or 0
	used := make([]bool, len(given))
	for i := range g.places {
		k := &g.places[i]
		at := taken[k.from]
		same := at > 0 && g.places[at-1].from == k.from && g.places[at-1].to == k.to
		if k.used = !slices.ContainsFunc(taken[k.from:k.to], func(t int32) bool { return t > 0 }); k.used {
			for t := k.from; t < k.to; t++ {
				taken[t] = int32(i) + 1
			}
			g.found = append(g.found, analysis.Given{From: k.from, To: k.to, NameFrom: nameStart(ts, k.from, k.to), Entity: given[k.phrase].Entity})
		}
		used[k.phrase] = used[k.phrase] || k.used || same
	}
	for i := range g.places {
		if k := &g.places[i]; !used[k.phrase] {
			used[k.phrase] = true // named once
			g.unused = append(g.unused, schemas.UnusedPhrase{Text: given[k.phrase].Text, Reason: schemas.PhraseInAnother})
		}
	}
	slices.SortFunc(g.found, func(a, b analysis.Given) int { return cmp.Compare(a.From, b.From) })
}

// tokensIn returns the tokens that overlap the bytes [begin, end), without punctuation at the ends and without a final
// "'s".
func tokensIn(ts []tokens.Token, begin, end int32) (from, to int32) {
	from, _ = findToken(ts, begin)
	for to = from; int(to) < len(ts) && ts[to].Begin < end; to++ {
	}
	return trimTokens(ts, from, to)
}

// findToken returns the first token that ends after an offset.
func findToken(ts []tokens.Token, offset int32) (int32, bool) {
	i, ok := slices.BinarySearchFunc(ts, offset, func(t tokens.Token, offset int32) int {
		if t.End <= offset {
			return -1
		}
		return 1
	})
	return int32(i), ok
}

// trimTokens returns [from, to) without punctuation at its ends and without a final "'s".
func trimTokens(ts []tokens.Token, from, to int32) (int32, int32) {
	for from < to && ts[from].Kind == tokens.Mark {
		from++
	}
	for from < to && (ts[to-1].Kind == tokens.Mark || ts[to-1].Kind == tokens.Clitic) {
		to--
	}
	return from, to
}

// findWords appends the occurrences of a phrase in the text of w, word for word. The last word may be inflected: the
// phrase "dog" occurs in "two dogs".
func (p *Parser) findWords(w *workspace, phrase int, text string) {
	g, ts := &w.given, w.text.Tokens
	p.model.Reader.Read(&g.label, text)
	from, to := trimTokens(g.label.Tokens, 0, int32(len(g.label.Tokens)))
	label := g.label.Tokens[from:to]
	if len(label) == 0 {
		return
	}
	last := len(label) - 1
	for i := 0; i+last < len(ts); i++ {
		same := func(k int) bool { return ts[i+k].Hash == label[k].Hash && ts[i+k].Low == label[k].Low }
		fits := same(last) || penn.IsNoun(ts[i+last].Tag) && ts[i+last].Lemma == label[last].Lemma
		for k := 0; k < last && fits; k++ {
			fits = same(k)
		}
		if fits {
			g.places = append(g.places, phrasePlace{phrase: phrase, from: int32(i), to: int32(i + last + 1)})
		}
	}
}

// nameStart returns the last token at which the object's name may begin in phrase [from, to): the first word if all are
// nouns ("traffic light"); the noun before a preposition, unless that noun is a measure ("bottle of water", but "a
// group of people"); else the last word.
func nameStart(ts []tokens.Token, from, to int32) int32 {
	if !slices.ContainsFunc(ts[from:to], func(t tokens.Token) bool { return !penn.IsNoun(t.Tag) }) {
		return from
	}
	for i := from + 1; i < to-1; i++ {
		if t := &ts[i]; (t.Tag == penn.IN || t.Tag == penn.TO) && !t.IsMeasure && penn.IsNoun(ts[i-1].Tag) {
			return i - 1
		}
	}
	return to - 1
}

// appendUnused appends the given phrases that are no object of the graph.
func (w *workspace) appendUnused(out []schemas.UnusedPhrase) []schemas.UnusedPhrase {
	out = append(out, w.given.unused...)
	ts := w.text.Tokens
	for _, f := range w.given.found {
		if !w.reading.HasObjectAt(f.To - 1) {
			out = append(out, schemas.UnusedPhrase{Text: strings.Clone(w.text.Low[ts[f.From].Begin:ts[f.To-1].End]), Reason: schemas.PhraseUnresolved})
		}
	}
	return out
}
