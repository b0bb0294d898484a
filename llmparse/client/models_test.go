package client

import (
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestModelListIsBounded ends a list of models that does not end.
func TestModelListIsBounded(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(`{"data": [{"id": "`))
		for part := []byte(strings.Repeat("x", 1<<16)); r.Context().Err() == nil; {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	_, err := ListModels(t.Context(), Options{Endpoints: []string{server.URL + "/v1"}})
	if err == nil || !strings.Contains(err.Error(), "the list of models has more than") {
		t.Error(err)
	}
}

// TestTokensDoNotOverflow adds what a server that lies says.
func TestTokensDoNotOverflow(t *testing.T) {
	m := newMeter()
	for range 3 {
		m.recordAnswer(time.Second, math.MaxInt64, math.MinInt64)
	}
	if in, out := m.tokensIn.Load(), m.tokensOut.Load(); in <= 0 || out < 0 {
		t.Errorf("%d and %d tokens", in, out)
	}
}
