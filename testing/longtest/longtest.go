// Package longtest decides which tests run. 'go test ./...' leaves out tests that take long and add
// little for small changes. With CAPGRAPH_LONG=1, as in the check 'test', all run.
package longtest

import (
	"os"
	"runtime/debug"
	"slices"
	"testing"
)

// Variable names the environment variable that asks for long tests.
const Variable = "CAPGRAPH_LONG"

// Wanted reports whether long tests run.
func Wanted() bool { return os.Getenv(Variable) != "" }

// Pick returns long if long tests run, else short. Tests use it for the amount of work they do.
func Pick[T any](long, short T) T {
	if Wanted() {
		return long
	}
	return short
}

// Only skips a test unless long tests run. why says what takes so long.
func Only(t testing.TB, why string) {
	t.Helper()
	if !Wanted() {
		t.Skipf("%s: %s=1 runs it", why, Variable)
	}
}

// Racing reports whether the race detector is on.
func Racing() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
