package llmparse

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"capgraph/llmparse/client"
	"capgraph/schemas"
	"capgraph/testing/fakevllm"
)

// recordedServer returns the URL of a server that answers the requests which recorded accepts with
// a body of testdata/served, and others as fakevllm does.
func recordedServer(t *testing.T, status int, file string, recorded func(request string) bool) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", "served", file))
	if err != nil {
		t.Fatal(err)
	}
	other := serverFor(t, fakevllm.Config{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if !recorded(string(request)) {
			r.Body = io.NopCloser(strings.NewReader(string(request)))
			other.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		w.Write(body)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

func always(string) bool { return true }

func TestServersThatRefuseSchemasAreAskedForPlainReplies(t *testing.T) {
	t.Parallel()
	for file, status := range map[string]int{
		"vllm_schema_refused.json":           400,
		"vllm_form_unknown.json":             400,
		"llama_schema_refused.json":          400,
		"llama_form_unknown.json":            400,
		"llama_cpp_python_form_unknown.json": 500,
	} {
		o := optionsFor(t)
		o.OnBad = client.OnBadReject
		o.Endpoints = []string{recordedServer(t, status, file, func(request string) bool { return strings.Contains(request, `"response_format"`) })}
		p := parserFor(t, o)
		for i, out := range parse(t, p, captions(20)...) {
			if out.Reject != "" || len(out.Graph.Objects) != 2 {
				t.Errorf("%s: caption %d has %d objects, reject %q", file, i, len(out.Graph.Objects), out.Reject)
			}
		}
		if formOf(p) != client.ReplyPlain {
			t.Errorf("%s: form is %s", file, formOf(p))
		}
		if failures := p.Stats().Failures; failures["declined"] == 0 || len(failures) != 1 {
			t.Errorf("%s: failures are %v", file, failures)
		}
	}
}

// llama.cpp answers while it loads a model, so no setting is needed.
func TestServerThatLoadsItsModelIsWaitedFor(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	o := optionsFor(t)
	o.OnBad, o.Reply = client.OnBadReject, client.ReplyPlain
	o.Endpoints = []string{recordedServer(t, 503, "llama_loading.json", func(string) bool { return requests.Add(1) <= 12 })}
	p := parserFor(t, o)
	var words told
	p.SetWarn(words.add)
	for i, out := range parse(t, p, captions(20)...) {
		if out.Reject != "" {
			t.Errorf("caption %d: reject %q", i, out.Reject)
		}
	}
	if said := words.all(); !strings.Contains(said, "503 Service Unavailable: Loading model") || !strings.HasSuffix(said, " answers now") {
		t.Errorf("told:\n%s", said)
	}
}

// A server that dies in the middle of its responses has answered, so it is waited for; what it said
// is told in words.
func TestFailedServerIsNamed(t *testing.T) {
	t.Parallel()
	s := serverFor(t, fakevllm.Config{FaultOf: poisoned(fakevllm.Reset)})
	o := optionsFor(t, s)
	o.OnBad, o.Reply, o.Attempts = client.OnBadReject, client.ReplyPlain, 2
	p := parserFor(t, o)
	out := parse(t, p, "a dog on a table", "a poison bottle")
	if out[0].Reject != "" || out[1].Reject != "llm_unanswered" || !strings.Contains(out[1].Detail, "ended the connection before its response was complete") {
		t.Errorf("rejects %q, %q: %s", out[0].Reject, out[1].Reject, out[1].Detail)
	}
	if n := p.Stats().Failures; n["connection"] != 2 || len(n) != 1 {
		t.Errorf("failures are %v", n)
	}
}

// Every reply that is no graph has its reason, and what was said is shown.
func TestRecordedRepliesHaveReasons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file           string
		status         int
		reason, detail string // of the reject
		shown          string
	}{
		{"vllm_thinks.json", 200, "llm_only_thought", "", "enable_thinking: false"},
		{"vllm_stops.json", 200, "llm_no_answer", "", `was answered ""`},
		{"vllm_too_long.json", 400, "llm_declined", "max_tokens=5000 cannot be greater than max_model_len=4096", "max_model_len=4096"},
		{"llama_too_long.json", 400, "llm_declined", "exceeds the available context size (4096 tokens)", "context size"},
	} {
		o := optionsFor(t)
		o.OnBad, o.Reply = client.OnBadReject, client.ReplySchema
		last := ""
		o.Endpoints = []string{recordedServer(t, c.status, c.file, func(request string) bool { last = request; return true })}
		p := parserFor(t, o)
		out := parse(t, p, "a dog on a table")
		if out[0].Reject != c.reason || !strings.Contains(out[0].Detail, c.detail) {
			t.Errorf("%s: reject %q: %s", c.file, out[0].Reject, out[0].Detail)
		}
		if shown := p.DescribeUnusable(); !strings.Contains(shown, c.shown) {
			t.Errorf("%s: shown are %s", c.file, shown)
		}
		if all := strings.Contains(last, `"max_tokens":1024`); all != (c.reason == "llm_only_thought") {
			t.Errorf("%s: the last request is %s", c.file, last)
		}
	}
}

func TestUnknownModelStopsTheRun(t *testing.T) {
	t.Parallel()
	o := optionsFor(t)
	o.Endpoints = []string{recordedServer(t, 404, "vllm_model_unknown.json", always)}
	err := parserFor(t, o).Parse(t.Context(), captions(3), make([]schemas.Parsed, 3))
	if err == nil || !strings.Contains(err.Error(), "The model `other` does not exist") || !strings.Contains(err.Error(), "see parse.model") {
		t.Errorf("error is %v", err)
	}
}

// completing serves completions whose message answer makes of the request's.
func completing(t *testing.T, answer func(message, form string) map[string]any) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Messages []struct{ Content string }
			Format   json.RawMessage `json:"response_format"`
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			t.Error(err)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{"message": answer(request.Messages[0].Content, string(request.Format)), "finish_reason": "stop"}},
		})
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// A graph is never made of the prompt, of a thought or of a caption that the model makes up.
func TestRepliesBesideTheAnswer(t *testing.T) {
	t.Parallel()
	const graph = `{"entities":["dog","table"],"relationships":[{"subject":0,"relationship":"on","object":1}]}`
	content := func(text string) map[string]any { return map[string]any{"content": text} }
	for name, c := range map[string]struct {
		answer func(message, form string) map[string]any
		want   string // reject; empty for the graph
	}{
		"echo of the prompt":     {func(message, _ string) map[string]any { return content(message) }, "llm_echoed"},
		"echo of the schema":     {func(_, form string) map[string]any { return content(form) }, "llm_wrong_schema"},
		"thought without an end": {func(_, _ string) map[string]any { return content("<think>\nit could be " + graph) }, "llm_only_thought"},
		"thought":                {func(_, _ string) map[string]any { return content("<think>{}</think>\n\n" + graph) }, ""},
		"thought in a field": {func(_, _ string) map[string]any {
			return map[string]any{"content": graph, "reasoning_content": "a {dog}"}
		}, ""},
		"answer in the field of thoughts": {func(_, _ string) map[string]any { return map[string]any{"content": nil, "reasoning": graph} }, ""},
		"captions of its own": {func(_, _ string) map[string]any {
			return content("[ANS]" + graph + "[/ANS]\n\nCaption: a cat\n[ANS]{\"entities\":[\"cat\"]}[/ANS]")
		}, ""},
	} {
		for _, form := range []string{client.ReplySchema, client.ReplyPlain} {
			o := optionsFor(t)
			o.OnBad, o.Reply, o.Endpoints = client.OnBadReject, form, []string{completing(t, c.answer)}
			if form == client.ReplyPlain && name == "echo of the schema" {
				continue
			}
			out := parse(t, parserFor(t, o), "a dog on a table")
			if out[0].Reject != c.want || c.want == "" && line("a dog on a table", &out[0].Graph) != "dog; table | 0 on 1" {
				t.Errorf("%s, %s: reject %q, %s", name, form, out[0].Reject, line("a dog on a table", &out[0].Graph))
			}
		}
	}
}
