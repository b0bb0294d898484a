package llmparse

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"capgraph/llmparse/client"
	"capgraph/schemas"
	"capgraph/testing/fakevllm"
)

// A server that redirects is an error that names both addresses: no caption and no key goes
// to the other one, and nothing that it says becomes a reply.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Setenv("LLM_KEY", "sk-SECRETKEY")
	const secret = "SECRETPW"
	for _, c := range []struct {
		what   string
		status int
		// to is where the server redirects to, given its own address and the other server's.
		to   func(own, other *url.URL) string
		want string // in the error, given both
	}{
		{"another port", 307, func(_, other *url.URL) string { return other.String() + "/v1/chat/completions" }, "%[1]s/v1/chat/completions redirects to %[2]s/v1/chat/completions"},
		{"another port, for good", 308, func(_, other *url.URL) string { return other.String() + "/v1/chat/completions" }, "redirects to %[2]s/v1/chat/completions"},
		{"another host name", 307, func(_, other *url.URL) string { return "http://localhost:" + other.Port() + "/v1/chat/completions" }, "redirects to http://localhost:"},
		{"found elsewhere", 302, func(_, other *url.URL) string { return other.String() + "/answer" }, "redirects to %[2]s/answer"},
		{"see elsewhere", 303, func(_, other *url.URL) string { return other.String() + "/answer" }, "redirects to %[2]s/answer"},
		{"with credentials", 301, func(_, other *url.URL) string {
			return "http://user:" + secret + "@" + other.Host + "/v1?key=" + secret + "#" + secret
		}, "redirects to %[2]s/v1,"},
		{"in a loop", 307, func(own, _ *url.URL) string { return own.String() + "/v1/chat/completions" }, "redirects to %[1]s/v1/chat/completions"},
		{"what is no address", 302, func(_, _ *url.URL) string { return "http://[" }, "redirects to what is no address"},
		{"nowhere", 302, nil, "status 302 Found"},
		{"unchanged", 304, nil, "status 304 Not Modified"},
	} {
		t.Run(c.what, func(t *testing.T) {
			other := serverFor(t, fakevllm.Config{})
			otherURL, err := url.Parse(strings.TrimSuffix(other.URL, "/v1"))
			if err != nil {
				t.Fatal(err)
			}
			var asked atomic.Int64
			var own *httptest.Server
			own = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked.Add(1)
				if c.to != nil {
					ownURL, _ := url.Parse(own.URL)
					w.Header().Set("Location", c.to(ownURL, otherURL))
				}
				w.WriteHeader(c.status)
			}))
			defer own.Close()
			o := optionsFor(t)
			o.Endpoints, o.APIKeyEnv, o.Reply, o.MaxInFlight = []string{own.URL + "/v1"}, "LLM_KEY", client.ReplyPlain, 1
			p := parserFor(t, o)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			err = p.Parse(ctx, captions(5), make([]schemas.Parsed, 5))
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range []string{fmt.Sprintf(c.want+"%.0[1]s%.0[2]s", own.URL, otherURL), fmt.Sprint("status ", c.status), "parse.endpoints"} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error lacks %q: %v", want, err)
				}
			}
			if strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "SECRETKEY") {
				t.Errorf("a secret is in %v", err)
			}
			if n := other.Counts().Requests; n != 0 {
				t.Errorf("%d requests arrived at the other server", n)
			}
			if n := asked.Load(); n > 5 {
				t.Errorf("%d requests arrived, more than there are captions", n)
			}
		})
	}
}
