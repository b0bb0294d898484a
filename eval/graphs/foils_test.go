package graphs

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestReadFoils(t *testing.T) {
	file, err := os.Open("testdata/discourse_foil.json") // made, with the fields of DiscourseFOIL-200.json
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	in := NewGoldReader(file)
	if !IsFoils(in) || IsAnnotated(in) {
		t.Fatal("not taken for foils")
	}
	var got []string
	for f, err := range ReadFoils(in, "foils") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(f.Fixed, " ", f.Hallucination, " ", len(f.Reference) > 0, f.Right != f.Foiled))
	}
	if want := "true a red sofa true true|true A dog runs behind them true true|false THE DAILY true false|true It seems to be raining true true"; strings.Join(got, "|") != want {
		t.Errorf("got %q", got)
	}
}

func TestFoilsOfAnotherFormAreNamed(t *testing.T) {
	const row = `{"caption": "a", "hall_caption": "b", "human_corrected_hall_caption": "c", "hallucination": 1}`
	for _, c := range []struct{ file, want string }{
		{`[{"caption": "a", "hall_caption": "b"}]`, "foils: row 1: lacks caption, hall_caption or human_corrected_hall_caption"},
		{"[" + row + "]", "foils: row 1: json: cannot unmarshal number"},
		{`[` + strings.Replace(row, "1", `""`, 1) + `,`, "foils: row 2: "},
		{`[` + strings.Replace(row, "1", `""`, 1), "foils: is cut off"},
		{`"x"`, "foils: is not a JSON array"},
		{``, "foils: EOF"},
	} {
		var last error
		for _, err := range ReadFoils(strings.NewReader(c.file), "foils") {
			last = err
		}
		if last == nil || !strings.Contains(last.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.file, last, c.want)
		}
	}
	for _, gold := range []string{`[{"caption": "a", "scene_graph": "( a )"}]`, `[{"caption": "\"hall_caption\""}]`, `{"hall_caption": ""}`, "caption,scene_graph\n", ""} {
		if IsFoils(NewGoldReader(strings.NewReader(gold))) {
			t.Errorf("%q is taken for foils", gold)
		}
	}
}

func TestFoilScore(t *testing.T) {
	s, err := NewFoilScore()
	if err != nil {
		t.Fatal(err)
	}
	add := func(reference, foiled, right string) {
		s.Add(triples(t, reference), triples(t, foiled), triples(t, right))
	}
	add("( sofa , is , green )", "( sofa , is , red )", "( sofa , is , green )")
	add("( sofa )", "( couch )", "( sofa )") // synonyms: a tie of SPICE, which is wrong
	add("( dog )", "( dog )", "( dog , is , brown )")
	add("( dog )", "", "")
	s.Unfixed = 2
	var out bytes.Buffer
	if err := s.WriteTable(&out); err != nil {
		t.Fatal(err)
	}
	want := `4 pairs; 2 rows without a correction left out

             accuracy   ties  right captions  foiled captions
SPICE            25.0   50.0            66.7             62.5
tuple F1         50.0   25.0            66.7             37.5
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func FuzzReadFoils(f *testing.F) {
	if data, err := os.ReadFile("testdata/discourse_foil.json"); err == nil {
		f.Add(string(data))
	}
	f.Add(`[{"fixed": true}]`)
	f.Fuzz(func(t *testing.T, data string) {
		for foil, err := range ReadFoils(strings.NewReader(data), "x") {
			if err == nil && (foil.Reference == "" || foil.Foiled == "" || foil.Right == "") {
				t.Errorf("%+v", foil)
			}
		}
	})
}
