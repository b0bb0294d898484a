package rules

import (
	_ "embed"
	"fmt"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

//go:embed persons.tsv
var personsFile string

//go:embed kinds.tsv
var kindsFile string

// nounTables have the properties of nouns that can name persons or things again.
type nounTables struct {
	persons map[string]personNoun
	kinds   map[string]string // for each general noun the nouns that it may replace
}

// personNoun has the properties of a person that a noun tells.
type personNoun struct {
	sex      byte // 'm', 'f' or 0
	age      byte // 'a' for adult, 'c' for child, or 0
	kind     personKind
	families string // space-separated families; nouns of one family can name the same person
}

// personKind is the way in which a noun names a person.
type personKind uint8

const (
	noPerson personKind = iota
	general             // "woman", "child", "person"
	relative            // by a relation to somebody: "mother", "friend", "opponent"
	role                // by a role: "waiter", "bride"
	doer                // by a visible action: "skater", "guitarist"
)

var personKinds = map[string]personKind{"general": general, "relative": relative, "role": role, "doer": doer}

// readNounTables reads the tables of persons and of kinds.
func readNounTables(persons, kinds string) (t nounTables, err error) {
	t.persons, t.kinds = map[string]personNoun{}, map[string]string{}
	for n, line := range strings.Split(strings.TrimSuffix(persons, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 5 || personKinds[f[3]] == noPerson {
			return t, fmt.Errorf("persons.tsv: line %d: %q: want noun, sex, age, kind, families", n+1, line)
		}
		p := personNoun{kind: personKinds[f[3]], families: " " + f[4] + " "}
		if f[1] != "-" {
			p.sex = f[1][0]
		}
		if f[2] != "-" {
			p.age = f[2][0]
		}
		t.persons[f[0]] = p
	}
	for n, line := range strings.Split(strings.TrimSuffix(kinds, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		noun, words, ok := strings.Cut(line, "\t")
		if !ok {
			return t, fmt.Errorf("kinds.tsv: line %d: %q: want general noun, nouns", n+1, line)
		}
		t.kinds[noun] = " " + words + " "
	}
	return t, nil
}

// nounTraits are the properties of an object that its last word tells.
type nounTraits struct {
	word   string // its singular
	plural bool
	class  uint32 // of WordNet
	personNoun
}

// traitsOf returns the traits of object n.
func (s *Set) traitsOf(ts []tokens.Token, n *analysis.Node) nounTraits {
	t := &ts[n.To-1]
	r := nounTraits{word: t.Low, plural: t.Tag == penn.NNS || t.Tag == penn.NNPS || t.Flags&tokens.NounPlural != 0 && t.Flags&tokens.NounSingular == 0, class: n.Class}
	if r.plural {
		r.word = s.Lexicon.Singular(t)
		if r.class == 0 {
			r.class = s.Lexicon.NounClass(r.word, linear.Hash(r.word))
		}
	}
	p, known := s.nouns.persons[r.word]
	switch {
	case known:
		r.personNoun = p
	case t.IsOneOf(personGroups):
		r.personNoun, r.plural = personNoun{kind: general}, true
	case n.IsPerson:
		r.personNoun = personNoun{kind: role, age: 'a', sex: sexBySuffix(r.word)}
	}
	return r
}

// sexBySuffix returns the sex that the end of a noun tells: "policewoman", "fireman".
func sexBySuffix(noun string) byte {
	switch {
	case strings.HasSuffix(noun, "woman"), strings.HasSuffix(noun, "girl"), strings.HasSuffix(noun, "ess") && len(noun) > 5:
		return 'f'
	case strings.HasSuffix(noun, "man"), strings.HasSuffix(noun, "boy"):
		return 'm'
	}
	return 0
}

// canBeSamePerson reports whether the sex and age of p and q can be those of one person.
func (p *personNoun) canBeSamePerson(q *personNoun) bool {
	return (p.sex == 0 || q.sex == 0 || p.sex == q.sex) && (p.age == 0 || q.age == 0 || p.age == q.age)
}

// shareFamily reports whether both nouns are of one family, such as "skater" and "rider".
func (p *personNoun) shareFamily(q *personNoun) bool {
	for _, f := range strings.Fields(p.families) {
		if f != "-" && wordclass.Has(q.families, f) {
			return true
		}
	}
	return false
}

// mayRename reports whether noun p may name a person again who was first named by noun before: "the
// man" for a skater, but not "the waiter" for a chef.
func (p *personNoun) mayRename(before *personNoun) bool {
	switch {
	case !p.canBeSamePerson(before):
		return false
	case p.kind == general, p.kind == doer && before.kind == general:
		return true
	}
	return p.shareFamily(before)
}

// mayRenameThing reports whether noun may name a thing again that was first named by another noun:
// "the animal" for a horse, "the board" for a skateboard.
func (s *Set) mayRenameThing(noun string, before *nounTraits) bool {
	words := s.nouns.kinds[noun]
	if wordclass.Has(words, "CLASS") {
		return before.class == tokens.ClassAnimal
	}
	return wordclass.Has(words, before.word) || len(noun) > 2 && len(before.word) > len(noun)+2 && strings.HasSuffix(before.word, noun)
}
