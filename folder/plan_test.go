package folder

import (
	"errors"
	"sync"
	"testing"

	"capgraph/internal/usage"
	"capgraph/store"
)

// Processes that begin a folder at once agree, or the later is told what
// differs.
func TestPinnedAtOnce(t *testing.T) {
	f := Folder{Store: store.Local{}, Dir: t.TempDir()}
	plan := func(seed int) *PassPlan {
		p, err := NewPlan("texts", "", "", map[string]int{"seed": seed})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	var wait sync.WaitGroup
	errs := make([]error, 16)
	for i := range errs {
		wait.Go(func() { _, errs[i] = f.PinPlan(plan(i%2), false) })
	}
	wait.Wait()
	refused := 0
	for _, err := range errs {
		var usage *usage.Error
		if err != nil && !errors.As(err, &usage) {
			t.Error(err)
		}
		if err != nil {
			refused++
		}
	}
	if refused != len(errs)/2 {
		t.Errorf("%d of %d were refused, want those of one seed", refused, len(errs))
	}
}

// A newer capgraph goes on from what an older one finished, and from nothing
// that it only began.
func TestPinOfAnotherVersion(t *testing.T) {
	f := Folder{Store: store.Local{}, Dir: t.TempDir()}
	old, err := NewPlan("parse", "rules/1", "", struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.PinPlan(old, false); err != nil {
		t.Fatal(err)
	}
	newer := *old
	newer.Version = "rules/2"
	if p, err := f.PinPlan(&newer, true); err != nil || p.Version != "rules/1" {
		t.Errorf("finished: %v, %v", p, err)
	}
	if _, err := f.PinPlan(&newer, false); err == nil {
		t.Error("begun: not refused")
	}
	future := PassPlan{Pass: "texts", Format: "99", Settings: []byte("{}")}
	if err := f.PublishJSON(PlanFile("texts"), future); err != nil {
		t.Fatal(err)
	}
	newer.Pass = "texts"
	if _, err := f.PinPlan(&newer, true); err == nil {
		t.Error("a format of the future: not refused")
	}
}

// A setting that a newer capgraph has no more does not matter if it was off.
func TestPinWithoutASettingThatIsGone(t *testing.T) {
	for _, c := range []struct {
		was  map[string]any
		fits bool
	}{
		{map[string]any{"seed": 7, "any": false}, true},
		{map[string]any{"seed": 7, "any": true}, false},
		{map[string]any{"seed": 8, "any": false}, false},
		{map[string]any{"any": false}, false},
	} {
		old, err := NewPlan("texts", "1", "", c.was)
		if err != nil {
			t.Fatal(err)
		}
		now, err := NewPlan("texts", "2", "", map[string]any{"seed": 7})
		if err != nil {
			t.Fatal(err)
		}
		if got := IsCompatible(old, now, true); got != c.fits {
			t.Errorf("%v: goes on: %v, want %v", c.was, got, c.fits)
		}
		if IsCompatible(old, now, false) {
			t.Errorf("%v: goes on although it is not finished", c.was)
		}
	}
}
