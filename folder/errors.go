package folder

import (
	"fmt"

	"capgraph/internal/text"
)

// IncompleteError is the error of a pass with shards that are not finished.
type IncompleteError struct {
	Dir     string
	Pass    Pass
	Shards  int
	Missing []Shard
}

func (e *IncompleteError) Error() string {
	if len(e.Missing) == 1 && e.Missing[0].Name == Whole {
		return fmt.Sprintf("%s: pass %s is not done (finish 'capgraph run' with output.dir %s first)", e.Dir, e.Pass, e.Dir)
	}
	names := make([]string, len(e.Missing))
	for i, s := range e.Missing {
		names[i] = s.Name
	}
	return fmt.Sprintf("%s: pass %s is not whole, %d of its %d %s %s missing: %s (finish 'capgraph run' with output.dir %s first)",
		e.Dir, e.Pass, len(e.Missing), e.Shards, text.Plural(e.Shards, "shard", "shards"), text.Plural(len(e.Missing), "is", "are"), text.List(names), e.Dir)
}

// ExitCode returns 3: the input is not ready.
func (e *IncompleteError) ExitCode() int { return 3 }

// MissingFileError is the error of files that entries of a pass name and that do not exist: the
// first, the remedy, and how many more there are.
type MissingFileError struct {
	Dir, File, Remedy string
	Pass              Pass
	More              int
}

func (e *MissingFileError) Error() string {
	if e.More == 0 {
		return fmt.Sprintf("%s is not there and an entry of pass %s names it (%s)", e.File, e.Pass, e.Remedy)
	}
	return fmt.Sprintf("%s and %d more %s are not there and entries of pass %s name them (%s; 'capgraph verify %s' names the others, --redo %s makes the whole pass again)",
		e.File, e.More, text.Plural(e.More, "file", "files"), e.Pass, e.Remedy, text.Quote(e.Dir), e.Pass)
}

// DamagedError is the error of a file that cannot be read, with the remedy.
type DamagedError struct {
	Err    error
	Remedy string
}

func (e *DamagedError) Error() string { return fmt.Sprintf("%v (%s)", e.Err, e.Remedy) }

func (e *DamagedError) Unwrap() error { return e.Err }
