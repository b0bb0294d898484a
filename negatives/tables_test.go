package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/truth"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// exampleNoun is the last noun of an example such as "a man on a beach".
func exampleNoun(w *words.Cache, example string) *words.Noun {
	word := example[strings.LastIndexByte(example, ' ')+1:]
	if w.Inflect.IsPluralOnly(word) {
		return w.Noun(word)
	}
	return w.Noun(w.Inflect.Singular(word))
}

// mayBeTrue says, of each table of truth.tsv, whether what a row has may be true along with its example.
var mayBeTrue = map[string]func(w *words.Cache, r truth.Row) bool{
	"persons":   samePeople,
	"unsaid":    func(w *words.Cache, r truth.Row) bool { return exampleNoun(w, r.Other).Unsaid },
	"around":    placesHold,
	"rooms":     placesHold,
	"furnished": comesAnyway,
	"scenery":   comesAnyway,
	"anytime":   holdsToo,
	"alike":     holdsToo,
	"alongside": holdsToo,
	"symmetric": func(w *words.Cache, r truth.Row) bool {
		a, b := exampleRelation(w, r.Example), exampleRelation(w, r.Other)
		return a.Key == b.Key && a.Symmetric
	},
}

// isFalse says, of each table of exclusions.tsv, whether what a row has is false if its example is true.
var isFalse = map[string]func(w *words.Cache, r truth.Row) bool{
	"persons": func(w *words.Cache, r truth.Row) bool { return !samePeople(w, r) },
	"worn":    func(w *words.Cache, r truth.Row) bool { return !comesAnyway(w, r) },
	"places": func(w *words.Cache, r truth.Row) bool {
		a, b := exampleRelation(w, r.Example), exampleRelation(w, r.Other)
		return w.RelationsExclude(a, b) && w.RelationsExclude(b, a)
	},
	"done":     isOpposed(truth.Anything),
	"people":   isOpposed(truth.Person),
	"animals":  isOpposed(truth.Animal),
	"vehicles": isOpposed(truth.Vehicle),
	"directed": func(w *words.Cache, r truth.Row) bool {
		f := strings.Fields(r.Example)
		return exampleRelation(w, r.Example).IsDirected(w.Noun(f[1]), exampleNoun(w, r.Example))
	},
	"more":   isOpposed(truth.Anything),
	"beside": isOpposed(truth.Anything),
	"sorts": func(w *words.Cache, r truth.Row) bool {
		a, b := w.Object(exampleObject(r.Example)).Noun, w.Object(exampleObject(r.Other)).Noun
		return words.OfOneSort(a, b) && !words.SameThing(a, b)
	},
}

// exampleObject is the object of an example such as "a football player".
func exampleObject(example string) *schemas.Object {
	o := object(strings.TrimPrefix(strings.TrimPrefix(example, "a "), "an "))
	return &o
}

func isOpposed(of truth.Actor) func(w *words.Cache, r truth.Row) bool {
	return func(w *words.Cache, r truth.Row) bool {
		return w.Opposed(exampleRelation(w, r.Example), exampleRelation(w, r.Other), of)
	}
}

func samePeople(w *words.Cache, r truth.Row) bool {
	return words.MayBeSamePerson(w.Noun(r.Example), w.Noun(r.Other))
}

func placesHold(w *words.Cache, r truth.Row) bool {
	return exampleNoun(w, r.Example).Setting.MayHave(exampleNoun(w, r.Other).Setting)
}

func comesAnyway(w *words.Cache, r truth.Row) bool {
	s := objectSlot(w, r.Example)
	s.noun = exampleNoun(w, r.Example)
	return s.isTrueRegardless(exampleNoun(w, r.Other))
}

func holdsToo(w *words.Cache, r truth.Row) bool {
	a, b := exampleRelation(w, r.Example), exampleRelation(w, r.Other)
	return !w.RelationsExclude(a, b) && !w.RelationsExclude(b, a)
}

// TestEachRowOfTheTables takes each row away: without it, its example says nothing of what it has.
func TestEachRowOfTheTables(t *testing.T) {
	vocab := newTestWords(t).Vocab
	each := func(file string, tables map[string]truth.Table, holds map[string]func(w *words.Cache, r truth.Row) bool) {
		for name, rows := range tables {
			if holds[name] == nil {
				t.Fatalf("%s has a table %q that no test knows", file, name)
			}
			for i, r := range rows {
				if !holds[name](words.New(vocab), r) {
					t.Errorf("%s, %s: %q does not have %q", file, name, r.Example, r.Other)
				}
				rows[i] = truth.Row{}
				if holds[name](words.New(vocab), r) {
					t.Errorf("%s, %s: %q has %q without the row too", file, name, r.Example, r.Other)
				}
				rows[i] = r
			}
		}
	}
	each("truth.tsv", truth.Truths, mayBeTrue)
	each("exclusions.tsv", truth.Exclusions, isFalse)
}

// TestEachRowOfFillers takes each row of fillers.tsv away: without it, the noun may fill the end.
func TestEachRowOfFillers(t *testing.T) {
	w := newTestWords(t)
	for i, r := range truth.Fillers {
		excludes := func() bool {
			s := subjectSlot(w, r.Example)
			if r.IsObject {
				s = objectSlot(w, r.Example)
			}
			return s.excludedKinds()>>w.Noun(r.Wrong).Kind&1 == 1
		}
		if !excludes() {
			t.Errorf("%q: a %s may fill the end", r.Example, r.Wrong)
		}
		truth.Fillers[i] = truth.Filler{}
		if excludes() {
			t.Errorf("%q: a %s may not fill the end without the row either", r.Example, r.Wrong)
		}
		truth.Fillers[i] = r
	}
}

// TestTablesAreWellFormed reads every line that is no comment as a row, and no more rows than there are bits.
func TestTablesAreWellFormed(t *testing.T) {
	for _, file := range []string{truth.TruthFile, truth.ExclusionsFile} {
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
		for name, table := range truth.ReadTables(file) {
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
		if !w.RelationsExclude(w.RelationOf(pair[0], ""), w.RelationOf(pair[1], "")) {
			t.Errorf("%q does not exclude %q", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"man", "woman"}, {"boy", "girl"}, {"man", "boy"}, {"woman", "child"}, {"man", "dog"}} {
		if words.MayBeSamePerson(w.Noun(pair[0]), w.Noun(pair[1])) {
			t.Errorf("%q can be said of a %q", pair[0], pair[1])
		}
	}
	for _, example := range []string{"a man riding a horse", "a cat on a table", "a man feeding a dog"} {
		if exampleRelation(w, example).Symmetric {
			t.Errorf("%q is symmetric", example)
		}
	}
	for _, pair := range [][2]string{{"kitchen", "bathroom"}, {"beach", "street"}, {"field", "kitchen"}, {"kitchen", "bed"}, {"plate", "table"}} {
		if truth.SettingOf(pair[0]).MayHave(truth.SettingOf(pair[1])) {
			t.Errorf("a %s may be by a %s", pair[1], pair[0])
		}
	}
}
