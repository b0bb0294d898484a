package llmparse

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"capgraph/llmparse/client"
	"capgraph/testing/fakevllm"
)

// poisoned fails all requests for captions that name poison.
func poisoned(k fakevllm.Kind) func(string) fakevllm.Kind {
	return func(caption string) fakevllm.Kind {
		if strings.Contains(caption, "poison") {
			return k
		}
		return ""
	}
}

// failuresInARow is the number of failures after which an endpoint rests.
const failuresInARow = 5

// Captions that a server which works can't answer use up their attempts,
// wherever they stand and though nothing else is asked beside them.
func TestPoisonCaptionsAreUnanswered(t *testing.T) {
	t.Parallel()
	poison := []string{"a poison bottle", "a poison ivy", "a poison apple"}
	for name, texts := range map[string][]string{
		"first":          append(poison[:3:3], captions(20)...),
		"last":           append(captions(20), poison...),
		"nothing beside": poison[:2],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serverFor(t, fakevllm.Config{FaultOf: poisoned(fakevllm.ServerError)})
			o := optionsFor(t, s)
			o.Reply, o.OnBad, o.Attempts, o.GiveUpAfter = client.ReplyPlain, client.OnBadReject, 3, 20*time.Second
			for i, out := range parse(t, parserFor(t, o), texts...) {
				want := ""
				if strings.Contains(texts[i], "poison") {
					want = "llm_unanswered"
				}
				if out.Reject != want {
					t.Errorf("%q: reject is %q, want %q", texts[i], out.Reject, want)
				}
			}
			asked := s.Counts().Asked
			trials := s.Counts().Requests
			for _, text := range texts {
				trials -= asked[text]
				if strings.Contains(text, "poison") && asked[text] != o.Attempts {
					t.Errorf("%q was asked %d times, want %d", text, asked[text], o.Attempts)
				}
			}
			if most := s.Counts().Faults / failuresInARow; trials > most {
				t.Errorf("%d requests to see whether the server works, want at most %d", trials, most)
			}
		})
	}
}

// However long nothing was asked or answered, failures of a moment end no run.
func TestGivingUpCountsFromTheFirstFailure(t *testing.T) {
	t.Parallel()
	var failed atomic.Int32
	s := serverFor(t, fakevllm.Config{FaultOf: func(string) fakevllm.Kind {
		if failed.Add(1) > failuresInARow {
			return ""
		}
		return fakevllm.Unavailable
	}})
	o := optionsFor(t, s)
	o.Reply, o.OnBad, o.GiveUpAfter = client.ReplyPlain, client.OnBadReject, time.Nanosecond
	texts := captions(failuresInARow)
	for i, out := range parse(t, parserFor(t, o), texts...) {
		if out.Reject != "" {
			t.Errorf("%q: reject is %q", texts[i], out.Reject)
		}
	}
}

// While a server is down no caption uses up its attempts.
func TestOutageLosesNoCaption(t *testing.T) {
	t.Parallel()
	var up atomic.Bool
	s := serverFor(t, fakevllm.Config{FaultOf: func(string) fakevllm.Kind {
		if up.Load() {
			return ""
		}
		return fakevllm.ServerError
	}})
	o := optionsFor(t, s)
	o.Reply, o.OnBad, o.Attempts = client.ReplyPlain, client.OnBadReject, 3
	time.AfterFunc(1500*time.Millisecond, func() { up.Store(true) })
	texts := captions(200)
	for i, out := range parse(t, parserFor(t, o), texts...) {
		if out.Reject != "" {
			t.Errorf("%q: reject is %q", texts[i], out.Reject)
		}
	}
}

// A caption at the beginning that can't be answered says nothing of the form.
func TestPoisonCaptionDecidesNoForm(t *testing.T) {
	t.Parallel()
	for _, k := range []fakevllm.Kind{fakevllm.ServerError, fakevllm.Reset, fakevllm.NoChoices, fakevllm.Limited} {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			s := serverFor(t, fakevllm.Config{FaultOf: poisoned(k)})
			o := optionsFor(t, s)
			o.OnBad, o.Attempts, o.GiveUpAfter = client.OnBadReject, 2, 20*time.Second
			p := parserFor(t, o)
			out := parse(t, p, append([]string{"a poison bottle", "a poison ivy"}, captions(5)...)...)
			for i := range out {
				if poison := i < 2; poison != (out[i].Reject == "llm_unanswered") || !poison && len(out[i].Graph.Objects) != 2 {
					t.Errorf("caption %d: %d objects, reject %q", i, len(out[i].Graph.Objects), out[i].Reject)
				}
			}
			if formOf(p) != client.ReplySchema {
				t.Errorf("form is %s, want %s", formOf(p), client.ReplySchema)
			}
		})
	}
}

// A server that answers nothing that has a schema is asked for plain replies.
func TestServerThatFailsWithSchemasIsAskedForPlainReplies(t *testing.T) {
	t.Parallel()
	s := serverFor(t, fakevllm.Config{SchemaFault: fakevllm.Reset})
	o := optionsFor(t, s)
	o.OnBad, o.GiveUpAfter = client.OnBadReject, 20*time.Second
	p := parserFor(t, o)
	for i, out := range parse(t, p, captions(5)...) {
		if out.Reject != "" {
			t.Errorf("caption %d: reject %q", i, out.Reject)
		}
	}
	if formOf(p) != client.ReplyPlain {
		t.Errorf("form is %s, want %s", formOf(p), client.ReplyPlain)
	}
}
