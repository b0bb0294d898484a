package negatives

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestForms reads the same pair in each form.
func TestForms(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"negclip.tsv":  {"\ttitle\tfilepath\tneg_caption\tneg_image\n0\tA red dog\ta.jpg\t['A blue dog', 'A red cat']\t[]\n", "a.jpg A red dog: A blue dog/0 A red cat/0"},
		"plain.csv":    {"image,caption,negative\na.jpg,\"A red, big dog\",\"A blue, big dog\"\n", "a.jpg A red, big dog: A blue, big dog/0"},
		"none.csv":     {"image,caption,negative\na.jpg,A dog,\nb.jpg,A cat,[]\n", "a.jpg A dog:|b.jpg A cat:"},
		"ceclip.json":  {`[{"image_id": 7, "caption": "A red dog", "relation_aug_caption": "###", "adj_aug_caption": "A blue dog", "noun_aug_caption": "A red <mask>", "valid_caption": [1]}]`, "7 A red dog: A blue dog/0"},
		"degla.jsonl":  {"{\"image_path\": \"a.jpg\", \"caption\": \"A red dog\", \"adj_relation_aug_caption\": \"A blue dog\"}\n\n{\"caption\": \"x\", \"noun_aug_caption\": null}\n", "a.jpg A red dog: A blue dog/0|degla.jsonl, line 2 x:"},
		"csclip.json":  {`[{"image_path": "a.jpg", "original_caption": "A dog on a mat", "entities": ["a dog", "a mat"], "negative_entities": {"a dog": [{"negative": "a cat", "change_type": "object"}, "a cow"]}, "relations": [{"subject": "a dog", "relation_type": "is_on", "object": "a mat", "negatives": [{"relation_type": "is under"}, {"subject": "a mat", "object": "a dog", "change_type": "subject_object_swap"}]}]}]`, "a.jpg A dog on a mat: a cat/1 a cow/1 a dog is under a mat/2 a mat is on a dog/2"},
		"archive.json": {`[{"image_path": "a.jpg", "original_caption": "A dog", "negative_components": {"a dog": ["a cat"]}}]`, "a.jpg A dog: a cat/1"},
		"sugar.json":   {` {"0": {"filename": "a.jpg", "caption": "A red dog", "negative_caption": "A blue dog"}}`, "a.jpg A red dog: A blue dog/0"},
		"list.json":    {`[{"filename": "a.jpg", "caption": "A red dog", "negative_captions": ["A blue dog"]}]`, "a.jpg A red dog: A blue dog/0"},
		"empty.json":   {`[]`, ""},
	} {
		rows, err := collect(Read(write(t, name, c.content)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got []string
		for _, r := range rows {
			text := r.Image + " " + r.Positives[0] + ":"
			for _, n := range r.Negatives {
				text += fmt.Sprintf(" %s/%d", n.Text, n.Of)
			}
			got = append(got, text)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for name, c := range map[string]struct{ content, want string }{
		"a.csv":   {"image,text\n", `no column "title"`},
		"b.csv":   {"image,caption,negative\na,b,c\nd\n", "b.csv, row 2"},
		"c.csv":   {"image,caption,negative\na,b,['x\n", "c.csv, row 1"},
		"d.json":  {`[{"caption": "a"}]`, "d.json, item 1: no negatives"},
		"e.json":  {`[{"negative_caption": "a"}]`, "e.json, item 1: no caption"},
		"f.json":  {`[{"caption": "a", "negative_caption": "b"}`, "f.json: cut off"},
		"g.json":  {`[{"caption": "a", "negative_caption": 5}]`, "key negative_caption: want a text or a list"},
		"h.json":  {`[{"caption": "a", "relations": {}}]`, "relations: want a list"},
		"i.jsonl": {"{\"caption\": \"a\", \"negative_caption\": \"b\"}\n{", "i.jsonl, line 2"},
		"j.json":  {"", "not a JSON object"},
	} {
		if _, err := collect(Read(write(t, name, c.content))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func FuzzDecodeForms(f *testing.F) {
	f.Add(`[{"image_id": 7, "caption": "a", "adj_aug_caption": "b"}]`)
	f.Add(`{"caption": "a", "negative_entities": {"a": ["b", {"negative": "c"}]}, "relations": [{"negatives": [{}]}]}`)
	f.Add("image,caption,negative\na,b,['c']\n")
	f.Fuzz(func(t *testing.T, s string) {
		for _, rows := range []func(func(Row, error) bool){decodeJSON(strings.NewReader(s), "f"), decodeJSONLines(strings.NewReader(s), "f"), decodeTable(strings.NewReader(s), "f", ',')} {
			for row, err := range rows {
				if err != nil {
					break
				}
				for _, n := range row.Negatives {
					if n.Of < 0 || n.Of >= len(row.Positives) {
						t.Errorf("%+v", row)
					}
				}
			}
		}
	})
}

func TestTables(t *testing.T) {
	tables, err := NewTables()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		positive, negative string
		known, mayBeTrue   bool
	}{
		{"A dog on a mat.", "a puppy on a mat", true, true},
		{"a flight of steps", "a flight of stairs", true, true},
		{"a dog on a mat", "a cat on a mat", true, false},
		{"a red bus", "a blue bus", true, false},
		{"a red bus", "a large bus", true, true},
		{"a red and black bike", "a black and red bike .", true, true},
		{"a sink next to two mirrors", "a mirrors next to two sink", true, true},
		{"a fence by a beach", "a beach by a fence", true, true},
		{"a dog on a mat", "a mat on a dog", true, false},
		{"a dog on a mat", "a dog under a mat", true, false},
		{"a man walking", "a man sitting", false, false},
		{"a clock on top of a shelf", "a clock in front of a shelf", false, false},
		{"a man", "two men", false, false},
		{"the same", "the same", false, false},
		{"", "", false, false},
		{"日本", "猫 café", false, false},
	} {
		if known, may := tables.Judge(c.positive, c.negative); known != c.known || may != c.mayBeTrue {
			t.Errorf("%q beside %q: %v, %v", c.negative, c.positive, known, may)
		}
	}
}

// TestAudit measures negatives of which words, their order, and the tables tell much.
func TestAudit(t *testing.T) {
	var good, bad strings.Builder
	colours := []string{"red", "blue", "green", "black", "white"}
	animals := []string{"dog", "cat", "cow", "horse", "bird", "sheep", "goat"}
	for i := range 300 {
		caption := fmt.Sprintf("a %s %s on a %s mat", colours[i%5], animals[i%7], colours[(i/5)%5])
		fmt.Fprintf(&good, "{\"image\": \"%d\", \"caption\": %q, \"negative\": %q}\n", i, caption, strings.Replace(caption, animals[i%7], animals[(i+3)%7], 1))
		fmt.Fprintf(&bad, "{\"image\": \"%d\", \"caption\": %q, \"negative\": [%q, %q]}\n", i, caption, "mat "+strings.Replace(caption, "a ", "no a ", 1)+" .", strings.ToUpper(caption))
	}
	tables, err := NewTables()
	if err != nil {
		t.Fatal(err)
	}
	var sets []*Audited
	for name, content := range map[string]string{"good.jsonl": good.String(), "bad.jsonl": bad.String()} {
		a, err := Audit(write(t, name, content), Options{Pairs: 10_000, Tables: tables})
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, a)
		g := a.Groups[0]
		isBad := name == "bad.jsonl"
		if g.Likelihood == nil || isBad && (g.TextOnly < 60 || g.Likelihood.Unlikely < 60 || g.Equal < 49 || g.StraySpaces < 49) {
			t.Errorf("%s: %+v", name, g)
		}
		if !isBad && (g.TextOnly > 60 || g.Likelihood.Unlikely > 70 || g.Equal > 0 || g.Tables.Known != 300 || g.Tables.MayHold > 0) {
			t.Errorf("%s: %+v, %+v, %+v", name, g, g.Likelihood, g.Tables)
		}
		faults := []string{}
		for _, f := range a.Faults {
			faults = append(faults, f.Name)
			if len(f.Examples) == 0 || len(f.Examples) > maxExamples {
				t.Errorf("%s: %d examples of %s", name, len(f.Examples), f.Name)
			}
		}
		if want := map[bool]string{true: "[equal to a true text grammar]", false: "[]"}[isBad]; fmt.Sprint(faults) != want {
			t.Errorf("%s: %v, want %s", name, faults, want)
		}
		again, err := Audit(a.Name, Options{Pairs: 10_000, Tables: tables})
		one, _ := json.Marshal(a)
		if two, _ := json.Marshal(again); err != nil || !bytes.Equal(one, two) {
			t.Errorf("%s: another result", name)
		}
	}
	var table bytes.Buffer
	if err := WriteAudits(&table, sets); err != nil || strings.Count(table.String(), ".jsonl") != 2 {
		t.Errorf("%v\n%s", err, table.String())
	}
}

// TestAuditOfNegCLIP measures the published file.
func TestAuditOfNegCLIP(t *testing.T) {
	path := filepath.FromSlash("../../../shared/data/negclip/valid_neg_clip.tsv")
	if _, err := os.Stat(path); err != nil {
		t.Skip("NegCLIP's published negatives are absent: ", path)
	}
	tables, err := NewTables()
	if err != nil {
		t.Fatal(err)
	}
	a, err := Audit(path, Options{Pairs: 200_000, Tables: tables})
	if err != nil {
		t.Fatal(err)
	}
	if g := a.Groups[0]; g.Negatives != 7370 || g.TextOnly < 80 || g.Likelihood.Unlikely < 80 || g.Tables.MayHold < 3 || len(a.Faults) != 4 {
		t.Errorf("%+v, %+v, %+v", g, g.Likelihood, g.Tables)
	}
}
