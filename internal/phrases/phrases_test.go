package phrases

import (
	"fmt"
	"strings"
	"testing"

	"capgraph/schemas"
)

// brief writes phrases in a line: "words@begin-end#entity".
func brief(list []schemas.Phrase) string {
	var all []string
	for _, p := range list {
		s := p.Text
		if p.Begin >= 0 {
			s += fmt.Sprintf("@%d-%d", p.Begin, p.End)
		}
		if p.Entity > 0 {
			s += fmt.Sprintf("#%d", p.Entity)
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ what, cell, caption, want, fault string }{
		{"labels", `["two men", "hat"]`, "Two men in hats", "two men, hat", ""},
		{"nothing", `[]`, "Two men", "", ""},
		{"GLiNER", `[{"start": 0, "end": 7, "text": "Two men", "label": "person", "score": 0.9}]`, "Two men in hats", "Two men@0-7", ""},
		{"characters, not bytes", `[{"start": 7, "end": 10, "text": "dog"}]`, "a café dog", "dog@8-11", ""},
		{"pairs", `[[0, 7, "PERSON"], [11, 15]]`, "Two men in hats", "Two men@0-7, hats@11-15", ""},
		{"a detector's", `[{"label": "dog", "score": 0.9, "box": [1, 2, 3, 4]}]`, "a dog", "dog", ""},
		{"Flickr30k Entities", "[/EN#1/people Two young guys] with [/EN#0/notvisual it] look at [/EN#3/bodyparts/other their hands] .",
			"Two young guys with it look at their hands .", "Two young guys@0-14#1, their hands@31-42#3", ""},
		{"marks of another spacing", "[/EN#1/people A man] ,  [/EN#1/people a man] .", "A man, a man.", "A man@0-5#1, a man@7-12#1", ""},
		{"marks of another caption", "[/EN#1/people A man]", "a dog", "A man#1", ""},
		{"not a list", `dog`, "a dog", "", "is neither a list"},
		{"null", `null`, "a dog", "", "is neither a list"},
		{"empty", ``, "a dog", "", "is neither a list"},
		{"an element of another type", `["a", 7]`, "a dog", "", "phrase 2: want a text, a span or [start, end], not 7"},
		{"outside", `[[0, 99]]`, "a dog", "", "[0, 99) is not in the caption of 5 characters"},
		{"back to front", `[[3, 2]]`, "a dog", "", "[3, 2) is not in the caption"},
		{"negative", `[[-3, 2]]`, "a dog", "", "[-3, 2) is not in the caption"},
		{"another place", `[{"start": 0, "end": 1, "text": "dog"}]`, "a dog", "", `"dog" is not at [0, 1) of the caption, but "a"`},
		{"no text", `[{"score": 1}]`, "a dog", "", "has no start and end, and no text or label"},
		{"a number as text", `[{"text": 1}]`, "a dog", "", "want a text in text or label"},
		{"a mark that does not close", "[/EN#1/people A man", "A man", "", "want marks such as"},
		{"a mark without a number", "[/EN#x/people A man]", "A man", "", "want marks such as"},
		{"too many", "[" + strings.Repeat(`"a",`, Most) + `"a"]`, "a dog", "", "has 257 phrases, more than 256"},
		{"too long", `["` + strings.Repeat("a", 1001) + `"]`, "a dog", "", "has 1001 bytes, more than 1000"},
	} {
		list, err := Parse(c.cell, c.caption)
		switch {
		case c.fault != "":
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: error %v, want %q", c.what, err, c.fault)
			}
		case err != nil:
			t.Errorf("%s: %v", c.what, err)
		case brief(list) != c.want || list == nil:
			t.Errorf("%s: %s\n want %s", c.what, brief(list), c.want)
		}
	}
}

func TestMove(t *testing.T) {
	from := "A man  in blue , a Man's dog . <br>"
	to := "A man in blue, a man's dog."
	list := []schemas.Phrase{{Begin: 2, End: 5}, {Begin: 19, End: 22}, {Begin: 7, End: 16}, {Begin: 31, End: 35}, {Begin: schemas.NoOffset, End: schemas.NoOffset}}
	Move(list, from, to)
	if got, want := brief(list), "@2-5, @17-20, @6-14, , "; got != want {
		t.Errorf("places %q, want %q", got, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`[{"start": 0, "end": 3, "text": "dog"}, "a", [0, 2]]`, "dog é", "Dog é")
	f.Add("[/EN#1/people A man] \xff [/EN#2/x ]", "A man \xff", " a  MAN İ")
	f.Fuzz(func(t *testing.T, cell, caption, text string) {
		list, err := Parse(cell, caption)
		if err != nil {
			return
		}
		check := func(text string) {
			for _, p := range list {
				if p.Begin < schemas.NoOffset || int(p.End) > len(text) || p.Begin > p.End {
					t.Fatalf("%q has the place [%d, %d) of %d bytes", p.Text, p.Begin, p.End, len(text))
				}
			}
		}
		check(caption)
		Move(list, caption, text)
		check(text)
	})
}
