package inspect

import (
	"bytes"
	"testing"

	"capgraph/folder"
	"capgraph/schemas"
)

func TestDifferenceMarksWords(t *testing.T) {
	for _, c := range []struct{ a, b, inA, inB string }{
		{"a red bus", "a blue bus", "a [red] bus", "a [blue] bus"},
		{"a dog on a mat", "a mat on a dog", "a [dog] on a [mat]", "a [mat] on a [dog]"},
		{"same", "same", "same", "same"},
		{"", "new words", "", "[new words]"},
		{"größe zählt", "größe", "größe [zählt]", "größe"},
		{"a cat.", "a cat", "a [cat.]", "a [cat]"},
	} {
		a, b := Diff(c.a, c.b)
		if got := Mark(a, "[", "]"); got != c.inA {
			t.Errorf("%q | %q: first is %q, want %q", c.a, c.b, got, c.inA)
		}
		if got := Mark(b, "[", "]"); got != c.inB {
			t.Errorf("%q | %q: second is %q, want %q", c.a, c.b, got, c.inB)
		}
	}
}

func TestTreeShowsEveryObjectAttributeAndRelation(t *testing.T) {
	g := schemas.SceneGraph{
		Objects: []schemas.Object{
			{Name: "men", Quantity: "two", Attributes: []schemas.Attribute{{Text: "tall", Form: schemas.Pre}}},
			{Name: "bikes", Attributes: []schemas.Attribute{{Text: "red", Form: schemas.Pre}}},
		},
		Relations: []schemas.Relation{{Subject: 0, Lemma: "ride", Predicate: "riding", Object: 1}},
	}
	want := "0 men (two)\n  ├─ is tall\n  └─ ride → 1 bikes\n1 bikes\n  └─ is red\n"
	var out bytes.Buffer
	WriteTree(&out, &g)
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	out.Reset()
	WriteTree(&out, &schemas.SceneGraph{})
	if out.String() != "(no objects)\n" {
		t.Errorf("an empty graph is drawn as %q", out.String())
	}
}

func TestRowsAreDrawnOnceAndAlike(t *testing.T) {
	shards := []*folder.Entry{{Shard: "a", RowsOut: 3}, {Shard: "b", RowsOut: 0}, {Shard: "c", RowsOut: 4}}
	for _, n := range []int{0, 1, 5, 7, 50} {
		rows := SampleRows(shards, n, 7)
		if len(rows) != min(n, 7) {
			t.Fatalf("%d rows wanted, %d drawn", n, len(rows))
		}
		seen := map[schemas.RowRef]bool{}
		for i, r := range rows {
			if seen[r] {
				t.Errorf("row %v was drawn twice", r)
			}
			seen[r] = true
			if r.Shard == "b" || r.Shard == "a" && r.Row > 2 || r.Shard == "c" && r.Row > 3 || r.Row < 0 {
				t.Errorf("row %v is not there", r)
			}
			if again := SampleRows(shards, n, 7); again[i] != r {
				t.Errorf("the same seed drew %v and %v", r, again[i])
			}
		}
	}
}
