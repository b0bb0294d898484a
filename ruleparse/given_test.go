package ruleparse

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

// labels returns phrases that are looked for by their words.
func labels(texts ...string) []schemas.Phrase {
	list := []schemas.Phrase{}
	for _, t := range texts {
		list = append(list, schemas.Phrase{Text: t, Begin: schemas.NoOffset, End: schemas.NoOffset})
	}
	return list
}

// brackets takes the phrases out of a text: "[1 A man] runs. [1 He] …", where 1 is the entity.
func brackets(marked string) (text string, list []schemas.Phrase) {
	list = []schemas.Phrase{}
	at := 0
	for _, m := range bracket.FindAllStringSubmatchIndex(marked, -1) {
		text += marked[at:m[0]]
		var entity int32
		if m[2] >= 0 {
			fmt.Sscan(marked[m[2]:m[3]], &entity)
		}
		words := marked[m[4]:m[5]]
		list = append(list, schemas.Phrase{Text: words, Begin: int32(len(text)), End: int32(len(text) + len(words)), Entity: entity})
		text += words
		at = m[1]
	}
	return text + marked[at:], list
}

func TestGivenPhrases(t *testing.T) {
	all := []struct{ what, marked, want, unused string }{
		{"spans with determiners and attributes", "[Two young guys] with [shaggy hair] look at [their hands] while hanging out in [the yard].",
			"guys×two[young] hair[shaggy] hands yard | guys with/with hair, guys look at/look at hands, guys hanging out in/hang out in yard", ""},
		{"an object that is not given is none", "[A man] in a red shirt holds [a dog] .", "man dog | man holds/hold dog", ""},
		{"what is said of others is no attribute", "Two [dogs] holding an old stick chase [a man] in a red coat", "dogs×two man | dogs chase/chase man", ""},
		{"a noun before a phrase is of it", "an oak [table] near [a window]", "table[oak] window | table near/near window", ""},
		{"a place is of its preposition", "[A cat] standing in front of [a tv] walks down the side of [a road].", "cat tv road | cat standing in front of/stand in front of tv, cat walks down the side of/walk down the side of road", ""},
		{"a phrase with a preposition", "[A man] drinks [a bottle of water].", "man bottle of water | man drinks/drink bottle of water", ""},
		{"nouns alone", "A [café dog] near [oak tables]", "café dog oak tables | café dog near/near oak tables", ""},
		{"a quantity", "[A group of people] stand near [a bus].", "people×a group of bus | people stand near/stand near bus", ""},
		{"a word that is no noun elsewhere", "[a run] near [the red]", "run red | run near/near red", ""},
		{"a part of a word is the whole word", "a snow[man] near a [house]", "snowman house | snowman near/near house", ""},
		{"a mark and 's belong to no phrase", "[a girl's] [umbrella,] on a wall", "girl umbrella | girl has/have umbrella", ""},
		{"nothing is given", "a man rides a horse", "", ""},
		{"everything is one phrase", "[a man with a hat]", "man with a hat", ""},
		{"phrases in phrases", "a [man] near [a dog]", "man dog | man near/near dog", ""},
		{"entities", "[1 A man] is near [3 a car] . [1 The older man] reads [2 a book] .", "man[older] car book | man is near/near car, man reads/read book", ""},
		{"two entities of one name", "[1 A man] is near [4 a car]. [2 The man] reads [3 a book].", "man car man book | man is near/near car, man reads/read book", ""},
		{"a pronoun", "[1 A man] sits. [1 He] reads [2 a book].", "man[;sits] book | man reads/read book", ""},
		{"a pronoun without a referent", "[He] reads [a book].", "book", "he: a pronoun without a referent"},
		{"Unicode", "[a Café] near [a piñata]", "café piñata | café near/near piñata", ""},
	}
	for _, reader := range []string{Fast, Auto} {
		p, err := NewReader(reader)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			text, list := brackets(c.marked)
			compareGiven(t, p, reader+": "+c.what, text, list, c.want, c.unused)
		}
	}
}

func TestGivenLabels(t *testing.T) {
	p := newParser(t)
	for _, c := range []struct {
		what, text   string
		labels       []string
		want, unused string
	}{
		{"singular labels of plural nouns", "Three dogs chase a traffic light", []string{"dog", "traffic light", "chair"}, "dogs×three traffic light | dogs chase/chase traffic light", "chair: not in the caption"},
		{"every place of a label", "a Dog near a dog", []string{"dog", "dog"}, "dog dog | dog near/near dog", ""},
		{"the longer label", "a fire truck on a street", []string{"truck", "fire truck", "Street"}, "fire truck street | fire truck on/on street", "truck: inside another phrase"},
		{"a label of nouns", "a laptop computer on a kitchen table", []string{"laptop computer", "kitchen table"}, "laptop computer kitchen table | laptop computer on/on kitchen table", ""},
		{"a label with an adjective", "a red kite above a hot dog", []string{"red kite", "hot dog"}, "kite[red] hot dog | kite above/above hot dog", ""},
		{"no part of a word", "a category of cars", []string{"cat", ""}, "", "cat: not in the caption, : not in the caption"},
		{"no label", "a man rides a horse", nil, "", ""},
		{"an empty text", "", []string{"dog"}, "", "dog: not in the caption"},
	} {
		compareGiven(t, p, c.what, c.text, labels(c.labels...), c.want, c.unused)
	}
}

func compareGiven(t *testing.T, p *Parser, what, text string, list []schemas.Phrase, want, unused string) {
	t.Helper()
	out := make([]schemas.Parsed, 1)
	if err := p.ParseGiven(context.Background(), []string{text}, [][]schemas.Phrase{list}, out); err != nil {
		t.Fatal(err)
	}
	if got := brief(&out[0].Graph); got != want {
		t.Errorf("%s: %q\n got  %s\n want %s", what, text, got, want)
	}
	var left []string
	for _, u := range out[0].Unused {
		left = append(left, u.Text+": "+u.Reason)
	}
	if got := strings.Join(left, ", "); got != unused {
		t.Errorf("%s: %q: unused %q, want %q", what, text, got, unused)
	}
}

// TestGivenPhrasesLeaveNothingBehind parses texts with and without phrases by turns, with one parser.
func TestGivenPhrasesLeaveNothingBehind(t *testing.T) {
	p := newParser(t)
	texts := []string{"a man rides a horse", "a man rides a horse", "a man rides a horse"}
	out := make([]schemas.Parsed, len(texts))
	if err := p.ParseGiven(context.Background(), texts, [][]schemas.Phrase{nil, labels("horse"), nil}, out); err != nil {
		t.Fatal(err)
	}
	if a, b, c := brief(&out[0].Graph), brief(&out[1].Graph), brief(&out[2].Graph); a != c || b != "horse" || a == b {
		t.Errorf("graphs %q, %q, %q", a, b, c)
	}
	if out[1].Parser != p.Name()+"+phrases" || out[0].Parser != p.Name() {
		t.Errorf("parsers %q and %q", out[0].Parser, out[1].Parser)
	}
	if c := out[1].Graph.Objects[0].Confidence; c != 0.999 {
		t.Errorf("a given object has confidence %v", c)
	}
	if len(out[0].Unused) > 0 || !slices.Equal(out[0].Tokens, out[2].Tokens) {
		t.Error("a text without phrases differs after one with them")
	}
}

func FuzzGivenPhrases(f *testing.F) {
	p := newParser(f)
	f.Add("a man rides a horse", "horse", 2, 5)
	f.Add("\xff [ a", "\x00", -7, 900)
	f.Add("man rides a \x00\x01\x00\x00e", "man rides a \x00\x01\x00\x00e", 0, 9)
	f.Add("%B\xe10\x89", "0", -55, -20)
	f.Add("a\x01dog at http://a.b\x02c", "dog at http://a.b\x02c", 0, 3)
	f.Fuzz(func(t *testing.T, text, label string, begin, end int) {
		list := append(labels(label), schemas.Phrase{Text: "x", Begin: int32(begin), End: int32(end)})
		out := make([]schemas.Parsed, 1)
		if err := p.ParseGiven(context.Background(), []string{text}, [][]schemas.Phrase{list}, out); err != nil {
			t.Fatal(err)
		}
		for fault := range out[0].Graph.Faults(text) {
			t.Fatal(fault)
		}
	})
}
