package client

import (
	"context"
	"errors"
	"testing"
	"time"
)

// While a trial is out, the end of a request from before the rest sends no second.
func TestOneTrialAtATime(t *testing.T) {
	e := &endpoint{name: "e", limiter: newLimiter(8, 8)}
	p := &pool{endpoints: []*endpoint{e}, giveUpAfter: time.Hour}
	defer p.close()
	acquire := func() *lease {
		l, err := p.acquire(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	fail := func(l *lease) { p.release(l, broken, 0, 0, 0, errors.New("broken")) }
	var before []*lease
	for range failuresInARow + 1 {
		before = append(before, acquire())
	}
	for _, l := range before[1:] {
		fail(l)
	}
	if e.rests != 1 {
		t.Fatalf("%d failures, %d rests", failuresInARow, e.rests)
	}
	e.until = time.Time{} // the rest is over
	trial := acquire()
	if !trial.trial {
		t.Fatal("the first request after a rest is no trial")
	}
	fail(before[0])
	e.until = time.Time{}
	if p.leastLoaded(time.Now()) != nil {
		t.Error("a second trial may be sent while the first is out")
	}
	fail(trial)
	e.until = time.Time{}
	if again := acquire(); !again.trial {
		t.Error("after a trial that failed there is no other")
	}
}
