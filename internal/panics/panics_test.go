package panics

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestAPanicIsCarried(t *testing.T) {
	across := func(f func()) (err error) {
		done := make(chan error)
		go func() {
			var err error
			defer func() { done <- err }()
			defer Catch(&err)
			f()
		}()
		defer Catch(&err)
		err = <-done
		Rethrow(err)
		return err
	}
	if err := across(func() {}); err != nil {
		t.Error(err)
	}
	err := across(func() { Rethrow(across(func() { panic("broken") })) })
	if err == nil || strings.Count(err.Error(), "broken") != 1 || !strings.Contains(err.Error(), "panics_test.go") {
		t.Errorf("error %v", err)
	}
	Rethrow(nil)
	Rethrow(errors.New("no panic"))
	defer func() {
		if recover() == nil {
			t.Error("a wrapped panic does not pass")
		}
	}()
	Rethrow(fmt.Errorf("stage: %w", err))
}
