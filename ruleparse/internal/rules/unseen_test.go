package rules

import "testing"

func TestEveryOpenerMarksItsExample(t *testing.T) {
	with, without := newParser(t), newParser(t)
	if err := without.rules.LeaveOut("mark_unseen"); err != nil {
		t.Fatal(err)
	}
	for _, o := range openers {
		if got := without.graph(o.example); got == with.graph(o.example) {
			t.Errorf("%q: %q: the same graph without the opener: %s", o.words, o.example, got)
		}
	}
	for _, text := range []string{
		"a man gives a card to a woman", "a boy brings a ball", "a cook adds sugar to a bowl", "a cloud that looks like a boat",
		"a girl leads a horse", "a man draws a cat", "a sign of a shop", "a dog catches a ball",
	} {
		if got := with.graph(text); got != without.graph(text) {
			t.Errorf("%q: not all is seen: %s", text, got)
		}
	}
}
