package llmparse

import (
	"fmt"
	"strings"
	"testing"

	"capgraph/llmparse/replies"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

func rules(t testing.TB) Rules {
	t.Helper()
	p, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// decoded reads and grounds a reply, and writes the graph on one line.
func decoded(r Rules, caption, content string) (string, repairs, error) {
	var fixed repairs
	rep, err := readReply(content)
	if err != nil {
		return "", fixed, err
	}
	g := grounder{rules: r}
	g.reset(caption, r.Tokens(caption, nil))
	var graph schemas.SceneGraph
	if err := g.buildGraph(rep, &graph, &fixed); err != nil {
		return "", fixed, err
	}
	return line(caption, &graph), fixed, nil
}

// line writes a graph as "name(attribute, …); name | subject predicate object",
// after checking that every offset says what it stands for.
func line(caption string, g *schemas.SceneGraph) string {
	var objects, relations []string
	for _, o := range g.Objects {
		s := o.Name
		if o.Quantity != "" {
			s = o.Quantity + " " + s
		}
		if !strings.EqualFold(caption[o.Begin:o.End], o.Name) {
			s += fmt.Sprintf("=%q", caption[o.Begin:o.End])
		}
		var as []string
		for _, a := range o.Attributes {
			t := a.Text
			if !strings.EqualFold(caption[a.Begin:a.End], a.Text) {
				t += fmt.Sprintf("=%q", caption[a.Begin:a.End])
			}
			as = append(as, t)
		}
		if as != nil {
			s += "(" + strings.Join(as, ", ") + ")"
		}
		objects = append(objects, s)
	}
	for _, r := range g.Relations {
		where := "?"
		if r.Begin >= 0 {
			where = ""
		}
		relations = append(relations, fmt.Sprintf("%d %s%s %d", r.Subject, r.Lemma, where, r.Object))
	}
	return strings.Join(objects, "; ") + " | " + strings.Join(relations, "; ")
}

// The worked captions of the prompt are themselves good replies.
func TestPromptExamplesDecodeWithoutRepair(t *testing.T) {
	r := rules(t)
	for _, e := range promptExamples {
		for _, content := range []string{e.Answer, replies.AnswerBegin + e.Answer + replies.AnswerEnd} {
			if got, fixed, err := decoded(r, e.Caption, content); err != nil || fixed.total() > 0 {
				t.Errorf("%q: %s, repairs %v, error %v", e.Caption, got, fixed, err)
			}
		}
	}
}

func TestDecode(t *testing.T) {
	r := rules(t)
	for _, c := range []struct {
		name, caption, content string
		want                   string
		fixed                  repair // the one repair made, or −1
	}{
		{"noun phrase", "a large brown box", `{"entities":["large brown box"],"relationships":[]}`, "box(large, brown) | ", -1},
		{"article", "The dog", `{"entities":["the dog"],"relationships":[]}`, "dog | ", -1},
		{"quantity", "two men", `{"entities":["two men"]}`, "two men | ", -1},
		{"post-nominal", "A woman in blue and a woman in red", `{"entities":["woman in blue","woman in red"],"relationships":[]}`, "woman(in blue); woman(in red) | ", -1},
		{"table 10, lying on", "A brown cat is lying on a computer", `{"entities":["brown cat","computer"],"relationships":[{"relationship":"lying on","subject":0,"object":1}]}`, "cat(brown); computer | 0 lie on 1", -1},
		{"table 10, on the left of", "A man is on the left of the dog", `{"entities":["man","dog"],"relationships":[{"relationship":"on the left of","subject":0,"object":1}]}`, "man; dog | 0 on the left of 1", -1},
		{"case and Unicode", "Ein Café – a RED door", `{"entities":["red door"]}`, "door(red) | ", -1},
		{"attribute elsewhere", "a box that is brown", `{"entities":["brown box"]}`, "box(brown) | ", -1},
		{"plural for singular", "a dog", `{"entities":["dogs"]}`, "dog | ", -1},
		{"empty graph", "hello", `{"entities":[],"relationships":[]}`, " | ", -1},
		{"same name twice", "a cat and a cat", `{"entities":["cat","cat"]}`, "cat; cat | ", -1},
		{"implied predicate", "a man on a horse", `{"entities":["man","horse"],"relationships":[{"subject":0,"relationship":"riding","object":1}]}`, "man; horse | 0 ride? 1", -1},
		{"string indices", "a man on a horse", `{"entities":["man","horse"],"relationships":[{"subject":"0","relationship":"on","object":1.0}]}`, "man; horse | 0 on 1", -1},
		{"entities as objects", "a man", `{"entities":[{"name":"man"}]}`, "man | ", -1},
		{"control characters", "a woman over there in blue next to a dog", `{"entities":["woman in\tblue","dog"],"relationships":[{"subject":0,"relationship":"\u0001next\tto","object":1}]}`, "woman(in blue); dog | 0 next to 1", -1},
		{"words around", "a man", "Sure!\n```json\n{\"entities\":[\"man\"]}\n```\nDone.", "man | ", -1},
		{"brace in a thought", "a man", "<think>The caption says {man}, or {\"a\": 1}. So</think>\n{\"entities\":[\"man\"]}", "man | ", -1},
		{"answer in a thought", "a man", `<think>[ANS]{"entities":["dog"]}[/ANS]</think>[ANS]{"entities":["man"]}[/ANS]`, "man | ", -1},
		{"nothing behind a thought", "a man", `[ANS]{"entities":["man"]}[/ANS]</think>`, "man | ", -1},
		{"two answers", "a man", `[ANS]{"entities":["dog"]}[/ANS] wait [ANS]{"entities":["man"]}[/ANS]`, "man | ", -1},

		{"empty entity", "a man", `{"entities":["man"," "]}`, "man | ", entityEmpty},
		{"duplicate entity", "a man on a horse", `{"entities":["man","horse","man"],"relationships":[{"subject":2,"relationship":"on","object":1}]}`, "man; horse | 0 on 1", entityDuplicate},
		{"entity not said", "a man talks", `{"entities":["man","phone"]}`, "man | ", entityNotSaid},
		{"attribute not said", "a man", `{"entities":["tall man"]}`, "man | ", attributeNotSaid},
		{"out of range", "a man on a horse", `{"entities":["man","horse"],"relationships":[{"subject":0,"relationship":"on","object":7}]}`, "man; horse | ", relationOutOfRange},
		{"unary", "red suitcases stacked", `{"entities":["red suitcases"],"relationships":[{"subject":0,"relationship":"stacked","object":null}]}`, "suitcases(red) | ", relationUnary},
		{"negative index", "a man on a horse", `{"entities":["man","horse"],"relationships":[{"subject":-1,"relationship":"on","object":1}]}`, "man; horse | ", relationUnary},
		{"self", "a man on a horse", `{"entities":["man","horse"],"relationships":[{"subject":0,"relationship":"on","object":0}]}`, "man; horse | ", relationSelf},
		{"and", "a man and a horse", `{"entities":["man","horse"],"relationships":[{"subject":0,"relationship":"And","object":1}]}`, "man; horse | ", relationAnd},
		{"empty predicate", "a man on a horse", `{"entities":["man","horse"],"relationships":[{"subject":0,"relationship":" ","object":1}]}`, "man; horse | ", relationEmpty},
		{"duplicate relation", "a man on a horse", `{"entities":["man","horse"],"relationships":[{"subject":0,"relationship":"on","object":1},{"subject":0,"relationship":"is on","object":1}]}`, "man; horse | 0 on 1", relationDuplicate},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, fixed, err := decoded(r, c.caption, c.content)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("graph is %q, want %q", got, c.want)
			}
			var want repairs
			if c.fixed >= 0 {
				want[c.fixed] = 1
			}
			if fixed != want {
				t.Errorf("repairs are %v, want %v", fixed, want)
			}
		})
	}
}

func TestBadReplies(t *testing.T) {
	r := rules(t)
	for content, want := range map[string]error{
		"":                         replies.ErrNoAnswer,
		"I cannot help with that.": replies.ErrNoAnswer,
		`[ANS]{"entities":["man"`:  replies.ErrNotJSON,
		`{"entities":["man"],]`:    replies.ErrNotJSON,
		`{"relationships":[]}`:     replies.ErrWrongSchema,
		`{"entities":"man"}`:       replies.ErrWrongSchema,
		`{"entities":[3]}`:         replies.ErrWrongSchema,
		`{"entities":["a"],"relationships":[["a","on","b"]]}`:   replies.ErrWrongSchema,
		`{"entities":["a"],"relationships":[null]}`:             replies.ErrWrongSchema,
		`{"entities":["unicorn","dragon"]}`:                     replies.ErrNotSaid,
		`{"entities":[` + strings.Repeat(`"a",`, 300) + `"a"]}`: replies.ErrWrongSchema,
	} {
		if _, _, err := decoded(r, "a man on a horse", content); err != want {
			t.Errorf("%.60q: error is %v, want %v", content, err, want)
		}
	}
}

// Whatever a model writes of whatever caption, the graph's indices and offsets
// are within bounds, or there is no graph.
func FuzzDecode(f *testing.F) {
	r := rules(f)
	for _, e := range promptExamples {
		f.Add(e.Caption, replies.AnswerBegin+e.Answer+replies.AnswerEnd)
	}
	f.Add("İstanbul'da bir KÖPEK", `{"entities":["köpek","istanbul"],"relationships":[{"subject":"1e1","relationship":"in","object":-0}]}`)
	f.Add("a man", `<think>{man}</think>{"entities":["man"]}`)
	f.Add("a\xffb", `{"entities":["a\u0000b",{"entity":"x"}]}`)
	f.Fuzz(func(t *testing.T, caption, content string) {
		var fixed repairs
		rep, err := readReply(content)
		if err != nil {
			return
		}
		g := grounder{rules: r}
		g.reset(caption, r.Tokens(caption, nil))
		var graph schemas.SceneGraph
		if g.buildGraph(rep, &graph, &fixed) != nil {
			return
		}
		n := int32(len(graph.Objects))
		for _, o := range graph.Objects {
			if o.Begin < 0 || o.End > int32(len(caption)) || o.Begin > o.End {
				t.Errorf("object %q at %d to %d of %d bytes", o.Name, o.Begin, o.End, len(caption))
			}
		}
		for _, rel := range graph.Relations {
			if rel.Subject < 0 || rel.Object < 0 || rel.Subject >= n || rel.Object >= n || rel.Subject == rel.Object {
				t.Errorf("relation %d to %d among %d objects", rel.Subject, rel.Object, n)
			}
		}
	})
}
