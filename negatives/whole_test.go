package negatives

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"capgraph/negatives/whole"
	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/testing/fakevllm"
)

// script is an author that has written beforehand: nothing for a caption that it does not know.
type script map[string][]whole.Negative

func (s script) Write(_ context.Context, captions []string, out [][]whole.Negative) error {
	for i, c := range captions {
		out[i] = s[c]
	}
	return nil
}

var ruleParser = sync.OnceValue(func() *ruleparse.Parser {
	p, err := ruleparse.New()
	if err != nil {
		panic(err)
	}
	return p
})

// imageOf has captions as the rule parser reads them.
func imageOf(texts ...string) *Image {
	img := &Image{Key: "i"}
	for i, text := range texts {
		var p schemas.Parsed
		ruleParser().ParseText(text, &p)
		img.Captions = append(img.Captions, Caption{Key: fmt.Sprint(i), Text: text, Tokens: p.Tokens, Graph: p.Graph})
	}
	return img
}

// writtenOf gives what becomes of what an author writes: the negatives of the first caption, and what
// is dropped.
func writtenOf(t *testing.T, opts Options, a whole.Author, img *Image) (schemas.Pool, []Dropped) {
	t.Helper()
	opts.Methods, opts.Replacements = nil, FromLLM
	g, err := NewWithProposer(opts, testVocabulary(t, testCounts()...), silent{}, 1, 7)
	if err != nil {
		t.Fatal(err)
	}
	g.WithAuthor(a, ruleParser())
	pools := make([]schemas.Pool, len(img.Captions))
	var dropped []Dropped
	if err := g.Texts(context.Background(), img, pools, &Drops{Each: func(d Dropped) { dropped = append(dropped, d) }}); err != nil {
		t.Fatal(err)
	}
	return pools[0], dropped
}

// TestWholeNegatives keeps what changes the one thing that was asked for, and nothing that may be
// true, is no caption, or is another change.
func TestWholeNegatives(t *testing.T) {
	for _, c := range []struct {
		captions string // of the image, the first is changed
		kind     string
		written  string
		want     string // the negative, or why there is none
	}{
		{"a man riding a horse", whole.ReplaceObject, "a man riding a camel", "a man riding a camel"},
		{"A man riding a horse.", whole.ReplaceObject, "A man riding an elephant", "A man riding an elephant."},
		{"a man riding a horse", whole.ReplaceObject, "A man riding a camel.", "a man riding a camel"},
		{"A MAN RIDING A HORSE", whole.ReplaceObject, "A man riding a camel", "A MAN RIDING A CAMEL"},
		{"A Man Riding a Horse", whole.ReplaceObject, "A man riding a camel", "A Man Riding a Camel"},
		{"a man riding a horse", whole.ReplaceObject, "a man riding a camel on a beach", "other_change"},
		{"a man riding a horse", whole.ReplaceObject, "a man feeding a camel", "other_change"},
		{"a man riding a horse", whole.ReplaceObject, "a man feeding a horse", "other_change"},
		{"a man riding a horse", whole.ReplaceObject, "a man riding a horse", "known_text"},
		{"a man riding a horse", whole.ReplaceObject, "The man is riding the horse.", "synonym"},
		{"a man riding a horse", whole.ReplaceObject, "a person riding a horse", "synonym"},
		{"a man riding a horse", whole.ReplaceObject, "a man riding an camel", "grammar"},
		{"a man riding a horse", whole.ReplaceObject, "a man riding a horse. There is a camel.", "other_change"},
		{"a man riding a horse", whole.ReplaceObject, "a man riding a camel. It is brown", "other_change"},
		{"a man riding a horse", whole.ReplaceObject, "a man riding a *camel*", "other_change"},
		{"a man riding a horse", whole.ReplaceObject, "", "other_change"},
		{"a man riding a horse", whole.ReplaceObject, strings.Repeat("a man riding a camel ", 400), "other_change"},
		{"a man riding a horse|a man on a camel", whole.ReplaceObject, "a man riding a camel", "known_graph"},
		{"a man riding a horse|a man riding a camel", whole.ReplaceObject, "a man riding a camel", "known_graph"},
		{"a herd of cows in a field", whole.ReplaceObject, "a herd of men in a field", "implausible"},
		{"a man with his dog", whole.ReplaceObject, "a woman with his dog", "grammar"},

		{"a red bus on a street", whole.ReplaceAttribute, "a blue bus on a street", "a blue bus on a street"},
		{"two dogs on a couch", whole.ReplaceAttribute, "three dogs on a couch", "three dogs on a couch"},
		{"a red bus on a street", whole.ReplaceAttribute, "a large bus on a street", "dimension"},
		{"a red bus on a street|a blue bus", whole.ReplaceAttribute, "a blue bus on a street", "known_graph"},
		{"a red bus on a street|several buses", whole.ReplaceAttribute, "a blue bus on a street", "known_graph"},
		{"a red bus on a street", whole.ReplaceAttribute, "a red truck on a street", "other_change"},
		{"a red dog chasing a blue bird near a river", whole.ReplaceAttribute, "a white dog chasing a blue bird near a river", "a white dog chasing a blue bird near a river"},
		{"a red bus and a green car", whole.ReplaceAttribute, "a blue bus and a white car", "other_change"},

		{"a cat sitting on a table", whole.ReplaceRelation, "a cat sitting under a table", "a cat sitting under a table"},
		{"a man riding a horse", whole.ReplaceRelation, "a man feeding a horse", "a man feeding a horse"},
		{"a cat sitting on a table", whole.ReplaceRelation, "a cat sitting atop a table", "known_graph"},
		{"a man riding a horse|a man is feeding his horse", whole.ReplaceRelation, "a man feeding a horse", "known_graph"},

		{"a dog chasing a cat", whole.SwapObjects, "a cat chasing a dog", "a cat chasing a dog"},
		{"A dog chasing a cat", whole.SwapObjects, "A cat chasing a dog", "A cat chasing a dog"},
		{"The dog is behind a cat.", whole.SwapObjects, "A cat is behind the dog.", "A cat is behind the dog."},
		{"a dog next to a cat", whole.SwapObjects, "a cat next to a dog", "symmetric"},
		{"a computer is placed in front of a stack of books", whole.SwapObjects, "a stack of books is placed in front of a computer", "a stack of books is placed in front of a computer"},
		{"a big old brown dog on a small wet white cat", whole.SwapObjects, "a small wet white cat on a big old brown dog", "a small wet white cat on a big old brown dog"},
		{"a cat behind a dog at a fence of a farm", whole.SwapObjects, "a dog behind a cat at a farm of a fence", "other_change"},
		{"a blender on a counter next to a jar", whole.SwapObjects, "a jar on a counter next to a blender", "symmetric"},
		{"a tower with a clock stands in front of a church", whole.SwapObjects, "a church with a clock stands in front of a tower", "a church with a clock stands in front of a tower"},
		{"a dog and a cat", whole.SwapObjects, "a cat and a dog", "synonym"},
		{"a dog chasing a cat", whole.SwapObjects, "a cat chasing a mouse", "other_change"},

		{"a white dog chasing a black cat", whole.SwapAttributes, "a black dog chasing a white cat", "a black dog chasing a white cat"},
		{"a white dog chasing a small cat", whole.SwapAttributes, "a small dog chasing a white cat", "dimension"},
		{"a red dog chasing a blue bird near a river", whole.SwapAttributes, "a blue dog chasing a red bird near a river", "a blue dog chasing a red bird near a river"},
		{"a red dog chasing a blue bird near a river", whole.SwapObjects, "a blue dog chasing a red bird near a river", "other_change"},
		{"a red dog chasing a blue bird near a river", whole.SwapObjects, "a blue bird chasing a red dog near a river", "a blue bird chasing a red dog near a river"},
		{"a dog behind a cat|a cat behind a dog", whole.SwapObjects, "a cat behind a dog", "known_graph"},
		{"a white dog chasing a black cat|a black dog", whole.SwapAttributes, "a black dog chasing a white cat", "known_graph"},

		{"a man riding a horse", whole.AddObject, "a man riding a horse beside a camel", "a man riding a horse beside a camel"},
		{"a man riding a horse.", whole.AddObject, "a man riding a horse beside a camel.", "a man riding a horse beside a camel."},
		{"a man riding a horse", whole.AddObject, "a man riding a horse near a tree", "known_graph"},
		{"a man riding a horse|a man and a dog", whole.AddObject, "a man riding a horse beside a dog", "known_graph"},
		{"a man riding a horse", whole.AddObject, "a man riding a camel beside a horse", "other_change"},

		{"a man riding a horse", whole.AddAttribute, "a man riding a striped horse", "a man riding a striped horse"},
		{"a man riding a horse", whole.AddAttribute, "a man riding a large horse", "known_graph"},
		{"a man riding a horse|a man on a brown horse", whole.AddAttribute, "a man riding a brown horse", "known_graph"},
		{"a man riding a horse", whole.AddAttribute, "two men riding a horse", "other_change"},

		{"Ein Mann reitet", whole.ReplaceObject, "Ein Kind reitet", "other_change"},
		{"一只狗", whole.ReplaceObject, "一只猫", "other_change"},
	} {
		captions := strings.Split(c.captions, "|")
		a := script{captions[0]: {{Type: c.kind, Text: c.written}}}
		pool, dropped := writtenOf(t, Defaults(), a, imageOf(captions...))
		got := ""
		for _, n := range pool.Negatives {
			got += n.Text
			if n.Method != "llm_"+c.kind || n.Changed != whole.Methods()[n.Method] || n.Category != schemas.CategoryNone || n.Of != 0 {
				t.Errorf("negative %+v", n)
			}
		}
		for _, d := range dropped {
			got += d.Reason.String()
			if d.Method != "llm_"+c.kind || d.Caption != 0 {
				t.Errorf("dropped %+v", d)
			}
		}
		if got != c.want {
			var g schemas.Parsed
			ruleParser().ParseText(c.written, &g)
			t.Errorf("%s: %q of %q is %q, want %q\n%+v", c.kind, c.written, c.captions, got, c.want, g.Graph)
		}
	}
}

// TestEveryBadWayIsDropped takes what the fake of a served model writes: of what is no negative nothing stays, and
// of the good ones most do, of each type.
func TestEveryBadWayIsDropped(t *testing.T) {
	reasons := map[int]string{
		fakevllm.WholeSame: "known_text", fakevllm.WholeParaphrase: "synonym", fakevllm.WholeTwoChanges: "other_change",
		fakevllm.WholeTwoSentences: "other_change", fakevllm.WholeLong: "other_change",
	}
	good, kept := map[string]int{}, map[string]int{}
	for _, subject := range []string{"cat", "dog", "horse", "woman"} {
		for _, place := range []string{"sofa", "beach", "boat", "truck", "roof"} {
			for _, colours := range [][2]string{{"red", "blue"}, {"blue", "green"}} {
				c := fmt.Sprintf("the %s on a %s %s chasing a %s ball", subject, colours[0], place, colours[1])
				var written map[string]string
				if err := json.Unmarshal([]byte(fakevllm.AnswerWhole(c, whole.Types())), &written); err != nil {
					t.Fatal(err)
				}
				for _, kind := range whole.Types() {
					way := fakevllm.WholeWay(c, kind)
					if written[kind] == "" {
						continue
					}
					pool, dropped := writtenOf(t, Defaults(), script{c: {{Type: kind, Text: written[kind]}}}, imageOf(c))
					switch {
					case way == fakevllm.WholeGood:
						good[kind]++
						kept[kind] += len(pool.Negatives)
					case len(pool.Negatives) > 0 || len(dropped) != 1 || dropped[0].Reason.String() != reasons[way]:
						t.Errorf("%q became %+v, dropped %+v, want %s", written[kind], pool.Negatives, dropped, reasons[way])
					}
				}
			}
		}
	}
	for _, kind := range []string{whole.ReplaceObject, whole.ReplaceAttribute, whole.ReplaceRelation, whole.AddObject, whole.AddAttribute} {
		if good[kind] < 10 || 2*kept[kind] < good[kind] {
			t.Errorf("%s: %d of %d good ones are kept", kind, kept[kind], good[kind])
		}
	}
}

// TestWholeNegativesAreAskedOfAShare asks for the captions of a share, the same ones
// whatever else is in the image.
func TestWholeNegativesAreAskedOfAShare(t *testing.T) {
	asked := 0
	o := whole.Options{Share: 0.25, Types: whole.Types()}
	for i := range 4000 {
		if o.Selects(7, fmt.Sprintf("a dog on a table near number %d", i)) {
			asked++
		}
	}
	if asked < 900 || asked > 1100 {
		t.Errorf("%d of 4000 captions are asked for, want a quarter", asked)
	}
	for _, none := range []whole.Options{{Share: 0, Types: whole.Types()}, {Share: 1}} {
		if none.Selects(7, "a dog") {
			t.Errorf("%+v asks", none)
		}
	}
	opts := Defaults()
	opts.Whole.Share = 0
	a := script{"a man riding a horse": {{Type: whole.ReplaceObject, Text: "a man riding a camel"}}}
	if pool, _ := writtenOf(t, opts, a, imageOf("a man riding a horse")); len(pool.Negatives) > 0 {
		t.Errorf("share 0 made %+v", pool.Negatives)
	}
}

func TestWholeSettings(t *testing.T) {
	for _, c := range []struct {
		whole whole.Options
		want  string
	}{
		{whole.Options{Share: 1.5, Types: whole.Types()}, "whole.share: 1.5 is not in 0 to 1"},
		{whole.Options{Share: 1, Types: []string{"swap_cats"}}, `whole.types: unknown type "swap_cats"`},
		{whole.Options{Share: 1, Types: []string{whole.AddObject, whole.AddObject}}, "whole.types: add_object stands there twice"},
		{whole.Options{}, ""},
	} {
		o := Defaults()
		o.Whole = c.whole
		if err := o.Validate(); (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.whole, err, c.want)
		}
	}
}

// broken is an author whose server is down.
type broken struct{ err error }

func (b broken) Write(context.Context, []string, [][]whole.Negative) error { return b.err }

func TestAnAuthorsErrorEndsTheImage(t *testing.T) {
	g, err := NewWithProposer(Defaults(), testVocabulary(t, testCounts()...), silent{}, 1, 7)
	if err != nil {
		t.Fatal(err)
	}
	down := errors.New("down")
	img := imageOf("a man riding a horse")
	err = g.WithAuthor(broken{down}, ruleParser()).Texts(context.Background(), img, make([]schemas.Pool, 1), &Drops{})
	if !errors.Is(err, down) || !strings.Contains(err.Error(), "i") {
		t.Errorf("error %v", err)
	}
}

// BenchmarkWhole is what a caption takes whose seven whole negatives are written already, on one core;
// beside it the same without them.
func BenchmarkWhole(b *testing.B) {
	captions := []string{
		"A red dog chasing a blue bird near a river.", "a man riding a horse on a beach", "two old buses parked by a green house",
		"A woman in a white dress is feeding a cat on the sofa while a boy watches", "three people standing under an umbrella in the rain",
	}
	images := make([]*Image, len(captions))
	a := script{}
	for i, c := range captions {
		images[i] = imageOf(c)
		var written map[string]string
		if err := json.Unmarshal([]byte(fakevllm.AnswerWhole(c, whole.Types())), &written); err != nil {
			b.Fatal(err)
		}
		for _, t := range whole.Types() {
			a[c] = append(a[c], whole.Negative{Type: t, Text: written[t]})
		}
	}
	for name, author := range map[string]whole.Author{"with": a, "without": nil} {
		b.Run(name, func(b *testing.B) {
			opts := Defaults()
			opts.Methods, opts.Replacements = nil, FromLLM
			g, err := NewWithProposer(opts, testVocabulary(b, testCounts()...), silent{}, 1, 7)
			if err != nil {
				b.Fatal(err)
			}
			if author != nil {
				g.WithAuthor(author, ruleParser())
			}
			pools := make([]schemas.Pool, 1)
			n := 0
			for b.Loop() {
				if err := g.Texts(context.Background(), images[n%len(images)], pools, &Drops{}); err != nil {
					b.Fatal(err)
				}
				n++
			}
		})
	}
}
