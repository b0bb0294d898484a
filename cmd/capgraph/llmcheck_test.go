package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestLLMCheckOfEmptyReplies says why no reply can be used if a server answers without content.
func TestLLMCheckOfEmptyReplies(t *testing.T) {
	for _, content := range []string{`null`, `""`, `"[not a graph]"`} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if strings.HasSuffix(r.URL.Path, "/models") {
				fmt.Fprint(w, `{"object": "list", "data": [{"id": "m", "object": "model"}]}`)
				return
			}
			fmt.Fprintf(w, `{"choices": [{"index": 0, "message": {"role": "assistant", "content": %s}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 5, "completion_tokens": 1}}`, content)
		}))
		code, out, errs := command("", "llm", "check", server.URL+"/v1")
		server.Close()
		_, why, found := strings.Cut(errs, "can be used: ")
		if code != exitFailed || !found || len(strings.TrimSpace(why)) < 5 {
			t.Errorf("%s: exit %d, %s%s", content, code, out, errs)
		}
	}
}
