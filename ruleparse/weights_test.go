package ruleparse

import (
	"strings"
	"testing"
)

// TestLabelsAreAddedExactly adds rows two weights at a time as one would one by one.
func TestLabelsAreAddedExactly(t *testing.T) {
	table := make([]float32, labelCount<<6)
	r := noise(7)
	for i := range table {
		table[i] = float32(r.Below(255)) - 127
	}
	w, err := readWeights(string(appendWeights(nil, table, labelCount)), labelCount)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 255} {
		got := [labelCount]int32{-3, 0, 5, 1 << 20, 7}
		want := got
		var f []uint32
		for range n {
			h := uint32(r.Next())
			f = append(f, h)
			at := rowStart(h, len(w.data), labelCount)
			for k := range want {
				want[k] += int32(int8(w.data[at+uint64(k)]))
			}
		}
		if w.addLabels(f, &got); got != want {
			t.Errorf("%d features: %v, want %v", n, got, want)
		}
	}
}

func TestTablesOfAnotherWidthAreErrors(t *testing.T) {
	s := string(appendWeights(nil, make([]float32, 1<<4*labelCount), labelCount))
	if _, err := readWeights(s, labelCount); err != nil {
		t.Error(err)
	}
	for width, s := range map[int]string{1: s, tagCount: s, labelCount: s[:len(s)-1]} {
		if _, err := readWeights(s, width); err == nil || !strings.Contains(err.Error(), "want rows of") {
			t.Errorf("%d bytes read in rows of %d: %v", len(s), width, err)
		}
	}
}
