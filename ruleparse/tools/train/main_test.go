package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"testing"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/convnet"
	"capgraph/ruleparse/internal/model"
	"capgraph/ruleparse/internal/tokens"
)

// unpacked returns the embedded network, and the model whose words it is for.
func unpacked(t *testing.T) (string, *model.Model) {
	t.Helper()
	m, err := model.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(network))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), m
}

// TestNetworkIsRead is also run by python/tests/test_teach.py, with a newly trained network in
// place of the embedded one.
func TestNetworkIsRead(t *testing.T) {
	s, m := unpacked(t)
	if err := m.Analyst.AddNetwork(s, m.Reader.Lexicon.Len()); err != nil {
		t.Fatal(err)
	}
}

func TestNetworkTellsObjects(t *testing.T) {
	s, m := unpacked(t)
	n, err := convnet.Read(s[4:], m.Reader.Lexicon.Len()) // after its share
	if err != nil {
		t.Fatal(err)
	}
	var text tokens.Text
	m.Reader.Read(&text, "a dog on a sofa")
	var in []convnet.Input
	for i := range text.Tokens {
		in = append(in, analysis.NetworkInput(&text.Tokens[i]))
	}
	var memory convnet.Memory
	n.Score(&memory, in)
	for i, want := range []int{analysis.Outside, analysis.BeginObject, analysis.Outside, analysis.Outside, analysis.BeginObject} {
		if s := memory.Scores[i]; slices.Index(s[:], slices.Max(s[:])) != want {
			t.Errorf("%s: scores %v, want label %d", text.Tokens[i].Low, s, want)
		}
	}
}
