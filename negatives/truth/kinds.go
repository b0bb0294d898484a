package truth

import (
	_ "embed"
	"slices"
	"strings"

	"capgraph/internal/lexicon"
)

// Kind is a sort of things with mostly the same properties and relations.
type Kind uint8

// The kinds, in the order of their rows. 0 is for other things.
const (
	People Kind = iota + 1
	Animals
	Body
	Food
	Clothing
	Vehicles
	Furniture
	Structures
	Land
	Plants
	Drinks
	Interiors
	Openings
	Ways
	Water
	Weather
	Media
)

// KindCount is how many kinds there are, 0 among them.
const KindCount = int(Media) + 1

// NoKind is the kind of nothing.
const NoKind Kind = 0xff

// SelfMoving reports whether all things of a kind do much the same.
func SelfMoving(k Kind) bool { return k == People || k == Animals || k == Vehicles }

// Within reports whether things of a kind are parts of things of another.
func (k Kind) Within(of Kind) bool {
	return k == Interiors && of == Structures || k == Openings && (of == Structures || of == Interiors)
}

// Surrounds is true for kinds of what somebody or something is rather in, on or at than next to.
func (k Kind) Surrounds() bool {
	switch k {
	case Body, Clothing, Land, Interiors, Ways, Weather, Media:
		return true
	}
	return false
}

// Natural is true for kinds that have their colours from nature.
func Natural(k Kind) bool {
	switch k {
	case People, Animals, Body, Food, Drinks, Land, Plants, Ways, Water:
		return true
	}
	return false
}

// kindsFile has a row for each kind, in the order of the constants, and one for other things; it
// says what they are.
//
//go:embed kinds.tsv
var kindsFile string

// kindRow is a row of it.
type kindRow struct {
	name    string
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
		row := kindRow{f[0], strings.Split(f[1], ", "), strings.Fields(f[2]), f[3]}
		if f[0] == "other" {
			rows[0] = row
			continue
		}
		rows = append(rows, row)
	}
	return rows
}

// General reports whether a noun fits everything of a kind: "vehicle".
func (k Kind) General(noun string) bool { return k != 0 && slices.Contains(kinds[k].nouns, noun) }

// How large things of a kind are; of no kind they are small.
const (
	Small = iota
	large
	Vast
)

// Size is how large things of a kind are.
func (k Kind) Size() int {
	switch k {
	case Land, Structures, Interiors, Ways, Water:
		return Vast
	case Vehicles, Furniture, Plants, Openings:
		return large
	}
	return Small
}

// Kinds tells the kinds of nouns.
type Kinds struct {
	lexicon    *lexicon.Lexicon
	Person     lexicon.Synset
	Implements []lexicon.Synset // which are counted
	Materials  []lexicon.Synset // which are not
	ofHead     map[string]Kind
	OfSynset   map[lexicon.Synset]Kind
}

// NewKinds reads the table.
func NewKinds(lex *lexicon.Lexicon) Kinds {
	k := Kinds{lexicon: lex, Person: lex.NounSenses("person")[0], ofHead: map[string]Kind{}, OfSynset: map[lexicon.Synset]Kind{}}
	first := func(nouns ...string) (senses []lexicon.Synset) {
		for _, noun := range nouns {
			senses = append(senses, lex.NounSenses(noun)[0])
		}
		return senses
	}
	k.Implements = first("device", "container", "implement", "platform")
	k.Materials = first("material", "fluid", "fabric", "coating", "chemical", "food", "foodstuff", "beverage", "solid")
	for i := range kinds {
		for _, head := range kinds[i].heads {
			k.ofHead[head] = Kind(i)
		}
		for _, noun := range kinds[i].nouns {
			if senses := lex.NounSenses(noun); len(senses) > 0 {
				k.OfSynset[senses[0]] = Kind(i)
			}
		}
	}
	return k
}

// Of is the kind of a head with its senses, 0 if it is of none of the table.
func (k *Kinds) Of(head string, senses []lexicon.Synset) Kind {
	if k, ok := k.ofHead[head]; ok {
		return k
	}
	if is, _, _ := OfPeople(head); is {
		return People
	}
	for i, sense := range senses {
		above := k.lexicon.Ancestors(sense, []lexicon.Synset{sense})
		if i == 0 && slices.Contains(above, k.Person) {
			return People
		}
		for _, s := range above {
			if k, ok := k.OfSynset[s]; ok {
				return k
			}
		}
	}
	return 0
}
