package folder

import (
	"fmt"

	"capgraph/internal/text"
)

// IncompleteError says that shards of a pass are missing in a folder.
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

// ExitCode is that of an input that is not ready.
func (e *IncompleteError) ExitCode() int { return 3 }

// MissingFileError says that files which entries of a pass name are not there: the
// first, what to do about it, and how many more.
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

// DamagedError says that a file which a pass made cannot be read, and what to do
// about it.
type DamagedError struct {
	Err    error
	Remedy string
}

func (e *DamagedError) Error() string { return fmt.Sprintf("%v (%s)", e.Err, e.Remedy) }

func (e *DamagedError) Unwrap() error { return e.Err }
