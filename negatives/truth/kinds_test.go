package truth

import (
	"testing"

	"capgraph/internal/lexicon"
)

func TestKindExamples(t *testing.T) {
	lex, err := lexicon.Open()
	if err != nil {
		t.Fatal(err)
	}
	if len(kinds) != KindCount {
		t.Fatalf("%d kinds have rows, of %d", len(kinds), KindCount)
	}
	of := NewKinds(lex)
	check := func(head string, want Kind) {
		if got := of.Of(head, lex.NounSenses(head)); got != want {
			t.Errorf("%q is of kind %d, want %d", head, got, want)
		}
	}
	for i, row := range kinds {
		check(row.example, Kind(i))
		for _, noun := range row.nouns {
			if noun != "" && lex.NounSenses(noun) == nil {
				t.Errorf("%q is no noun", noun)
			}
		}
	}
	for _, thing := range []string{"monitor", "vase", "umbrella", "controller", "snowflake"} {
		check(thing, 0)
	}
}
