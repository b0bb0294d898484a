package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

// exampleNoun is the last noun of an example such as "a man on a beach".
func exampleNoun(w *words, example string) *noun {
	word := example[strings.LastIndexByte(example, ' ')+1:]
	if w.inflect.PluralOnly(word) {
		return w.noun(word)
	}
	return w.noun(w.inflect.Singular(word))
}

// mayBeTrue says, of each table of truth.tsv, whether what a row has may be true along with its example.
var mayBeTrue = map[string]func(w *words, r row) bool{
	"persons":   samePeople,
	"unsaid":    func(w *words, r row) bool { return exampleNoun(w, r.other).unsaid },
	"around":    placesHold,
	"rooms":     placesHold,
	"furnished": comesAnyway,
	"scenery":   comesAnyway,
	"anytime":   holdsToo,
	"alike":     holdsToo,
	"alongside": holdsToo,
	"symmetric": func(w *words, r row) bool {
		a, b := exampleRelation(w, r.example), exampleRelation(w, r.other)
		return a.key == b.key && a.symmetric
	},
}

// isFalse says, of each table of exclusions.tsv, whether what a row has is false where its example is true.
var isFalse = map[string]func(w *words, r row) bool{
	"persons": func(w *words, r row) bool { return !samePeople(w, r) },
	"worn":    func(w *words, r row) bool { return !comesAnyway(w, r) },
	"places": func(w *words, r row) bool {
		a, b := exampleRelation(w, r.example), exampleRelation(w, r.other)
		return w.relationsExclude(a, b) && w.relationsExclude(b, a)
	},
	"done":     isOpposed(anything),
	"people":   isOpposed(person),
	"animals":  isOpposed(animal),
	"vehicles": isOpposed(vehicle),
	"more":     isOpposed(anything),
	"beside":   isOpposed(anything),
	"sorts": func(w *words, r row) bool {
		a, b := w.object(exampleObject(r.example)).noun, w.object(exampleObject(r.other)).noun
		return ofOneSort(a, b) && !sameThing(a, b)
	},
}

// exampleObject is the object of an example such as "a football player".
func exampleObject(example string) *schemas.Object {
	o := object(strings.TrimPrefix(strings.TrimPrefix(example, "a "), "an "))
	return &o
}

func isOpposed(of actor) func(w *words, r row) bool {
	return func(w *words, r row) bool {
		return w.opposed(exampleRelation(w, r.example), exampleRelation(w, r.other), of)
	}
}

func samePeople(w *words, r row) bool { return samePerson(w.noun(r.example), w.noun(r.other)) }

func placesHold(w *words, r row) bool {
	return exampleNoun(w, r.example).setting.mayHave(exampleNoun(w, r.other).setting)
}

func comesAnyway(w *words, r row) bool {
	s := objectSlot(w, r.example)
	s.noun = exampleNoun(w, r.example)
	return s.anyway(exampleNoun(w, r.other))
}

func holdsToo(w *words, r row) bool {
	a, b := exampleRelation(w, r.example), exampleRelation(w, r.other)
	return !w.relationsExclude(a, b) && !w.relationsExclude(b, a)
}

// TestEachRowOfTheTables takes each row away: without it, its example says nothing of what it has.
func TestEachRowOfTheTables(t *testing.T) {
	vocab := newTestWords(t).vocab
	each := func(file string, tables map[string]table, holds map[string]func(w *words, r row) bool) {
		for name, rows := range tables {
			if holds[name] == nil {
				t.Fatalf("%s has a table %q that no test knows", file, name)
			}
			for i, r := range rows {
				if !holds[name](newWords(vocab), r) {
					t.Errorf("%s, %s: %q does not have %q", file, name, r.example, r.other)
				}
				rows[i] = row{}
				if holds[name](newWords(vocab), r) {
					t.Errorf("%s, %s: %q has %q without the row too", file, name, r.example, r.other)
				}
				rows[i] = r
			}
		}
	}
	each("truth.tsv", truths, mayBeTrue)
	each("exclusions.tsv", exclusions, isFalse)
}

// TestTablesAreWellFormed reads every line that is no comment as a row, and no more rows than there are bits.
func TestTablesAreWellFormed(t *testing.T) {
	for _, file := range []string{truthFile, exclusionsFile} {
		rows := 0
		for line := range strings.Lines(file) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			rows++
			f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(f) != 5 || f[1] == "" || f[3] == "" || f[4] == "" {
				t.Errorf("%q: want a table, words, others, an example and what is then true or false", line)
				continue
			}
			for _, list := range f[1:3] {
				if words := strings.Split(list, " "); list != "" && slices.Contains(words, "") {
					t.Errorf("%q has more than a space between two words", list)
				}
			}
		}
		for name, table := range readTables(file) {
			if rows -= len(table); len(table) > 64 {
				t.Errorf("%s has %d rows and 64 bits", name, len(table))
			}
		}
		if rows != 0 {
			t.Errorf("%d lines are in no table", rows)
		}
	}
}

// TestNotTrueAnyway makes no more true than the tables say.
func TestNotTrueAnyway(t *testing.T) {
	w := newTestWords(t)
	for _, pair := range [][2]string{{"sitting on", "walking on"}, {"eating", "catching"}, {"riding", "feeding"}} {
		if !w.relationsExclude(w.relationOf(pair[0], ""), w.relationOf(pair[1], "")) {
			t.Errorf("%q does not exclude %q", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"man", "woman"}, {"boy", "girl"}, {"man", "boy"}, {"woman", "child"}, {"man", "dog"}} {
		if samePerson(w.noun(pair[0]), w.noun(pair[1])) {
			t.Errorf("%q can be said of a %q", pair[0], pair[1])
		}
	}
	for _, example := range []string{"a man riding a horse", "a cat on a table", "a man feeding a dog"} {
		if exampleRelation(w, example).symmetric {
			t.Errorf("%q is symmetric", example)
		}
	}
	for _, pair := range [][2]string{{"kitchen", "bathroom"}, {"beach", "street"}, {"field", "kitchen"}, {"kitchen", "bed"}, {"plate", "table"}} {
		if settingOf(pair[0]).mayHave(settingOf(pair[1])) {
			t.Errorf("a %s may be by a %s", pair[1], pair[0])
		}
	}
}
