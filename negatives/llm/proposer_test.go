package llm

import (
	"testing"

	"capgraph/llmparse/client"
	"capgraph/negatives/slots"
	"capgraph/testing/fakevllm"
)

var _ slots.Proposer = (*Proposer)(nil)

func TestProposerFillsSlots(t *testing.T) {
	s := serverFor(t, fakevllm.Config{Answer: func(caption string) string {
		return `{"fillings":["Blue","red","blue"," dark  green "]}`
	}})
	c, err := client.New(optionsFor(t, s))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	slot := slots.Slot{Kind: slots.Attribute, Text: "red", Head: "bus"}
	all := []slots.Slot{slot, slot, {Kind: slots.Attribute, Text: "blue", Head: "bus"}}
	out := make([][]slots.Candidate, len(all))
	if err := NewProposer(c).Propose(t.Context(), all, out); err != nil {
		t.Fatal(err)
	}
	want := []slots.Candidate{{Text: "blue", Cum: 8}, {Text: "dark green", Cum: 13}}
	if len(out[0]) != 2 || out[0][0] != want[0] || out[0][1] != want[1] || len(out[2]) != 2 {
		t.Errorf("candidates are %v", out)
	}
	if n := s.Counts().Requests; n != 2 {
		t.Errorf("%d requests for two different slots", n)
	}
}

func TestProposerGivesNothingForAUselessReply(t *testing.T) {
	s := serverFor(t, fakevllm.Config{Answer: func(string) string { return `{"sorry":1}` }})
	c, err := client.New(optionsFor(t, s))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	out := [][]slots.Candidate{{{Text: "old"}}}
	if err := NewProposer(c).Propose(t.Context(), []slots.Slot{{Text: "red"}}, out); err != nil || out[0] != nil {
		t.Errorf("candidates %v, error %v", out[0], err)
	}
}

func TestPhraseAround(t *testing.T) {
	for want, s := range map[string]slots.Slot{
		"[red] bus":          {Kind: slots.Attribute, Text: "red", Head: "bus"},
		"man [riding] horse": {Kind: slots.Relation, Text: "riding", Subject: "man", Object: "horse"},
		"man riding [horse]": {Kind: slots.Object, Text: "horse", Subject: "man", Relation: "riding"},
		"[man] riding horse": {Kind: slots.Object, Text: "man", Relation: "riding", Object: "horse"},
		"[two] dogs":         {Kind: slots.Quantity, Text: "two", Head: "dogs"},
		"the [bus]":          {Kind: slots.Object, Text: "bus", Left: "the"},
		// The words of the caption are beside the slot, its ends are no words.
		"man [sitting] on":       {Kind: slots.Action, Text: "sitting", Head: "man", Object: "on", Left: "man", Right: "on"},
		"man is [holding] a":     {Kind: slots.Action, Text: "holding", Head: "man", Object: "object", Left: "is", Right: "a"},
		"[running]":              {Kind: slots.Action, Text: "running", Object: ">", Left: "<", Right: ">"},
		"horn of a [cow]":        {Kind: slots.Object, Text: "cow", Subject: "horn", Relation: "of", Left: "a", Right: ">"},
		"horn of [cow]":          {Kind: slots.Object, Text: "cow", Subject: "horn", Relation: "of", Left: "of", Right: ">"},
		"[man] is riding horse":  {Kind: slots.Object, Text: "man", Relation: "riding", Object: "horse", Left: "<", Right: "is"},
		"[man] riding the horse": {Kind: slots.Object, Text: "man", Relation: "riding the", Object: "horse", Left: "<", Right: "riding"},
		"a [red] double bus":     {Kind: slots.Attribute, Text: "red", Head: "bus", Left: "a", Right: "double"},
		"a [red] bus":            {Kind: slots.Attribute, Text: "red", Head: "bus", Left: "a", Right: "bus"},
	} {
		if got := phraseAround(&s); got != want {
			t.Errorf("phrase is %q, want %q", got, want)
		}
	}
}

func FuzzReadFillings(f *testing.F) {
	f.Add(`[ANS]{"fillings":["black","yellow"]}[/ANS]`, "red")
	f.Fuzz(func(t *testing.T, content, original string) {
		last := uint64(0)
		all, err := readFillings(content, original)
		if (err == nil) != (len(all) > 0) {
			t.Errorf("%d candidates, error %v", len(all), err)
		}
		for _, c := range all {
			if c.Text == "" || c.Cum <= last {
				t.Errorf("candidate %+v after weight %d", c, last)
			}
			last = c.Cum
		}
	})
}
