package graphs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/internal/annotated"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// row reads a graph in a short form: "dogs/two/brown/in blue" is an object with a quantity and
// attributes, "dog=it" one with a later mention, "0 sits on 1" a relation. A name is at its first
// place in text, or at its @2nd.
func row(t *testing.T, text string, objects, relations []string) *annotated.Row {
	t.Helper()
	find := func(s string) annotated.Span {
		words, n, _ := strings.Cut(s, "@")
		from := 0
		for range len(n) { // "@2" has one more place to look at
			from = strings.Index(text[from:], words) + from + 1
		}
		at := strings.Index(text[from:], words)
		if at < 0 {
			t.Fatalf("no %q in %q", s, text)
		}
		return annotated.Span{Begin: from + at, End: from + at + len(words)}
	}
	r := &annotated.Row{Source: "coco", Text: text}
	for _, o := range objects {
		parts := strings.Split(o, "/")
		names := strings.Split(parts[0], "=")
		at := find(names[0])
		x := annotated.Object{Name: text[at.Begin:at.End], Begin: at.Begin, End: at.End}
		for _, m := range names[1:] {
			x.Mentions = append(x.Mentions, find(m))
		}
		if len(parts) > 1 {
			x.Quantity.Text = parts[1]
			for _, a := range parts[2:] {
				x.Attributes = append(x.Attributes, annotated.Attribute{Text: a})
			}
		}
		r.Objects = append(r.Objects, x)
	}
	for _, e := range relations {
		w := strings.Fields(e)
		r.Relations = append(r.Relations, annotated.Relation{
			Subject: int(w[0][0] - '0'), Predicate: strings.Join(w[1:len(w)-1], " "), Object: int(w[len(w)-1][0] - '0'),
		})
	}
	return r
}

func TestAnnotatedScoreCounts(t *testing.T) {
	const dogs = "two brown dogs sit on the man’s mat"
	const cats = "a cat sits. the cat looks at it. its cat naps"
	for _, c := range []struct {
		name, text                 string
		got, gold                  []string
		gotR, goldR                []string
		right, found, wants, whole int
	}{
		{"nothing", dogs, nil, nil, nil, nil, 0, 0, 0, 1},
		{"nothing found", dogs, nil, []string{"dogs//brown"}, nil, nil, 0, 0, 2, 0},
		{"auxiliaries and articles make no difference", dogs, []string{"dogs", "mat"}, []string{"dogs", "mat"}, []string{"0 ARE sit on the 1"}, []string{"0 sit on 1"}, 3, 3, 3, 1},
		{"having is has, other words are others", dogs, []string{"dogs", "mat"}, []string{"dogs", "mat"}, []string{"0 having 1", "0 on 1"}, []string{"0 has 1", "0 sit on 1"}, 3, 4, 4, 0},
		{"a predicate of an auxiliary alone is kept", dogs, []string{"dogs", "mat"}, []string{"dogs", "mat"}, []string{"0 is 1"}, []string{"0 are 1"}, 2, 3, 3, 0},
		{"a possessive is no part of a name", dogs, []string{"man’s"}, []string{"man"}, nil, nil, 1, 1, 1, 1},
		{"an object is its last word", dogs, []string{"brown dogs"}, []string{"dogs"}, nil, nil, 1, 1, 1, 1},
		{"quantities are not of the total", dogs, []string{"dogs/two"}, []string{"dogs"}, nil, nil, 1, 1, 1, 1},
		{"a later naming alone is the object", cats, []string{"cat@2"}, []string{"cat=cat@2=it"}, nil, nil, 1, 1, 1, 1},
		{"named twice it is one right and one wrong", cats, []string{"cat", "cat@2"}, []string{"cat=cat@2=it"}, nil, nil, 1, 2, 1, 0},
		{"two later namings are one right and one wrong", cats, []string{"cat@2", "it"}, []string{"cat=cat@2=it"}, nil, nil, 1, 2, 1, 0},
	} {
		s := NewAnnotatedScore()
		missing, extra := s.Add(row(t, c.text, c.got, c.gotR), row(t, c.text, c.gold, c.goldR))
		n := s.All.Total()
		if n != (Count{c.right, c.found, c.wants}) || s.All.Whole != c.whole || s.All.Captions != 1 {
			t.Errorf("%s: counted %+v, %d whole; missing %v, extra %v", c.name, n, s.All.Whole, missing, extra)
		}
		if len(s.Sources) != 1 || s.Sources[0].Total() != n {
			t.Errorf("%s: sources %+v", c.name, s.Sources)
		}
	}
}

func TestUnlabelledRelationsAndQuantities(t *testing.T) {
	const text = "two dogs on a mat and a cat by a mat"
	s := NewAnnotatedScore()
	missing, extra := s.Add(row(t, text, []string{"dogs/2", "mat@2"}, []string{"0 in 1"}), row(t, text, []string{"dogs/two", "mat@2"}, []string{"0 on 1"}))
	if k := s.All.Kinds; k[annotated.UnlabelledTuple] != (Count{1, 1, 1}) || k[annotated.RelationTuple] != (Count{0, 1, 1}) || k[annotated.QuantityTuple] != (Count{0, 1, 1}) {
		t.Errorf("%+v", k)
	}
	if got := fmt.Sprint(missing, extra); got != "[{dogs is × two} {dogs on mat@2}] [{dogs is × 2} {dogs in mat@2}]" {
		t.Error(got)
	}
}

func TestEqualsTheScriptOfTheAnnotations(t *testing.T) {
	const script, gold = "../../../shared/tools/score_written.py", "../../../shared/data/written/graphs.jsonl"
	f, err := os.Open(gold)
	if err != nil {
		t.Skipf("no ../shared/data: %v", err)
	}
	defer f.Close()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("no Python to run the script with: %v", err)
	}
	p, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	out := json.NewEncoder(&lines)
	s := NewAnnotatedScore()
	var parsed schemas.Parsed
	for g, err := range annotated.Read(f, gold) {
		if err != nil {
			t.Fatal(err)
		}
		p.ParseText(g.Text, &parsed)
		got := annotated.FromParsed(g.Text, &parsed)
		s.Add(&got, &g)
		for i := range got.Objects {
			if got.Objects[i].Attributes == nil {
				got.Objects[i].Attributes = []annotated.Attribute{}
			}
		}
		if err := out.Encode(map[string]any{"text": g.Text, "objects": nonNil(got.Objects), "relations": nonNil(got.Relations)}); err != nil {
			t.Fatal(err)
		}
	}
	predicted := filepath.Join(t.TempDir(), "predicted.jsonl")
	if err := os.WriteFile(predicted, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := exec.Command(python, script, gold, predicted).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, table)
	}
	for _, b := range append(s.Sources, s.All) {
		want := fmt.Sprintf("%-6s n=%d tuple_f1 %.1f same %.1f |", b.Name, b.Captions, 100*b.Total().F1(), 100*ratio(b.Whole, b.Captions))
		for k, name := range annotated.TupleNames {
			want += fmt.Sprintf(" %s %.1f", name, 100*b.Kinds[k].F1())
		}
		if !strings.Contains(string(table), want+"\n") {
			t.Errorf("want %s\nin\n%s", want, table)
		}
	}
}

func nonNil[T any](s []T) []T { return append([]T{}, s...) }
