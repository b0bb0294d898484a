package rules

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// unseen.tsv lists phrases that open a comparison, conclusion or guess: what the image does not
// show.
//
//go:embed unseen.tsv
var unseenFile string

// An opener is a phrase of unseen.tsv.
type opener struct {
	words          []string // for each word its alternatives with spaces around, "?" or "~"
	scope, example string
}

var (
	openers = parseOpeners(unseenFile)
	// openersOf are the openers by their first word, in the order of the file.
	openersOf = indexOpeners(openers)
)

// parseOpeners reads the format of unseen.tsv. It panics if a line is invalid, since the file is
// embedded.
func parseOpeners(tsv string) (list []opener) {
	for line := range strings.Lines(tsv) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(columns) != 3 || !slices.Contains([]string{"rest", "all", "some", "next", "denied", "self"}, columns[1]) {
			panic(fmt.Sprintf("unseen.tsv: %q is not words, a scope and an example", line))
		}
		o := opener{scope: columns[1], example: columns[2]}
		for _, w := range strings.Fields(columns[0]) {
			o.words = append(o.words, " "+strings.ReplaceAll(w, "/", " ")+" ")
		}
		list = append(list, o)
	}
	return list
}

func indexOpeners(list []opener) map[string][]*opener {
	index := map[string][]*opener{}
	for k := range list {
		for _, w := range strings.Fields(list[k].words[0]) {
			index[w] = append(index[w], &list[k])
		}
	}
	return index
}

// markUnseen sets the status of what the image does not show: comparisons, conclusions and guesses.
func (b *graphBuilder) markUnseen() {
	for i := range b.ts {
		if s, ok := b.x.unseenAt(b.ts, int32(i)); ok {
			b.markScope(&s)
		}
	}
}

// unseenAt returns the scope of an opener that begins at token i, if there is one.
func (x *Reading) unseenAt(ts []tokens.Token, i int32) (scope, bool) {
	if ts[i].Tag == penn.NNP {
		return scope{}, false
	}
	for _, o := range openersOf[ts[i].Low] {
		to := o.match(ts, i)
		if to < 0 || o.words[0] == " like " && i > 0 && !penn.IsNoun(ts[i-1].Tag) && ts[i-1].Kind != tokens.Mark {
			continue // after a verb, "like" is no opener: "a cloud that looks like a boat"
		}
		s := scope{from: to, status: schemas.Hypothetical, phrase: o.scope != "some"}
		switch o.scope {
		case "rest", "some":
			s.to = x.unseenEnd(ts, to)
		case "all":
			s.from, s.to = i, x.unseenEnd(ts, to)
		case "next", "denied":
			s.to = x.firstObjectEnd(ts, to)
			if o.scope == "denied" {
				s.status = schemas.Denied
			}
		case "self":
			s.from, s.to = i, x.firstObjectEnd(ts, to)
			if x.InNode[to-1] || to == i+1 {
				s.to = to
			}
		}
		return s, s.from < s.to
	}
	return scope{}, false
}

// unseenEnd returns the end of a passage from token i on about something unseen: punctuation, "but"
// or "while", or an "and" before another verb.
func (x *Reading) unseenEnd(ts []tokens.Token, i int32) int32 {
	for limit := min(int32(len(ts)), i+maxClause); i < limit; i++ {
		t := &ts[i]
		switch {
		case x.InNode[i]:
		case t.Tag == penn.Period, t.Tag == penn.Colon, t.Tag == penn.Comma, t.IsOneOf(" but while whereas "):
			return i
		case t.Low == "and":
			for k := i + 1; k < min(limit, i+maxSubject) && ts[k].Kind != tokens.Mark; k++ {
				if isFinite(&ts[k]) && !x.InNode[k] {
					return i
				}
			}
		}
	}
	return i
}

// maxSubject is the most words of a subject after "and".
const maxSubject = 6

// match returns the token after the words of o if these begin at token i, or -1.
func (o *opener) match(ts []tokens.Token, i int32) int32 {
	for k, w := range o.words {
		switch {
		case w == " ~ ":
			if !namesImpression(ts, i) {
				return -1
			}
		case w == " ? ":
			last := i + 2
			for i <= last && !tokens.AtOrBorder(ts, i).IsOneOf(o.words[k+1]) {
				i++
			}
		case !wordclass.Has(w, tokens.AtOrBorder(ts, i).Low):
			return -1
		default:
			i++
		}
	}
	return i
}

// namesImpression reports whether one of four words from token i on is an abstract noun.
func namesImpression(ts []tokens.Token, i int32) bool {
	for k := i; k < i+4 && int(k) < len(ts) && ts[k].Kind != tokens.Mark; k++ {
		t := &ts[k]
		if !penn.IsNoun(t.Tag) || t.IsOneOf(visible) {
			continue
		}
		switch t.Class {
		case tokens.ClassAttribute, tokens.ClassCognition, tokens.ClassFeeling, tokens.ClassState:
			return true
		}
		if t.IsOneOf(moods) || t.IsOneOf(" contrast dash essence gossip history jokes laughter life luxury past pop spirit splash stories storm story time ") {
			return true
		}
	}
	return false
}
