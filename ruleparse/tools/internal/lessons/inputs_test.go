package lessons

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestInputsHaveTheRowsOfEachToken(t *testing.T) {
	r := embeddedReader(t)
	var out bytes.Buffer
	if err := WriteInputs(r, strings.NewReader(`{"text":"A dog, Zoë's dog"}`+"\n"+`{"text":""}`+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(&out)
	var x, empty Inputs
	if err := d.Decode(&x); err != nil {
		t.Fatal(err)
	}
	if err := d.Decode(&empty); err != nil || len(empty.Rows) > 0 {
		t.Errorf("an empty caption: %+v, %v", empty, err)
	}
	if want := []string{"a", "dog", ",", "zoë", "'s", "dog"}; !slices.Equal(x.Tokens, want) {
		t.Fatalf("tokens %q, want %q", x.Tokens, want)
	}
	for i, w := range x.Tokens {
		if got := strings.ToLower(x.Text[x.Begin[i]:x.End[i]]); got != w {
			t.Errorf("token %d is %q in the text, want %q", i, got, w)
		}
	}
	first, last := x.Rows[1], x.Rows[5]
	if !slices.Equal(first[:5], last[:5]) || slices.Equal(first, last) {
		t.Errorf("rows %v and %v: the word is the same, its place is not", first, last)
	}
	if e := first[0]; e < 0 || r.Lexicon.Word(e) != "dog" || x.Rows[2][0] != -1 {
		t.Errorf("entries %d of a word and %d of a comma", e, x.Rows[2][0])
	}
}

func TestInputsNameBadJSON(t *testing.T) {
	if err := WriteInputs(embeddedReader(t), strings.NewReader(`{"text":`), new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "inputs: ") {
		t.Errorf("error %v", err)
	}
}

func TestWordsAreInTheOrderOfEntries(t *testing.T) {
	r := embeddedReader(t)
	var out bytes.Buffer
	if err := WriteWords(r, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != r.Lexicon.Len() {
		t.Fatalf("%d words, want %d", len(lines), r.Lexicon.Len())
	}
	for _, e := range []int32{0, 1000, int32(len(lines)) - 1} {
		var w string
		if err := json.Unmarshal([]byte(lines[e]), &w); err != nil || w != r.Lexicon.Word(e) {
			t.Errorf("entry %d is %s (%v), want %q", e, lines[e], err, r.Lexicon.Word(e))
		}
	}
}
