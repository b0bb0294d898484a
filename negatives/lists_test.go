package negatives

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/slots"
	"capgraph/schemas"
)

// fromFile are settings that replace objects by those of a list.
func fromFile(t *testing.T, objects string) Options {
	t.Helper()
	o := with(methods.ReplaceObject)
	o.Replacements, o.Lists = FromFile, t.TempDir()
	if err := os.WriteFile(filepath.Join(o.Lists, "objects_vocab.txt"), []byte(objects), 0o644); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestReplacementsFromFile(t *testing.T) {
	c := Caption{Graph: schemas.SceneGraph{
		Objects:   []schemas.Object{object("man"), object("horse")},
		Relations: []schemas.Relation{{Subject: 0, Predicate: "riding", Lemma: "ride", Object: 1}},
	}}
	texts := strings.Join(generateMany(t, fromFile(t, "Lamp,lantern\r\n\n kite \n"), c), "\n")
	for word, want := range map[string]bool{"lamp": true, "kite": true, "lantern": false, "dog": false} {
		if strings.Contains(texts, word) != want {
			t.Errorf("%q stands for another object: %v, want %v: %s", word, !want, want, texts)
		}
	}
}

func TestListsVersion(t *testing.T) {
	a, b := fromFile(t, "lamp\n"), fromFile(t, "kite\n")
	x, err := ListsVersion(&a)
	if err != nil {
		t.Fatal(err)
	}
	if y, err := ListsVersion(&b); err != nil || x == y {
		t.Errorf("other lists have the version %q too, error %v", y, err)
	}
	a.Lists = filepath.Join(a.Lists, "none")
	if _, err := ListsVersion(&a); err == nil || !strings.Contains(err.Error(), a.Lists) {
		t.Errorf("no lists: error %v, want one that names %s", err, a.Lists)
	}
	d := Defaults()
	if v, err := ListsVersion(&d); v != "" || err != nil {
		t.Errorf("without lists: %q, %v", v, err)
	}
}

// TestVisualGenomeLists reads the lists of Visual Genome's 1600 objects, 400
// attributes and 20 relations as they are.
func TestVisualGenomeLists(t *testing.T) {
	const dir = "../../shared/data/vg-vocab/1600-400-20"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("skipped: the lists are not there: ", err)
	}
	l, err := readLists(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.objects) != 1600 || len(l.attributes) != 400 || len(l.relations) != 20 {
		t.Errorf("%d objects, %d attributes, %d relations", len(l.objects), len(l.attributes), len(l.relations))
	}
	if !slices.ContainsFunc(l.objects, func(c slots.Candidate) bool { return c.Text == "skateboard" }) {
		t.Error("no skateboard among the objects")
	}
}

func FuzzReadList(f *testing.F) {
	f.Add("man,person\n\nBus")
	f.Fuzz(func(t *testing.T, text string) {
		for i, c := range readList(text) {
			if c.Text == "" || strings.ContainsAny(c.Text, ",\n") || c.Cum != uint64(i+1) {
				t.Errorf("%q has %+v at %d", text, c, i)
			}
		}
	})
}
