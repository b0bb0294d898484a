package train

import (
	"strings"
	"testing"

	"capgraph/internal/linear"
	"capgraph/internal/portable"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
)

// TestLabelsAreAddedExactly adds rows two weights at a time and one by one.
func TestLabelsAreAddedExactly(t *testing.T) {
	table := make([]float32, analysis.LabelCount<<6)
	r := portable.SplitMix64(7)
	for i := range table {
		table[i] = float32(r.IntN(255)) - 127
	}
	w, err := linear.ReadWeights(string(appendWeights(nil, table, analysis.LabelCount)), analysis.LabelCount)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 255} {
		got := [analysis.LabelCount]int32{-3, 0, 5, 1 << 20, 7}
		want := got
		var f []uint32
		for range n {
			h := uint32(r.Next())
			f = append(f, h)
			at := linear.RowStart(h, len(w.Data), analysis.LabelCount)
			for k := range want {
				want[k] += int32(int8(w.Data[at+uint64(k)]))
			}
		}
		if w.AddFive(f, &got); got != want {
			t.Errorf("%d features: %v, want %v", n, got, want)
		}
	}
}

func TestTablesOfAnotherWidthAreErrors(t *testing.T) {
	s := string(appendWeights(nil, make([]float32, 1<<4*analysis.LabelCount), analysis.LabelCount))
	if _, err := linear.ReadWeights(s, analysis.LabelCount); err != nil {
		t.Error(err)
	}
	for width, s := range map[int]string{1: s, penn.Count: s, analysis.LabelCount: s[:len(s)-1]} {
		if _, err := linear.ReadWeights(s, width); err == nil || !strings.Contains(err.Error(), "want rows of") {
			t.Errorf("%d bytes read in rows of %d: %v", len(s), width, err)
		}
	}
}
