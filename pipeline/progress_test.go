package pipeline

import (
	"io"
	"slices"
	"testing"
)

// TestStepsAreKept tells of what is over as well as of what is under way.
func TestStepsAreKept(t *testing.T) {
	p := NewProgress(io.Discard, ProgressNone)
	if got := p.Steps(); len(got) != 0 {
		t.Errorf("before all: %v", got)
	}
	p.startPass("parse", 10, nil)
	p.addRows(10, 3)
	p.stopShowing()
	p.startStep(step{"count", "images", "row", "rows", 7})
	p.addRows(2, 0)
	want := []Step{{"parse", "", "rows", 10, 10, 3}, {"count", "images", "rows", 2, 7, 0}}
	if got := p.Steps(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	p.addRows(1, 0)
	p.stopShowing()
	want[1].Done = 3
	if got := p.Steps(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
