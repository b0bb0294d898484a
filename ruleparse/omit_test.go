package ruleparse

import (
	"slices"
	"testing"

	"capgraph/schemas"
)

func TestFactualLeavesOutWhatTheGraphKeeps(t *testing.T) {
	p := newParser(t)
	var out schemas.Parsed
	p.ParseText("a man doing a trick on a skateboard", &out)
	if !slices.ContainsFunc(out.Graph.Objects, func(o schemas.Object) bool { return o.Name == "trick" }) {
		t.Errorf("no trick in %s", brief(&out.Graph))
	}
	ts := Tuples(p.Triples(&out))
	if ts[Triple{Subject: "trick"}] || !ts[Triple{Subject: "man"}] || !ts[Triple{Subject: "skateboard"}] {
		t.Errorf("%s", p.Factual(&out))
	}
}

func TestReadOmissions(t *testing.T) {
	unit, low, high := "\x00\x00\x80\x3f", "\x00\x00\x01\x05", "\x00\x01\x00\xfb"
	for s, ok := range map[string]bool{unit + low + high: true, unit: true, "": false, unit + low[:3]: false, unit + high + low: false, unit + low + low: false} {
		if _, err := readOmissions(s); (err == nil) != ok {
			t.Errorf("%q: %v", s, err)
		}
	}
	m, err := readOmissions(unit + low + high)
	if err != nil {
		t.Fatal(err)
	}
	for h, want := range map[uint32]int32{0x000001ff: 5, 0x00010000: -5, 0x00010100: 0, 0: 0} {
		if got := m.weight(h); got != want {
			t.Errorf("weight of %x is %d, want %d", h, got, want)
		}
	}
}
