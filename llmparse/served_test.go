package llmparse

import (
	"os"
	"strings"
	"testing"
	"time"

	"capgraph/llmparse/client"
)

// TestServedModel drives a real OpenAI-compatible server, whatever its model
// knows: every caption ends as a graph or as a reject, and a second run asks
// nothing. CAPGRAPH_TEST_ENDPOINT is its base URL, CAPGRAPH_TEST_MODEL its model.
func TestServedModel(t *testing.T) {
	endpoint := os.Getenv("CAPGRAPH_TEST_ENDPOINT")
	if endpoint == "" {
		t.Skip("CAPGRAPH_TEST_ENDPOINT is not set: no served model is tested")
	}
	o := optionsFor(t)
	o.Endpoints, o.Model, o.OnBad = []string{endpoint}, os.Getenv("CAPGRAPH_TEST_MODEL"), client.OnBadReject
	o.MaxTokens, o.Timeout = 256, time.Minute
	p := parserFor(t, o)
	texts := captions(24)
	graphs, rejects := 0, 0
	for i, out := range parse(t, p, texts...) {
		switch {
		case out.Reject == "":
			graphs++
		case strings.HasPrefix(out.Reject, "llm_"):
			rejects++
		default:
			t.Errorf("%q: %+v", texts[i], out)
		}
	}
	st := p.Stats()
	t.Logf("form %s, %d graphs, %d rejects; %v", formOf(p), graphs, rejects, st.Attrs())
	parse(t, p, texts...)
	if again := p.Stats().Requests; again != st.Requests {
		t.Errorf("%d requests for texts that were asked before", again-st.Requests)
	}
}
