package clip

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func shares(values ...float64) Measure { return Measure{Name: "m", Values: values, Share: true} }

func TestIntervalsCoverTheMean(t *testing.T) {
	var values []float64
	for i := range 400 {
		values = append(values, float64(i%4/3)) // a quarter is right
	}
	m := shares(values...)
	low, high := m.Interval()
	// The standard error is √(¼·¾/400) = 0.0217.
	if m.Value() != 0.25 || math.Abs(0.25-1.96*0.0217-low) > 0.006 || math.Abs(0.25+1.96*0.0217-high) > 0.006 {
		t.Errorf("%v: %v to %v", m.Value(), low, high)
	}
	if l, h := m.Interval(); l != low || h != high {
		t.Error("it is another one the second time")
	}
	same := shares(1, 1, 1)
	if low, high := same.Interval(); low != 1 || high != 1 {
		t.Errorf("all right: %v to %v", low, high)
	}
	none := shares(math.NaN())
	if low, _ := none.Interval(); !math.IsNaN(low) || !math.IsNaN(none.Value()) {
		t.Errorf("nothing scored: %v, %v", none.Value(), low)
	}
}

func TestDifferencesArePaired(t *testing.T) {
	var before, after []float64
	for i := range 200 {
		before = append(before, float64(i%2))
		after = append(after, float64(i%2))
	}
	after[0], after[2] = 1, 1
	a, b := shares(before...), shares(after...)
	d, low, high := Difference(&a, &b)
	if d != 0.01 || low < 0 || high > 0.03 {
		t.Errorf("%v: %v to %v", d, low, high) // apart, the interval would be ±0.1 wide
	}
	short := shares(1)
	if d, _, _ := Difference(&short, &b); !math.IsNaN(d) {
		t.Errorf("of other units: %v", d)
	}
	broken := shares(math.NaN(), 1, 0)
	other := shares(1, 1, 1)
	if d, _, _ := Difference(&broken, &other); d != 0.5 {
		t.Errorf("of what both scored: %v", d)
	}
}

func TestMacroIsTheMeanOfParts(t *testing.T) {
	m := Measure{Values: []float64{1, 1, 1, 0, math.NaN(), 0}, Parts: groupParts([]string{"a", "a", "a", "b", "b", "c"}), Macro: 1}
	if m.Value() != 1./3 {
		t.Errorf("%v", m.Value())
	}
	if m.Macro = 2; m.Value() != 1 { // b has one that was scored
		t.Errorf("of parts of two: %v", m.Value())
	}
	if m.Macro = 9; !math.IsNaN(m.Value()) {
		t.Errorf("of no part: %v", m.Value())
	}
}

func TestTables(t *testing.T) {
	result := func(values ...float64) []*Result {
		cosine := Measure{Name: "gap", Values: []float64{-0.00001}}
		m := shares(values...)
		m.Chance, m.Parts = 0.5, groupParts([]string{"x", "y"})
		return []*Result{{Name: "b", Measures: []Measure{m, cosine}, Broken: []Broken{{"i.jpg", nil}}, Note: "a note"}}
	}
	for _, c := range []struct {
		results [][]*Result
		want    []string
	}{
		{[][]*Result{result(1, 0)}, []string{"b      m1 ", "m    50.0   0.0 to 100.0    50.0", "gap  0.000", "2 (1 images broken)", "a note"}},
		{[][]*Result{result(1, 0), result(1, 1)}, []string{"difference", "m    50.0   100.0  +50.0       0.0 to 100.0", "gap  0.000  0.000  0.000 "}},
		{[][]*Result{result(1, 0), result(1, 1), result(math.NaN(), math.NaN())}, []string{"m    50.0   100.0  –"}},
	} {
		var out bytes.Buffer
		figures := Figures(c.results)
		names := []string{"m1", "m2", "m3"}[:len(c.results)]
		if err := WriteTable(&out, names, figures); err != nil {
			t.Fatal(err)
		}
		for _, w := range c.want {
			if !strings.Contains(out.String(), w) {
				t.Errorf("%d models: no %q in\n%s", len(names), w, out.String())
			}
		}
		if data, err := json.Marshal(figures); err != nil || strings.Contains(string(data), "NaN") {
			t.Errorf("%s, %v", data, err)
		}
	}
}
