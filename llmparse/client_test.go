package llmparse

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"capgraph/llmparse/client"
	"capgraph/schemas"
	"capgraph/testing/fakevllm"
	"capgraph/testing/longtest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.parallel", "32") // they wait, and compute next to nothing
	goleak.VerifyTestMain(m)
}

func serverFor(t testing.TB, c fakevllm.Config) *fakevllm.Server {
	t.Helper()
	s := fakevllm.New(c)
	t.Cleanup(s.Close)
	return s
}

// optionsFor points at servers, with a cache of its own.
func optionsFor(t testing.TB, servers ...*fakevllm.Server) client.Options {
	t.Helper()
	o := client.Defaults()
	o.Model, o.Cache = "fake", filepath.Join(t.TempDir(), "replies")
	for _, s := range servers {
		o.Endpoints = append(o.Endpoints, s.URL)
	}
	return o
}

func parserFor(t testing.TB, o client.Options) *Parser {
	t.Helper()
	p, err := New(o, rules(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func parse(t testing.TB, p *Parser, texts ...string) []schemas.Parsed {
	t.Helper()
	out := make([]schemas.Parsed, len(texts))
	if err := p.Parse(t.Context(), texts, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func captions(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("a dog on a table near number %d", i)
	}
	return out
}

// formOf returns the form of replies that a parser has found; "" if it has found none.
func formOf(p *Parser) string {
	form, _ := p.form.Chosen()
	return form
}

func TestParseMakesGraphs(t *testing.T) {
	s := serverFor(t, fakevllm.Config{})
	p := parserFor(t, optionsFor(t, s))
	texts := []string{"a dog on a table", "", "Two cats", "a dog on a table", "größer als ein Haus"}
	out := parse(t, p, texts...)
	if got := line(texts[0], &out[0].Graph); got != "dog; table | 0 on 1" {
		t.Errorf("graph is %q", got)
	}
	if got := line(texts[0], &out[3].Graph); got != "dog; table | 0 on 1" {
		t.Errorf("graph of the repeated caption is %q", got)
	}
	for i, o := range out {
		if o.Reject != "" || o.Parser != Name+" fake "+PromptVersion {
			t.Errorf("%q: parser %q, reject %q", texts[i], o.Parser, o.Reject)
		}
		if want := len(rules(t).Tokens(texts[i], nil)); len(o.Tokens) != want {
			t.Errorf("%q: %d tokens, want %d", texts[i], len(o.Tokens), want)
		}
	}
	if c := out[0].Confidence; c < 0.8 || c > 0.84 { // exp(−0.2)
		t.Errorf("confidence is %v, want that of the log-probabilities", c)
	}
	if n := s.Counts().Asked[texts[0]]; n != 1 {
		t.Errorf("the repeated caption was asked %d times", n)
	}
}

// What go-openai leaves out is sent all the same.
func TestSamplingIsSent(t *testing.T) {
	s := serverFor(t, fakevllm.Config{})
	o := optionsFor(t, s)
	o.Sampling = map[string]any{"top_k": 1, "chat_template_kwargs": map[string]any{"enable_thinking": false}}
	parse(t, parserFor(t, o), "a dog")
	b := s.RequestBody(0)
	if v, ok := b["temperature"]; !ok || v != 0.0 {
		t.Errorf("temperature is %v (%v)", v, ok)
	}
	if b["top_k"] != 1.0 || b["chat_template_kwargs"] == nil || b["model"] != "fake" || b["max_tokens"] == nil {
		t.Errorf("body is %v", b)
	}
}

// A server's prefix cache holds what comes before the caption, and a caption
// comes through whatever stands in it.
func TestTheCaptionComesLast(t *testing.T) {
	for _, form := range []string{client.ReplySchema, client.ReplyPlain} {
		s := serverFor(t, fakevllm.Config{})
		o := optionsFor(t, s)
		o.Model, o.Reply = `{"content":"`, form
		p := parserFor(t, o)
		for i, text := range []string{"a dog", `"content":"a cat"`, "<b> & größer\u2028", ""} {
			parse(t, p, text)
			b := s.RequestBody(i)
			messages, ok := b["messages"].([]any)
			if !ok || len(messages) != 1 || b["model"] != o.Model {
				t.Fatalf("body is %v", b)
			}
			message := messages[0].(map[string]any)
			before, found := strings.CutSuffix(message["content"].(string), "\nCaption: "+text)
			if !found || !strings.HasPrefix(before, task) || !strings.Contains(before, promptExamples[0].Answer) || message["role"] != "user" {
				t.Errorf("%s: message for %q is %v", form, text, message)
			}
			if (b["response_format"] != nil) != (form == client.ReplySchema) {
				t.Errorf("%s: body is %v", form, b)
			}
		}
	}
}

func TestNothingIsAskedTwice(t *testing.T) {
	s := serverFor(t, fakevllm.Config{Mean: 5 * time.Millisecond})
	o := optionsFor(t, s)
	texts := captions(100)
	p := parserFor(t, o)
	var wait sync.WaitGroup
	for range 4 { // four batches at once, all the same
		wait.Go(func() { parse(t, p, append(texts, texts...)...) })
	}
	wait.Wait()
	first := parse(t, p, texts...)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	again := parse(t, parserFor(t, o), texts...)
	for i := range texts {
		if line(texts[i], &first[i].Graph) != line(texts[i], &again[i].Graph) || first[i].Confidence != again[i].Confidence {
			t.Errorf("%q differs when it comes from the cache", texts[i])
		}
	}
	if n := s.Counts().Requests; n != len(texts) {
		t.Errorf("%d requests for %d texts", n, len(texts))
	}
}

// Who waits for another batch's question asks it where that batch is cancelled.
func TestCancelledBatchLeavesItsQuestionsToOthers(t *testing.T) {
	s := serverFor(t, fakevllm.Config{Slots: 1, Mean: 30 * time.Millisecond})
	o := optionsFor(t, s)
	o.Reply = client.ReplyPlain
	p := parserFor(t, o)
	texts := captions(8)
	ctx, cancel := context.WithCancel(t.Context())
	var cancelled error
	var wait sync.WaitGroup
	wait.Go(func() { cancelled = p.Parse(ctx, texts, make([]schemas.Parsed, len(texts))) })
	for s.Counts().Requests == 0 {
		time.Sleep(time.Millisecond)
	}
	time.AfterFunc(20*time.Millisecond, cancel)
	for i, out := range parse(t, p, texts...) {
		if got := line(texts[i], &out.Graph); !strings.HasPrefix(got, "dog; table") {
			t.Errorf("%q: graph %q", texts[i], got)
		}
	}
	wait.Wait()
	if !errors.Is(cancelled, context.Canceled) {
		t.Errorf("the first batch ended with %v before it was cancelled", cancelled)
	}
}

func TestOtherModelPromptOrSamplingIsAskedAnew(t *testing.T) {
	s := serverFor(t, fakevllm.Config{})
	o := optionsFor(t, s)
	for i, change := range []func(){func() {}, func() { o.Model = "other" }, func() { o.Sampling = map[string]any{"temperature": 0.5} }} {
		change()
		p := parserFor(t, o)
		parse(t, p, "a dog")
		p.Close()
		if n := s.Counts().Requests; n != i+1 {
			t.Errorf("%d requests after %d settings", n, i+1)
		}
	}
}

// A machine that is busy delays the replies of one trial more than those of the other: then the server of the same
// form takes longer, until the machine keeps up with it.
func TestFormFollowsTheServer(t *testing.T) {
	t.Parallel()
	const alike = 8 // the seed by which the replies of both trials are as long
	for _, c := range []struct {
		name   string
		config fakevllm.Config
		means  []time.Duration // tried one after another
		want   string
	}{
		{"keeps to the schema", fakevllm.Config{Seed: alike}, []time.Duration{time.Second, 5 * time.Second, 15 * time.Second}, client.ReplySchema},
		{"ignores the schema", fakevllm.Config{IgnoreSchema: true}, []time.Duration{0}, client.ReplyPlain},
		{"refuses the schema", fakevllm.Config{RefuseSchema: true}, []time.Duration{0}, client.ReplyPlain},
		{"is slow with a schema", fakevllm.Config{Seed: alike, SchemaCost: 20}, []time.Duration{40 * time.Millisecond, 200 * time.Millisecond, time.Second}, client.ReplyPlain},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var form string
			for _, c.config.Mean = range c.means {
				p := parserFor(t, optionsFor(t, serverFor(t, c.config)))
				texts := captions(20)
				for i, o := range parse(t, p, texts...) {
					if o.Reject != "" || len(o.Graph.Objects) != 2 {
						t.Errorf("%q: %d objects, reject %q", texts[i], len(o.Graph.Objects), o.Reject)
					}
				}
				if form = formOf(p); form == c.want {
					return
				}
			}
			t.Errorf("form is %s, want %s", form, c.want)
		})
	}
}

// A server that answers one request at a time is slower than the time-out for all that wait. On a loaded
// machine all is slower: then the test takes longer times, until the machine keeps up with them.
func TestSlowServerIsWaitedFor(t *testing.T) {
	t.Parallel()
	var rejected, requests int64
	texts := captions(60)
	for _, mean := range []time.Duration{50 * time.Millisecond, 200 * time.Millisecond, time.Second} {
		s := serverFor(t, fakevllm.Config{Slots: 1, Mean: mean})
		o := optionsFor(t, s)
		o.Reply, o.Timeout, o.OnBad = client.ReplyPlain, 4*mean, client.OnBadReject
		p := parserFor(t, o)
		rejected = 0
		for _, out := range parse(t, p, texts...) {
			if out.Reject != "" {
				rejected++
			}
		}
		if requests = p.Stats().Requests; rejected == 0 && requests <= int64(len(texts)*3/2) {
			return
		}
	}
	t.Errorf("%d rejects, %d requests for %d captions", rejected, requests, len(texts))
}

// Each fault that comes once is got over.
func TestEveryFaultIsRetried(t *testing.T) {
	t.Parallel()
	for _, k := range fakevllm.Kinds() {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			s := serverFor(t, fakevllm.Config{Seed: 3, Faults: []fakevllm.Fault{{Kind: k, Share: 0.2}}})
			o := optionsFor(t, s)
			o.Reply, o.Timeout, o.OnBad = client.ReplyPlain, 2*time.Second, client.OnBadReject
			texts := captions(40)
			out := parse(t, parserFor(t, o), texts...)
			bad := 0
			for i := range out {
				if out[i].Reject != "" {
					bad++
				} else if got := line(texts[i], &out[i].Graph); !strings.HasPrefix(got, "dog; table") {
					t.Errorf("%q: graph %q", texts[i], got)
				}
			}
			c := s.Counts()
			if c.Faults == 0 {
				t.Error("no fault came")
			}
			// Two useless replies in a row make a reject; anything else is asked again.
			if repeated := k == fakevllm.WrongSchema || k == fakevllm.Prose || k == fakevllm.Truncated; bad > 0 && !repeated || bad > 8 {
				t.Errorf("%d of %d texts were rejected", bad, len(texts))
			}
		})
	}
}

// Under faults of all kinds at once every caption ends once, as a graph or as
// a reject with a reason, and the counts add up.
func TestEveryCaptionIsAccountedForUnderFaults(t *testing.T) {
	t.Parallel()
	a := serverFor(t, fakevllm.Config{Slots: 64, Mean: 10 * time.Millisecond, Seed: 1, Faults: fakevllm.AllKinds(0.3)})
	b := serverFor(t, fakevllm.Config{Slots: 16, Mean: 10 * time.Millisecond, Seed: 2, Faults: fakevllm.AllKinds(0.3)})
	o := optionsFor(t, a, b)
	// Long enough that no whole answer comes too late on a busy machine.
	o.Timeout, o.OnBad = longtest.Pick(5*time.Second, 2*time.Second), client.OnBadReject
	p := parserFor(t, o)
	texts := captions(longtest.Pick(300, 60))
	graphs, rejects := 0, 0
	for i, out := range parse(t, p, texts...) {
		switch {
		case out.Reject == "" && len(out.Graph.Objects) == 2:
			graphs++
		case strings.HasPrefix(out.Reject, "llm_"):
			rejects++
		default:
			t.Errorf("%q: %+v", texts[i], out)
		}
	}
	st := p.Stats()
	var counted int64
	for _, n := range st.Bad {
		counted += n
	}
	if graphs+rejects != len(texts) || counted != int64(rejects) || st.Texts != int64(len(texts)) {
		t.Errorf("%d graphs, %d rejects (%v counted) of %d texts; %d counted as done", graphs, rejects, st.Bad, len(texts), st.Texts)
	}
	if rejects > len(texts)/20 {
		t.Errorf("%d of %d texts were rejected", rejects, len(texts))
	}
	for caption := range a.Counts().Asked {
		if n := a.Counts().Answered[caption] + b.Counts().Answered[caption]; n > 2 {
			t.Errorf("%q was answered %d times", caption, n)
		}
	}
	t.Log(st.Attrs())
}

func TestBadReplyFallsBackToRules(t *testing.T) {
	s := serverFor(t, fakevllm.Config{Answer: func(string) string { return "{sorry" }})
	o := optionsFor(t, s)
	text := "a brown dog"
	out := parse(t, parserFor(t, o), text)
	var want schemas.Parsed
	rules(t).ParseText(text, &want)
	if line(text, &out[0].Graph) != line(text, &want.Graph) || out[0].Parser != want.Parser+" (llmparse/3: not_json)" {
		t.Errorf("graph %q by %q", line(text, &out[0].Graph), out[0].Parser)
	}
}

func TestTruncatedReplyGetsMoreRoom(t *testing.T) {
	s := serverFor(t, fakevllm.Config{Faults: []fakevllm.Fault{{Kind: fakevllm.Truncated, Share: 1}}})
	o := optionsFor(t, s)
	o.Reply, o.OnBad = client.ReplySchema, client.OnBadReject
	out := parse(t, parserFor(t, o), "a dog on a table")
	if out[0].Reject != "llm_truncated" {
		t.Errorf("reject is %q", out[0].Reject)
	}
	if a, b := s.RequestBody(0)["max_tokens"].(float64), s.RequestBody(1)["max_tokens"].(float64); b <= a || b > float64(o.MaxTokens) || s.RequestBody(2) != nil {
		t.Errorf("max_tokens %v, then %v", a, b)
	}
}

func TestKeyIsNeverShown(t *testing.T) {
	const key = "sk-secret-0123456789"
	s := serverFor(t, fakevllm.Config{Key: "another"})
	t.Setenv("CAPGRAPH_TEST_KEY", key)
	o := optionsFor(t, s)
	o.APIKeyEnv = "CAPGRAPH_TEST_KEY"
	p := parserFor(t, o)
	err := p.Parse(t.Context(), []string{"a dog"}, make([]schemas.Parsed, 1))
	if err == nil || !strings.Contains(err.Error(), "[key]") {
		t.Fatalf("the server's refusal is not told: %v", err)
	}
	files, _ := filepath.Glob(filepath.Join(o.Cache, "*"))
	for _, f := range files {
		b, _ := os.ReadFile(f)
		if strings.Contains(string(b), key) {
			t.Errorf("%s holds the key", f)
		}
	}
	for what, s := range map[string]string{"error": err.Error(), "stats": fmt.Sprint(p.Stats().Attrs()), "options": fmt.Sprintf("%+v", p.opts)} {
		if strings.Contains(s, key) {
			t.Errorf("%s holds the key: %s", what, s)
		}
	}
}

func TestKeyIsSent(t *testing.T) {
	s := serverFor(t, fakevllm.Config{Key: "right"})
	o := optionsFor(t, s)
	o.APIKeyFile = filepath.Join(t.TempDir(), "key")
	os.WriteFile(o.APIKeyFile, []byte("right\n"), 0o600)
	if out := parse(t, parserFor(t, o), "a dog"); len(out[0].Graph.Objects) != 1 {
		t.Errorf("%+v", out[0])
	}
}

func TestRunStopsWhenTheBudgetIsSpent(t *testing.T) {
	s := serverFor(t, fakevllm.Config{Faults: []fakevllm.Fault{{Kind: fakevllm.NoChoices, Share: 0.8}}})
	o := optionsFor(t, s)
	o.Reply, o.FailureBudget, o.Attempts = client.ReplyPlain, 3, 1
	texts := captions(200)
	err := parserFor(t, o).Parse(t.Context(), texts, make([]schemas.Parsed, len(texts)))
	if err == nil || !strings.Contains(err.Error(), "more than 3 texts have failed") || !strings.Contains(err.Error(), "failure_budget") {
		t.Errorf("error is %v", err)
	}
}

func TestRunStopsWhenNoEndpointAnswers(t *testing.T) {
	t.Parallel()
	o := optionsFor(t)
	s := serverFor(t, fakevllm.Config{Faults: []fakevllm.Fault{{Kind: fakevllm.Unavailable, Share: 1}}})
	o.Endpoints, o.GiveUpAfter = []string{s.URL}, 50*time.Millisecond
	o.Reply = client.ReplyPlain
	texts := captions(30)
	err := parserFor(t, o).Parse(t.Context(), texts, make([]schemas.Parsed, len(texts)))
	if err == nil || !strings.Contains(err.Error(), "no endpoint has answered for 50ms") {
		t.Errorf("error is %v", err)
	}
}

// An endpoint that is gone rests, and the others do its work.
func TestFailingEndpointRests(t *testing.T) {
	t.Parallel()
	good := serverFor(t, fakevllm.Config{Mean: time.Millisecond})
	o := optionsFor(t, good)
	o.Endpoints = append([]string{"http://127.0.0.1:1/v1"}, o.Endpoints...)
	p := parserFor(t, o)
	for i, out := range parse(t, p, captions(100)...) {
		if out.Reject != "" || !strings.HasPrefix(out.Parser, Name+" ") {
			t.Errorf("text %d: %q, reject %q", i, out.Parser, out.Reject)
		}
	}
	if st := p.Stats(); st.Failures["connection"] > 40 {
		t.Errorf("an endpoint that is gone was asked %d times", st.Failures["connection"])
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	s := serverFor(t, fakevllm.Config{Seed: 5, Faults: []fakevllm.Fault{{Kind: fakevllm.LimitedAfter, Share: 0.5, After: time.Second}}})
	o := optionsFor(t, s)
	o.Reply = client.ReplyPlain
	start := time.Now()
	parse(t, parserFor(t, o), captions(4)...)
	if took := time.Since(start); s.Counts().Faults > 0 && took < time.Second {
		t.Errorf("asked again after %v although the server said 1 s", took)
	}
}

func TestCancelledParseReturns(t *testing.T) {
	s := serverFor(t, fakevllm.Config{Faults: []fakevllm.Fault{{Kind: fakevllm.Hang, Share: 1}}})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	texts := captions(50)
	err := parserFor(t, optionsFor(t, s)).Parse(ctx, texts, make([]schemas.Parsed, len(texts)))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestWithoutEndpointsTheCacheAnswers(t *testing.T) {
	s := serverFor(t, fakevllm.Config{})
	o := optionsFor(t, s)
	p := parserFor(t, o)
	parse(t, p, "a dog")
	p.Close()
	o.Endpoints, o.OnBad = nil, client.OnBadReject
	out := parse(t, parserFor(t, o), "a dog", "a cat")
	if out[0].Reject != "" || out[1].Reject != "llm_not_asked" {
		t.Errorf("rejects %q and %q", out[0].Reject, out[1].Reject)
	}
}

func TestHybridAsksOnlyWhereRulesAreUnsure(t *testing.T) {
	for want, threshold := range map[int]float64{0: 0, 2: 1} {
		s := serverFor(t, fakevllm.Config{})
		o := optionsFor(t, s)
		o.Threshold = threshold
		p, err := NewHybrid(o, rules(t))
		if err != nil {
			t.Fatal(err)
		}
		parse(t, p, "a dog", "a cat")
		p.Close()
		if n := s.Counts().Requests; n != want {
			t.Errorf("threshold %g: %d requests, want %d", threshold, n, want)
		}
	}
}

func TestWhatIsCountedIsForPrometheus(t *testing.T) {
	s := serverFor(t, fakevllm.Config{})
	o := optionsFor(t, s)
	p := parserFor(t, o)
	parse(t, p, "a dog")
	var b strings.Builder
	families, err := p.Metrics().Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		fmt.Fprintln(&b, f.GetName())
	}
	for _, want := range []string{"requests_total", "completion_tokens_total", "request_duration_seconds", "requests_in_flight", "unusable_replies_total", "request_failures_total", "reply_repairs_total"} {
		if !strings.Contains(b.String(), "capgraph_llm_"+want) {
			t.Errorf("no metric capgraph_llm_%s in\n%s", want, b.String())
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for want, change := range map[string]func(*client.Options){
		"model":            func(o *client.Options) { o.Model = "" },
		"api_key_env":      func(o *client.Options) { o.APIKeyEnv, o.APIKeyFile = "A", "B" },
		"reply":            func(o *client.Options) { o.Reply = "xml" },
		"on_bad_reply":     func(o *client.Options) { o.OnBad = "ignore" },
		"max_tokens":       func(o *client.Options) { o.MaxTokens = 0 },
		"threshold":        func(o *client.Options) { o.Threshold = 2 },
		"min_in_flight":    func(o *client.Options) { o.MinInFlight = 0 },
		"max_in_flight":    func(o *client.Options) { o.MaxInFlight = 0 },
		"timeout":          func(o *client.Options) { o.Timeout = 0 },
		"attempts":         func(o *client.Options) { o.Attempts = 0 },
		"failure_budget":   func(o *client.Options) { o.FailureBudget = -1 },
		"wait_for_server":  func(o *client.Options) { o.WaitForServer = -1 },
		"unusable_share":   func(o *client.Options) { o.UnusableShare = 1.5 },
		"give_up_after":    func(o *client.Options) { o.GiveUpAfter = 0 },
		"cache":            func(o *client.Options) { o.Cache = "" },
		"prices":           func(o *client.Options) { o.Prices.Input = -1 },
		"sampling: stream": func(o *client.Options) { o.Sampling = map[string]any{"stream": true} },
		"endpoints[0]":     func(o *client.Options) { o.Endpoints = []string{"gpu1:8000"} },
		"endpoints[1]":     func(o *client.Options) { o.Endpoints = []string{"http://gpu1", "http://user:pw@gpu1"} },
	} {
		o := client.Defaults()
		o.Model = "m"
		if err := o.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&o)
		if err := o.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "pw") {
			t.Errorf("%s: error is %v", want, err)
		}
	}
}
