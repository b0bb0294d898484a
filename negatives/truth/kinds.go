package truth

import (
	_ "embed"
	"slices"
	"strings"

	"capgraph/internal/lexicon"
)

// Kind is a class of things that mostly share their properties and relations.
type Kind uint8

// The kinds, in the order of their rows in kinds.tsv. 0 is for all other things.
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

// KindCount is the number of kinds, with 0.
const KindCount = int(Media) + 1

// NoKind is a value that no thing has as its kind.
const NoKind Kind = 0xff

// SelfMoving reports whether all things of a kind can do much the same actions.
func SelfMoving(k Kind) bool { return k == People || k == Animals || k == Vehicles }

// Within reports whether things of a kind are parts of things of kind of.
func (k Kind) Within(of Kind) bool {
	return k == Interiors && of == Structures || k == Openings && (of == Structures || of == Interiors)
}

// Surrounds reports whether people and things are in, on or at things of a kind rather than next to
// them.
func (k Kind) Surrounds() bool {
	switch k {
	case Body, Clothing, Land, Interiors, Ways, Weather, Media:
		return true
	}
	return false
}

// Natural reports whether things of a kind have natural colours.
func Natural(k Kind) bool {
	switch k {
	case People, Animals, Body, Food, Drinks, Land, Plants, Ways, Water:
		return true
	}
	return false
}

// kindsFile has a row for each kind, in the order of the constants, and one for other things. It
// explains its columns.
//
//go:embed kinds.tsv
var kindsFile string

// kindRow is a row of kindsFile.
type kindRow struct {
	name    string
	nouns   []string
	heads   []string
	example string
}

var kinds = readKinds(kindsFile)

// readKinds returns the rows of kinds.tsv, indexed by Kind; other things are at 0.
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

// General reports whether a noun can name anything of a kind, as "vehicle" does.
func (k Kind) General(noun string) bool { return k != 0 && slices.Contains(kinds[k].nouns, noun) }

// Sizes of things. Those of no kind are Small.
const (
	Small = iota
	large
	Vast
)

// Size returns the usual size of things of a kind.
func (k Kind) Size() int {
	switch k {
	case Land, Structures, Interiors, Ways, Water:
		return Vast
	case Vehicles, Furniture, Plants, Openings:
		return large
	}
	return Small
}

// Kinds finds the kinds of nouns.
type Kinds struct {
	lexicon    *lexicon.Lexicon
	Person     lexicon.Synset
	Implements []lexicon.Synset // which are counted
	Materials  []lexicon.Synset // which are not
	ofHead     map[string]Kind
	OfSynset   map[lexicon.Synset]Kind
}

// NewKinds makes a Kinds from kinds.tsv.
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

// Of returns the kind of a head with its senses, or 0.
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
