package sources

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestSplitLines divides a text into captions only where its lines look like captions of their own.
func TestSplitLines(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"a dog runs on the beach", 1},
		{"a dog runs on the beach\na red car\n", 2},
		{"A dog runs.\r\nA dog on a beach.\r\n", 2},
		{"Two dogs playing .\na dog and a cat\n", 2},
		{"a dog on St. Mark's square\na cat in the street", 2},
		{"一只狗在垫子上\n两只猫", 2},
		{"A brown dog sleeps on a grey rug.\n\nA small child is sitting beside it.", 1},
		{"A brown dog sleeps on a grey rug and a small\nchild is sitting beside it.", 1},
		{"A brown dog sleeps. It is big.\nA child sits.", 1},
		{"## Scene\na dog on a mat", 1},
		{"- a white bowl\n- two green apples", 1},
		{"1. a white bowl\n2. two green apples", 1},
		{"**Objects:** a bowl\n**Style:** a photo", 1},
		{"subject: a dog on a mat\nstyle: a photo of a room", 1},
		{"Objects in the picture:\na white bowl", 1},
		{"dog\nbeach\nball", 1},
		{"{\n\"scene\": \"a dog on a mat\"\n}", 1},
		{strings.Repeat("a dog and ", 20) + "\na dog and a cat", 1},
		{"", 1},
	} {
		if got := splitLines(c.text, linesForm(LinesAuto)); len(got) != c.want {
			t.Errorf("%q is %q, want %d", c.text, got, c.want)
		}
	}
	if got := splitLines("A dog.\n\nA cat.\n", linesForm(LinesEach)); len(got) != 2 {
		t.Errorf("each: %q", got)
	}
	if got := splitLines("a dog on a mat\na cat on a mat\n", linesForm(LinesOne)); len(got) != 1 {
		t.Errorf("one: %q", got)
	}
}

// TestJoinTokens joins words of a sentence and tags, and leaves captions alone.
func TestJoinTokens(t *testing.T) {
	for list, want := range map[string]string{
		`["a", "dog", "runs", "."]`:    `"a dog runs ."`,
		`["dog", "beach", "ball"]`:     `"dog, beach, ball"`,
		`["dog", "beach"]`:             `"dog"`,
		`["a dog", "a cat", "a bird"]`: `"a dog"`,
		`["dog", null, "cat"]`:         `"dog"`,
		`["一只狗在垫子上", "两只猫", "三只鸟"]`:    `"一只狗在垫子上"`,
		`[]`: ``,
	} {
		values, err := listElements(jsontext.Value(list))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if all := joinTokens(values); len(all) > 0 {
			got = string(all[0])
		}
		if got != want {
			t.Errorf("%s: %s, want %s", list, got, want)
		}
	}
}
