package pipeline

import (
	"fmt"
	"strings"

	"capgraph/folder"
	"capgraph/internal/text"
)

// pathError reports a mistake in source.paths.
type pathError struct{ err error }

func (e *pathError) Error() string { return e.err.Error() }
func (e *pathError) Unwrap() error { return e.err }

// ExitCode returns 2, the exit code of a wrong configuration.
func (e *pathError) ExitCode() int { return 2 }

// NotReadyError reports that the input of a pass is not complete. It names the missing shards of
// the previous pass.
type NotReadyError struct {
	Pass, Needs folder.Pass
	Missing     []string
}

func (e *NotReadyError) Error() string {
	return fmt.Sprintf("pass %s needs all of pass %s, and %d %s missing: %s (run pass %s for %s first)",
		e.Pass, e.Needs, len(e.Missing), text.Plural(len(e.Missing), "shard is", "shards are"), text.List(e.Missing), e.Needs, text.Plural(len(e.Missing), "it", "them"))
}

// ExitCode returns 3, the exit code of an input that is not ready.
func (e *NotReadyError) ExitCode() int { return 3 }

// FailedError reports that shards of a pass failed while the others, if there are any, finished.
type FailedError struct {
	Pass     folder.Pass
	Failures []folder.Failure
	Shards   int    // of the corpus
	TooMany  string // a message if more files failed than may be left out, else ""
}

func (e *FailedError) Error() string {
	remedy := "mend the " + text.Plural(len(e.Failures), "file", "files") + " and run again"
	if e.TooMany != "" {
		remedy = e.TooMany
	} else if len(e.Failures) < e.Shards {
		remedy = "the other shards are finished; mend the files and run again, or go on without them with source.on_bad_file: skip"
	}
	return fmt.Sprintf("pass %s failed on %s:%s\n%s", e.Pass, text.Counted(len(e.Failures), "shard", "shards"), listFailures(e.Failures), remedy)
}

// All reports whether all shards failed.
func (e *FailedError) All() bool { return len(e.Failures) == e.Shards }

// listFailures writes the first failures, one a line.
func listFailures(failures []folder.Failure) string {
	var b strings.Builder
	for i, f := range failures {
		if i == text.MaxListed {
			fmt.Fprintf(&b, "\n  and %d more", len(failures)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s: %s", f.Shard, f.Error)
	}
	return b.String()
}
