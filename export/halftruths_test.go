package export

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
	"capgraph/store"
)

// tagWords tags the words of a list as nouns, and all others as none.
func tagWords(text string) (tokens []schemas.Token, err error) {
	at := 0
	for _, word := range strings.Fields(text) {
		tag := "DT"
		if slices.Contains([]string{"dog", "couch", "bench", "horse", "ball"}, word) {
			tag = "NN"
		}
		tokens = append(tokens, schemas.Token{Begin: int32(at), End: int32(at + len(word)), Tag: tag, Lemma: word})
		at += len(word) + 1
	}
	return tokens, nil
}

func halfTruths(t *testing.T, rows []*Row, o HalfTruthOptions) (Summary, string, error) {
	t.Helper()
	o.Tag = tagWords
	out := filepath.Join(t.TempDir(), "half.jsonl")
	s, err := WriteHalfTruths(t.Context(), Options{Store: store.Local{}, Dir: writeTexts(t, map[string][]*Row{"0": rows}), Output: out}, o)
	if err != nil {
		return s, "", err
	}
	return s, read(t, out), nil
}

func TestHalfTruths(t *testing.T) {
	s, out, err := halfTruths(t, kitchen(), HalfTruthOptions{})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	wantJSON(t, lines[1], `{"id":"1 relation","image":"a.jpg","caption":"A brown dog sits on a ‘red’ couch.",`+
		`"anchor":"a brown dog","half_truth":"a brown dog is under a couch","full_truth":"a brown dog is on a couch","triplet_type":"relation"}`)
	if s.Rows != 3 || s.Written != 2 || len(lines) != 2 || fmt.Sprint(s.LeftOut) != "[{no part to begin with and another with a negative 2}]" {
		t.Errorf("%+v: %s", s, out)
	}

	entities := map[string]bool{}
	for seed := range uint64(16) {
		_, out, err := halfTruths(t, kitchen(), HalfTruthOptions{Seed: seed})
		_, again, _ := halfTruths(t, kitchen(), HalfTruthOptions{Seed: seed})
		if err != nil || out != again {
			t.Fatalf("seed %d: %v: %s, then %s", seed, err, out, again)
		}
		_, entity, _ := strings.Cut(strings.Split(out, "\n")[0], `"anchor":`)
		entities[entity] = true
	}
	// "a couch and a brown puppy" beside "a couch and a brown dog", and so on: each pair of parts.
	if len(entities) != 3 {
		t.Errorf("%d kinds of entities: %v", len(entities), entities)
	}
}

func TestHalfTruthsOfOneThing(t *testing.T) {
	// "a dog" and "a brown dog" may be one dog; what a join adds is two things.
	object := schemas.KindObject
	rows := []*Row{
		parts("1", "a.jpg", "a dog, brown", [][2]string{{object, "a dog"}, {object, "a brown dog"}}, negative(1, "object", "a horse")),
		parts("2", "b.jpg", "a ball near a dog", [][2]string{{object, "a dog"}, {object, "a ball"}}, negative(2, "object", "a dog"), negative(2, "join", "a ball and a horse")),
	}
	if _, out, err := halfTruths(t, rows, HalfTruthOptions{}); !errors.Is(err, ErrNoHalfTruths) {
		t.Errorf("%v: %s", err, out)
	}
}

func TestHalfTruthsLimit(t *testing.T) {
	var rows []*Row
	for i := range 1200 {
		r := *kitchen()[0]
		r.Key = fmt.Sprint(i)
		rows = append(rows, &r)
	}
	_, all, err := halfTruths(t, rows, HalfTruthOptions{Seed: 3})
	s, some, err2 := halfTruths(t, rows, HalfTruthOptions{Seed: 3, Limit: 10})
	if err != nil || err2 != nil || s.Written != 10 || strings.Count(some, "\n") != 10 {
		t.Fatal(err, err2, s, some)
	}
	rest := all
	for line := range strings.Lines(some) {
		_, after, found := strings.Cut(rest, line)
		if !found {
			t.Fatalf("not a sample in order: %s", line)
		}
		rest = after
	}
	if some == all[:len(some)] {
		t.Error("the limit keeps the first cases, not a sample")
	}
}

func TestHalfTruthsRefuses(t *testing.T) {
	nameless := *kitchen()[0]
	nameless.Key, nameless.Image = "", ""
	if _, _, err := halfTruths(t, []*Row{&nameless}, HalfTruthOptions{}); err == nil || !strings.Contains(err.Error(), "no row names an image") {
		t.Errorf("without names: %v", err)
	}
	named := *kitchen()[0]
	named.Image = ""
	if _, out, err := halfTruths(t, []*Row{&named}, HalfTruthOptions{}); err != nil || !strings.Contains(out, `"image":"1"`) {
		t.Errorf("by key: %v: %s", err, out)
	}
	o := Options{Store: store.Local{}, Dir: filepath.Join(t.TempDir(), "nowhere"), Output: "-"}
	if _, err := WriteHalfTruths(t.Context(), o, HalfTruthOptions{Tag: tagWords}); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("without a folder: %v", err)
	}
	o.Dir = t.TempDir()
	var none *NoTextsError
	if _, err := WriteHalfTruths(t.Context(), o, HalfTruthOptions{Tag: tagWords}); !errors.As(err, &none) {
		t.Errorf("without texts: %v", err)
	}
}
