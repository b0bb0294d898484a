package llmparse

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"capgraph/llmparse/client"
	"capgraph/schemas"
)

// A refusal is what its status says, and told in the server's words, whichever
// form they come in.
func TestRefusalsAreUnderstood(t *testing.T) {
	for _, c := range []struct {
		status           int
		body, kind, told string
	}{
		{422, `{"error":"inputs are too long","error_type":"validation"}`, "declined", "status 422 Unprocessable Entity: inputs are too long"},
		{422, `{"error":{"message":"inputs are too long"}}`, "declined", "Unprocessable Entity: inputs are too long"},
		{400, `{"object":"error","message":"max context","code":400}`, "declined", "Bad Request: max context"},
		{429, `{"error":"Model is overloaded","error_type":"overloaded"}`, "limited", "Too Many Requests: Model is overloaded"},
		{500, `{"error":"out of memory"}`, "server", "Internal Server Error: out of memory"},
		{503, "", "unavailable", "status 503 Service Unavailable"},
		{502, "<html>bad\ngateway</html>", "server", "Bad Gateway: <html>bad gateway</html>"},
		{401, `{"error":"bad key"}`, "key_or_model", "Unauthorized: bad key: see parse.model"},
		{404, `{"detail":"Not Found"}`, "key_or_model", "status 404 Not Found: Not Found: see parse.model"},
		{422, `{"detail":[{"msg":"field required"}]}`, "declined", `[{"msg":"field required"}]`},
		{200, strings.Repeat(" ", 1<<20), "malformed", "the reply is longer than max_tokens allows: more than"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			w.Write([]byte(c.body))
		}))
		o := optionsFor(t)
		o.Endpoints, o.Reply, o.Attempts, o.FailureBudget = []string{s.URL}, client.ReplyPlain, 1, 0
		p := parserFor(t, o)
		err := p.Parse(t.Context(), []string{"a dog"}, make([]schemas.Parsed, 1))
		if err == nil || !strings.Contains(err.Error(), c.told) {
			t.Errorf("%d %.60s: error is %v, want %q in it", c.status, c.body, err, c.told)
		}
		if failures := p.Stats().Failures; failures[c.kind] != 1 || len(failures) != 1 {
			t.Errorf("%d %.60s: failures are %v, want %s", c.status, c.body, failures, c.kind)
		}
		s.Close()
	}
}
