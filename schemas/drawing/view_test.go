package drawing

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"capgraph/internal/text"
	"capgraph/schemas"
)

type viewVector struct {
	Key                     string
	Seed, Epoch             uint64
	Whole, Sentences, Parts uint64
	LeaveFirst, Bare        bool
	View                    string
	Positive                int // −1 for a text that is none
}

// drawViews returns the views of rows with several settings.
func drawViews(rows []drawnRow) (all []viewVector) {
	for _, r := range rows {
		n := uint64(4)
		if len(text.Sentences(r.Pos[0])) > 1 {
			n = 60
		}
		for i := range n {
			v := viewVector{Key: r.Key, Seed: 5 * i, Epoch: i % 3, Whole: i % 2, Sentences: i % 3, Parts: i / 4 % 3, LeaveFirst: i%4 < 2, Bare: i == 5}
			d := Draw{Seed: v.Seed, Epoch: v.Epoch, Bare: v.Bare}
			v.View, v.Positive = d.View(r.Key, r.pool(), Views{Whole: v.Whole, Sentences: v.Sentences, Parts: v.Parts, LeaveFirst: v.LeaveFirst})
			all = append(all, v)
		}
	}
	return all
}

// TestViewsOfALongCaption draws often: views have their shares, sentences are some of the caption's in
// order, and the first is left out if that is asked for.
func TestViewsOfALongCaption(t *testing.T) {
	p := &schemas.Pool{Positives: []schemas.Positive{
		{Kind: schemas.KindCaption, Text: "The image shows a park. A man walks a dog. Two trees are green. It rains."},
		{Kind: schemas.KindObject, Text: "green trees"}, {Kind: schemas.KindObject, Text: "a dog"}, {Kind: schemas.KindRelation, Text: "a man walking a dog near green trees"},
	}}
	for _, c := range []struct {
		views              Views
		whole, some, parts float64
	}{
		{Views{}, 1, 0, 0},
		{Views{Whole: 1}, 1, 0, 0},
		{Views{LeaveFirst: true}, 1, 0, 0},
		{Views{Whole: 1, Sentences: 2, Parts: 1, LeaveFirst: true}, 0.25, 0.5, 0.25},
		{Views{Sentences: 1}, 0, 1, 0},
		{Views{Parts: 3}, 0, 0, 1},
	} {
		const n = 4000
		caption := p.Positives[0].Text
		if c.views.LeaveFirst {
			caption = strings.TrimPrefix(caption, "The image shows a park. ")
		}
		whole, some, parts := 0, 0, 0
		subsets := map[string]bool{}
		for i := range n {
			view, k := Draw{Seed: 3}.View(fmt.Sprint(i), p, c.views)
			switch {
			case k > 0 && view == p.Positives[k].Text && view != "a dog": // which is bare
				parts++
			case k <= 0 && view == caption && c.views.Sentences == 0:
				whole++
			case k == -1 || view == caption:
				if at := inOrder(caption, view); !at {
					t.Fatalf("%+v: %q is not of %q", c.views, view, caption)
				}
				if view == caption {
					whole++
				} else {
					some++
				}
				subsets[view] = true
			default:
				t.Fatalf("%+v: positive %d, %q", c.views, k, view)
			}
		}
		// One of as many sentences as there are is all of them.
		all := c.some / float64(len(text.Sentences(caption)))
		for i, want := range []float64{c.whole + all, c.some - all, c.parts} {
			if got := float64([]int{whole, some, parts}[i]) / n; math.Abs(got-want) > 0.04 {
				t.Errorf("%+v: share %d is %.3f, want %.3f", c.views, i, got, want)
			}
		}
		if want := 1<<len(text.Sentences(caption)) - 1; c.some > 0 && len(subsets) != want {
			t.Errorf("%+v: %d subsets of the sentences, want %d", c.views, len(subsets), want)
		}
	}
}

// inOrder reports whether a view is some of the sentences of a caption in their order.
func inOrder(caption, view string) bool {
	left := text.Sentences(caption)
	for _, s := range text.Sentences(view) {
		for len(left) > 0 && left[0] != s {
			left = left[1:]
		}
		if len(left) == 0 {
			return false
		}
		left = left[1:]
	}
	return view != ""
}

func TestViewsOfShortCaptions(t *testing.T) {
	one := &schemas.Pool{Positives: []schemas.Positive{{Kind: schemas.KindCaption, Text: "a dog"}}}
	if view, k := (Draw{}).View("k", one, Views{Sentences: 1, Parts: 1, LeaveFirst: true}); view != "a dog" || k != 0 {
		t.Errorf("a caption of one sentence without parts: %q, %d", view, k)
	}
	if view, k := (Draw{}).View("k", &schemas.Pool{}, Views{Parts: 1}); view != "" || k != -1 {
		t.Errorf("no positive: %q, %d", view, k)
	}
}
