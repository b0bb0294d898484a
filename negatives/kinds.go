package negatives

import (
	_ "embed"
	"slices"
	"strings"

	"capgraph/internal/lexicon"
)

// kind is a sort of thing that much the same is said of.
type kind uint8

// The kinds, by their rows; 0 is that of other things.
const (
	people kind = iota + 1
	animals
	body
	food
	clothing
	vehicles
	furniture
	structures
	land
	plants
	drinks
	interiors
	openings
	ways
	water
	weather
	media
)

// kindCount is how many kinds there are, 0 among them.
const kindCount = int(media) + 1

// noKind is that of nothing.
const noKind kind = 0xff

// selfMoving holds for kinds all of which do much the same.
func selfMoving(k kind) bool { return k == people || k == animals || k == vehicles }

// within holds where things of a kind are parts of things of another.
func (k kind) within(of kind) bool {
	return k == interiors && of == structures || k == openings && (of == structures || of == interiors)
}

// surrounds holds for kinds of what somebody or something is rather in, on or at than next to.
func (k kind) surrounds() bool {
	switch k {
	case body, clothing, land, interiors, ways, weather, media:
		return true
	}
	return false
}

// natural holds for kinds that have their colours from nature.
func natural(k kind) bool {
	switch k {
	case people, animals, body, food, drinks, land, plants, ways, water:
		return true
	}
	return false
}

// kindsFile has a row for each kind, in the order of the constants, and one for other things; it says what they are.
//
//go:embed kinds.tsv
var kindsFile string

// kindRow is a row of it.
type kindRow struct {
	nouns   []string
	heads   []string
	example string
}

var kinds = readKinds(kindsFile)

// readKinds reads rows, the kind at its place and other things at 0.
func readKinds(tsv string) []kindRow {
	rows := make([]kindRow, 1)
	for line := range strings.Lines(tsv) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 || strings.HasPrefix(line, "#") {
			continue
		}
		row := kindRow{strings.Split(f[1], ", "), strings.Fields(f[2]), f[3]}
		if f[0] == "other" {
			rows[0] = row
			continue
		}
		rows = append(rows, row)
	}
	return rows
}

// general holds for a noun that may be said of all of a kind: "vehicle".
func (k kind) general(noun string) bool { return k != 0 && slices.Contains(kinds[k].nouns, noun) }

// How large things of a kind are; of no kind they are small.
const (
	small = iota
	large
	vast
)

func (n *noun) alive() bool { return n.kind == people || n.kind == animals }

func (n *noun) size() int { return n.kind.size() }

func (k kind) size() int {
	switch k {
	case land, structures, interiors, ways, water:
		return vast
	case vehicles, furniture, plants, openings:
		return large
	}
	return small
}

// kindsOf tells the kinds of nouns.
type kindsOf struct {
	lexicon    *lexicon.Lexicon
	person     lexicon.Synset
	implements []lexicon.Synset // which are counted
	ofHead     map[string]kind
	ofSynset   map[lexicon.Synset]kind
}

// newKinds reads the table.
func newKinds(lex *lexicon.Lexicon) kindsOf {
	k := kindsOf{lex, lex.Noun("person")[0], nil, map[string]kind{}, map[lexicon.Synset]kind{}}
	for _, noun := range []string{"device", "container", "implement", "platform"} {
		k.implements = append(k.implements, lex.Noun(noun)[0])
	}
	for i := range kinds {
		for _, head := range kinds[i].heads {
			k.ofHead[head] = kind(i)
		}
		for _, noun := range kinds[i].nouns {
			if senses := lex.Noun(noun); len(senses) > 0 {
				k.ofSynset[senses[0]] = kind(i)
			}
		}
	}
	return k
}

// of is the kind of a head with its senses, 0 where it is of none of the table.
func (k *kindsOf) of(head string, senses []lexicon.Synset) kind {
	if k, ok := k.ofHead[head]; ok {
		return k
	}
	if is, _, _ := ofPeople(head); is {
		return people
	}
	for i, sense := range senses {
		above := k.lexicon.Ancestors(sense, []lexicon.Synset{sense})
		if i == 0 && slices.Contains(above, k.person) {
			return people
		}
		for _, s := range above {
			if k, ok := k.ofSynset[s]; ok {
				return k
			}
		}
	}
	return 0
}
