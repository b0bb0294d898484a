package llm

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"capgraph/llmparse/client"
	"capgraph/llmparse/replies"
	"capgraph/negatives/whole"
	"capgraph/testing/fakevllm"
)

var _ whole.Author = (*Author)(nil)

func serverFor(t testing.TB, c fakevllm.Config) *fakevllm.Server {
	t.Helper()
	s := fakevllm.New(c)
	t.Cleanup(s.Close)
	return s
}

// optionsFor returns options for a server, with a cache of its own.
func optionsFor(t testing.TB, s *fakevllm.Server) client.Options {
	t.Helper()
	o := client.Defaults()
	o.Model, o.Cache, o.Endpoints = "fake", filepath.Join(t.TempDir(), "replies"), []string{s.URL}
	return o
}

func formOf(a *Author) string {
	form, _ := a.form.Chosen()
	return form
}

// authorOf asks a server for whole negatives of types, in the form that the settings say.
func authorOf(t *testing.T, s *fakevllm.Server, reply string, types ...string) (*Author, *client.Client) {
	t.Helper()
	o := optionsFor(t, s)
	o.Reply, o.Attempts = reply, 2
	c, err := client.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return NewAuthor(c, types), c
}

func TestAuthorWritesEachCaptionOnce(t *testing.T) {
	s := serverFor(t, fakevllm.Config{Answer: func(string) string {
		return `{"replace_object":" a  cat\n on a sofa ","swap_objects":"","add_object":null,"replace_relation":"not asked for"}`
	}})
	// The order of the settings is not that of the question.
	a, c := authorOf(t, s, client.ReplyAuto, whole.AddObject, whole.SwapObjects, whole.ReplaceObject)
	captions := []string{"a dog on a sofa", "a cow", "a dog on a sofa"}
	out := [][]whole.Negative{{{Text: "old"}}, nil, nil}
	for range 2 {
		if err := a.Write(t.Context(), captions, out); err != nil {
			t.Fatal(err)
		}
		for i, all := range out {
			if want := []whole.Negative{{Type: "replace_object", Text: "a cat on a sofa"}}; !slices.Equal(all, want) {
				t.Errorf("%q has %+v, want %+v", captions[i], all, want)
			}
		}
	}
	if n := s.Counts().Requests; n != 2 {
		t.Errorf("%d requests for two different captions, asked for twice", n)
	}
	if n := c.Stats().Whole; n != 6 {
		t.Errorf("%d captions counted, want 6", n)
	}
	body := s.RequestBody(1)
	format, _ := json.Marshal(body["response_format"])
	for _, want := range []string{`"required":["replace_object","swap_objects","add_object"]`, `"additionalProperties":false`} {
		if !strings.Contains(string(format), want) {
			t.Errorf("response_format is %s, without %s", format, want)
		}
	}
	message := body["messages"].([]any)[0].(map[string]any)["content"].(string)
	if !strings.HasSuffix(message, "\nKeys: replace_object, swap_objects, add_object\nCaption: a cow") || strings.Contains(message, "swap_attributes") {
		t.Errorf("the message is %q", message)
	}
}

// TestAuthorTellsTheFormOfReplies asks in plain words where a server doesn't know schemas; a caption
// that has no answer tells nothing of it.
func TestAuthorTellsTheFormOfReplies(t *testing.T) {
	t.Parallel()
	for want, config := range map[string]fakevllm.Config{
		client.ReplySchema: {FaultOf: func(c string) fakevllm.Kind {
			if strings.HasSuffix(c, "first") {
				return fakevllm.HalfJSON
			}
			return ""
		}},
		client.ReplyPlain: {IgnoreSchema: true},
	} {
		s := serverFor(t, config)
		a, _ := authorOf(t, s, client.ReplyAuto, whole.Types()...)
		for _, caption := range []string{"a dog first", "a dog on a sofa", "a cat under a table"} {
			out := make([][]whole.Negative, 1)
			if err := a.Write(t.Context(), []string{caption}, out); err != nil {
				t.Fatal(err)
			}
		}
		if formOf(a) != want {
			t.Errorf("form is %q, want %s", formOf(a), want)
		}
	}
}

// TestAnotherSetOfTypesIsAnotherQuestion keeps the replies to each apart.
func TestAnotherSetOfTypesIsAnotherQuestion(t *testing.T) {
	s := serverFor(t, fakevllm.Config{})
	a, c := authorOf(t, s, client.ReplyPlain, whole.ReplaceObject)
	b := NewAuthor(c, []string{whole.ReplaceObject, whole.AddObject})
	out := make([][]whole.Negative, 1)
	for _, author := range []*Author{a, b, a} {
		if err := author.Write(t.Context(), []string{"a dog on a sofa"}, out); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.Counts().Requests; n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}

func TestAuthorGivesNothingForAUselessReply(t *testing.T) {
	for _, answer := range []string{`{"sorry":1}`, `{"replace_object":["a","b"]}`, `{"replace_object":"a`, `I am sorry.`, `[]`, ``} {
		s := serverFor(t, fakevllm.Config{Answer: func(string) string { return answer }})
		a, c := authorOf(t, s, client.ReplyPlain, whole.Types()...)
		out := [][]whole.Negative{{{Text: "old"}}}
		if err := a.Write(t.Context(), []string{"a dog"}, out); err != nil || out[0] != nil {
			t.Errorf("%q gives %+v, error %v", answer, out[0], err)
		}
		n := int64(0)
		for _, k := range c.Stats().Bad {
			n += k
		}
		if n != 1 {
			t.Errorf("%q: %v counted", answer, c.Stats().Bad)
		}
	}
}

// TestAFailureBudgetEndsWriting stops a run whose replies are all of no use.
func TestAFailureBudgetEndsWriting(t *testing.T) {
	s := serverFor(t, fakevllm.Config{Answer: func(string) string { return "{sorry" }})
	o := optionsFor(t, s)
	o.FailureBudget, o.Reply = 5, client.ReplyPlain
	c, err := client.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	captions := make([]string, 20)
	for i := range captions {
		captions[i] = fmt.Sprintf("a dog near number %d", i)
	}
	err = NewAuthor(c, whole.Types()).Write(t.Context(), captions, make([][]whole.Negative, len(captions)))
	if err == nil || !strings.Contains(err.Error(), "parse.failure_budget") {
		t.Errorf("error %v", err)
	}
}

// TestWholeExamplesAreWhatIsAskedFor reads the worked captions as replies are read.
func TestWholeExamplesAreWhatIsAskedFor(t *testing.T) {
	for _, types := range [][]string{whole.Types(), {whole.SwapObjects}} {
		examples := wholeTask(types).Examples
		if len(examples) != len(wholeExamples) {
			t.Fatalf("%d examples, want %d", len(examples), len(wholeExamples))
		}
		for i, e := range examples {
			whole, err := readWhole(e.Answer)
			if err != nil || len(whole) != len(types) {
				t.Errorf("example %d has %v, error %v", i, whole, err)
			}
			for k, text := range whole {
				if text != wholeExamples[i].becomes[k] {
					t.Errorf("example %d: %s is %q", i, k, text)
				}
			}
		}
		for _, k := range types {
			if wholeTasks[k] == "" {
				t.Errorf("%s is not explained", k)
			}
		}
	}
}

func FuzzReadWhole(f *testing.F) {
	f.Add(`[ANS]{"replace_object":"a cat on a sofa","swap_objects":""}[/ANS]`)
	f.Add("<think>{}</think>{\"add_object\":null}")
	f.Fuzz(func(t *testing.T, content string) {
		texts, err := readWhole(content)
		if (err == nil) != (len(texts) > 0) || err != nil && replies.ReasonIndex(err) < 0 {
			t.Errorf("%d texts, error %v", len(texts), err)
		}
		for k, text := range texts {
			if !slices.Contains(whole.Types(), k) || len(text) > maxWhole || strings.ContainsAny(text, "\n\r\t") {
				t.Errorf("%s is %q", k, text)
			}
		}
	})
}

// TestWholeSettingsAreRecalled makes the same again from a cache, unless the words of the question are others now.
func TestWholeSettingsAreRecalled(t *testing.T) {
	o := client.Defaults()
	o.Model = "fake"
	if s := SettingsOf(&o, false); s.Whole != "" {
		t.Errorf("nothing is asked for, and the prompt is %s", s.Whole)
	}
	s := SettingsOf(&o, true)
	if again, err := s.Cached("replies"); err != nil || SettingsOf(&again, true).Whole != WholeVersion || again.Model != "fake" {
		t.Errorf("%+v, error %v", again, err)
	}
	s.Whole = "caption-negatives/0"
	if _, err := s.Cached("replies"); err == nil || !strings.Contains(err.Error(), "caption-negatives/0") {
		t.Errorf("error %v", err)
	}
}
