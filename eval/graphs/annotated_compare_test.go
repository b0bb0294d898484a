package graphs

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestAnnotatedComparison(t *testing.T) {
	const text = "a dog on a mat by a door"
	gold := row(t, text, []string{"dog", "mat"}, []string{"0 on 1"})
	right, wrong := gold, row(t, text, []string{"dog", "door"}, []string{"0 by 1"})
	c := NewAnnotatedComparison(1)
	for range 2 {
		c.Add(wrong, right, gold)
	}
	c.Add(right, right, gold)
	c.Add(right, wrong, gold)
	c.Add(wrong, row(t, text, []string{"dog", "door"}, []string{"0 on 1"}), gold)
	var out bytes.Buffer
	if err := c.Write(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"all                 5    60.0    73.3       +13.3",
		"coco                5    60.0    73.3       +13.3",
		"nearer to the gold in B: 2\n  " + text + "\n    A lacks: ( mat ) ( dog , on , mat )\n    A has more: ( door ) ( dog , by , door )\n  … and 1 more",
		"nearer to the gold in A: 1\n", "as near in both: 1\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if _, low, high := c.f1Difference("all", func(*scoredCaption) bool { return true }); low >= 0.133 || high <= 0.133 {
		t.Errorf("the difference of five captions is between %v and %v", low, high)
	}
	if d, low, high := c.f1Difference("none", func(*scoredCaption) bool { return false }); d != 0 || low != 0 || high != 0 {
		t.Errorf("of no captions: %v, %v to %v", d, low, high)
	}
}

func TestComparisonOfEqualGraphs(t *testing.T) {
	gold := row(t, "a dog", []string{"dog"}, nil)
	c := NewAnnotatedComparison(0)
	c.Add(gold, gold, gold)
	d, low, high := c.f1Difference("all", func(*scoredCaption) bool { return true })
	if got := fmt.Sprint(d, low, high, c.kinds[0].n, c.kinds[1].n, c.kinds[2].n); got != "0 0 0 0 0 0" {
		t.Error(got)
	}
}
