package clip

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// charts are those of texts, one after another.
type charts [][]Chart

func (c charts) Spans(context.Context, []string) ([][]Chart, error) { return c, nil }

type noCharts struct{ err error }

func (n noCharts) Spans(context.Context, []string) ([][]Chart, error) { return nil, n.err }

// Four words "a b c d": of the three splits of all, ab|cd is the best.
func TestTreeScoresOfCharts(t *testing.T) {
	four := Chart{
		{1, 0.9, 0.2, 1}, // a, ab, abc, abcd
		{1, 0.1, 0.3},    // b, bc, bcd
		{1, 0.7},         // c, cd
		{1},
	}
	flat := Chart{{0, 0, 0, 0}, {0, 0, 0}, {0, 0}, {0}}
	two := Chart{{1, 1}, {0.5}}
	r, err := TreeScores(t.Context(), charts{{four, flat}, {two, two}, {{}, {}}}, "tree", make([]string, 3), Options{})
	if err != nil || len(r.Measures) != 2 || r.Name != "tree" {
		t.Fatalf("%v, %+v", err, r)
	}
	// abc|d and a|bcd are 1.2 and 1.3; ab and cd have one split each.
	want := 1.6 - (1.2+1.3+1.6)/3
	if v := r.Measures[0].Values; len(v) != 3 || v[0] < want-1e-12 || v[0] > want+1e-12 || v[1] != 0 || v[2] != 0 {
		t.Errorf("%v, want %v", v, want)
	}
	if v := r.Measures[1].Values; v[0] != 0 || r.Measures[1].Share {
		t.Errorf("what does not depend on the words around it has %v", v)
	}
}

func TestTreeScoresOfWhatFails(t *testing.T) {
	if _, err := TreeScores(t.Context(), charts{{{}, {}}, {{}}}, "", make([]string, 2), Options{}); err == nil || !strings.Contains(err.Error(), "2 charts of one text, and 1") && !strings.Contains(err.Error(), "1 charts of one text, and 2") {
		t.Error(err)
	}
	broken := errors.New("broken")
	if _, err := TreeScores(t.Context(), noCharts{broken}, "", make([]string, 2), Options{}); !errors.Is(err, broken) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := TreeScores(ctx, charts{{{}}}, "", make([]string, 1), Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if r, err := TreeScores(t.Context(), charts{}, "", nil, Options{}); err != nil || len(r.Measures) != 0 {
		t.Error(r, err)
	}
}
