package graphs

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"capgraph/scenegraph"
)

func triples(t *testing.T, s string) []Triple {
	t.Helper()
	ts, err := scenegraph.ParseTriples(s)
	if err != nil {
		t.Fatal(err)
	}
	return ts
}

func newScore(t *testing.T) *Score {
	t.Helper()
	s, err := NewScore()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestScoreCountsTuples(t *testing.T) {
	for _, c := range []struct {
		name, got, gold     string
		right, found, wants int
		match               bool
	}{
		{"equal in another order", "( a , on , b ) , ( a , is , red )", "( a , is , red ) , ( a , on , b )", 4, 4, 4, true},
		{"both empty", "", "", 0, 0, 0, true},
		{"an object said twice", "( a ) , ( a )", "( a )", 1, 1, 1, true},
		{"a predicate differs", "( a , on , b )", "( a , in , b )", 2, 3, 3, false},
		{"nothing found", "", "( a , is , red )", 0, 0, 2, false},
	} {
		s := newScore(t)
		missing, extra := s.Add(3, triples(t, c.got), triples(t, c.gold))
		if n := s.All.Total(); n != (Count{c.right, c.found, c.wants}) {
			t.Errorf("%s: counted %+v", c.name, n)
		}
		if match := s.All.Matches == 1; match != c.match || match != (len(missing)+len(extra) == 0) {
			t.Errorf("%s: match %v, missing %v, extra %v", c.name, match, missing, extra)
		}
		if s.Bins[0].Captions != 1 || s.Bins[1].Captions != 0 {
			t.Errorf("%s: counted in another bin of lengths", c.name)
		}
	}
}

func TestMeanF1WeighsCaptionsAlike(t *testing.T) {
	s := newScore(t)
	s.Add(3, triples(t, "( a )"), triples(t, "( b )"))
	s.Add(3, triples(t, "( a , on , b ) , ( a , is , red )"), triples(t, "( a , on , b ) , ( a , is , red )"))
	s.Add(12, nil, nil)
	if f1 := s.All.Total().F1(); f1 != 0.8 {
		t.Errorf("F1 of all tuples is %v, want 4 right of 5 found and 5 in the gold", f1)
	}
	if f1 := s.All.MeanF1(); f1 != 2./3 {
		t.Errorf("mean F1 is %v, want that of 0, 1 and 1", f1)
	}
	if f1 := s.Bins[0].MeanF1(); f1 != 0.5 {
		t.Errorf("mean F1 of 1-4 words is %v, want that of 0 and 1", f1)
	}
	if f1 := s.Bins[1].MeanF1(); f1 != 0 {
		t.Errorf("mean F1 of no captions is %v", f1)
	}
}

func TestMissesByKind(t *testing.T) {
	for kind, c := range map[string][2]string{
		"relations turned":     {"( a , on , b )", "( b , on , a )"},
		"predicates":           {"( a , on , b )", "( a , in , b )"},
		"attributes":           {"( a , is , red )", "( a )"},
		"objects missing":      {"( a )", "( a ) , ( b )"},
		"objects extra":        {"( a ) , ( b )", "( a )"},
		"relations missing":    {"( a ) , ( b )", "( a , on , b )"},
		"split, merged":        {"( a b )", "( a ) , ( b )"},
		"relations extra":      {"( a , on , b )", "( a ) , ( b )"},
		"between other":        {"( a , on , b ) , ( c )", "( a , on , c ) , ( b )"},
		"attributes and relat": {"( a , is , b ) , ( c )", "( a , on , c )"},
	} {
		s := newScore(t)
		m := NewMisses(1)
		missing, extra := s.Add(3, triples(t, c[0]), triples(t, c[1]))
		m.Add(Miss{"caption", missing, extra})
		m.Add(Miss{"another", missing, extra})
		var out bytes.Buffer
		if err := m.Write(&out, "gold", "parser"); err != nil {
			t.Fatal(err)
		}
		if first, _, _ := strings.Cut(strings.TrimSpace(out.String()), "\n"); !strings.Contains(first, kind) || !strings.HasSuffix(first, ": 2") {
			t.Errorf("%s: filed under %q", kind, first)
		}
		if !strings.Contains(out.String(), "caption") || strings.Contains(out.String(), "another") || !strings.Contains(out.String(), "and 1 more") {
			t.Errorf("one of two is not shown: %q", out.String())
		}
	}
}

func TestReadGold(t *testing.T) {
	const gold = "image_id,region_id,caption,scene_graph\n1,2,a wall,( wall )\n1,3,broken,( wall\n1,4,\"a, b\",\n"
	var captions []string
	skipped := 0
	for g, err := range ReadGold(strings.NewReader(gold), "gold.csv", func(row int, err error) { skipped = row }) {
		if err != nil {
			t.Fatal(err)
		}
		captions = append(captions, g.Caption)
	}
	if strings.Join(captions, "|") != "a wall|a, b" || skipped != 2 {
		t.Errorf("read %q, left out row %d", captions, skipped)
	}
	for _, err := range ReadGold(strings.NewReader(gold), "gold.csv", nil) {
		if err != nil && !strings.Contains(err.Error(), "row 2") {
			t.Errorf("error does not name the row: %v", err)
		}
	}
	for _, err := range ReadGold(strings.NewReader("id,text\n1,2\n"), "gold.csv", nil) {
		if err == nil || !strings.Contains(err.Error(), "scene_graph") {
			t.Errorf("header without columns: %v", err)
		}
	}
}

func TestReadGoldOfJSON(t *testing.T) {
	read := func(file string) (captions []string, skipped int, err error) {
		for g, e := range ReadGold(strings.NewReader(file), "gold.json", func(row int, _ error) { skipped = row }) {
			if e != nil {
				return captions, skipped, e
			}
			captions = append(captions, fmt.Sprint(g.Caption, g.Triples))
		}
		return captions, skipped, nil
	}
	const two = ` [{"caption": "A wall. It is red.", "scene_graph": "( wall , is , red )"}, {"caption": "broken", "scene_graph": "( wall"}`
	captions, skipped, err := read(two + "]\n")
	if err != nil || len(captions) != 1 || captions[0] != "A wall. It is red.[{wall is red}]" || skipped != 2 {
		t.Errorf("read %q, left out row %d, %v", captions, skipped, err)
	}
	for file, want := range map[string]string{
		two:                       "gold.json: is cut off",
		two + ", 7]":              "gold.json: row 3: ",
		`[{"scene_graph": ""}]`:   "row 1: no caption",
		two + `, {"caption": "x"`: "gold.json: row 3: ",
	} {
		if _, _, err := read(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if captions, _, err := read("[]"); err != nil || len(captions) != 0 {
		t.Errorf("no rows: %q, %v", captions, err)
	}
}

func FuzzReadGold(f *testing.F) {
	f.Add([]byte("caption,scene_graph\na wall,( wall )\n"))
	f.Add([]byte(`[{"caption": "a wall", "scene_graph": "( wall )"}]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		for g, err := range ReadGold(bytes.NewReader(b), "gold", nil) {
			if err == nil {
				scenegraph.Tuples(g.Triples)
			}
		}
	})
}
