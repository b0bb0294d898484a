package pipeline

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/store"
)

// unreachableError reports that an indexed file cannot be reached, for example because its volume is not
// mounted. It ends the run, and nothing is recorded.
type unreachableError struct{ err error }

func (e *unreachableError) Error() string {
	return fmt.Sprintf("%v; it could be read when it was indexed: see that its volume is mounted and that you may read it, and run again; what is finished is kept", e.err)
}

func (e *unreachableError) Unwrap() error { return e.err }

// classifySourceError wraps an error of reading an indexed file. Bad content fails only its shard. If
// the file has changed or cannot be reached, the run ends.
func classifySourceError(err error) error {
	var changed *changedError
	if store.IsEnvironmentError(err) || errors.As(err, &changed) {
		return err
	}
	if store.IsUnreachable(err) {
		return &unreachableError{err}
	}
	return &badShard{err}
}

// countBadFiles returns how many files of the index could not be read.
func (r *Run) countBadFiles(state *folder.State) int {
	bad := map[int]bool{}
	for _, s := range state.Failed(r.Passes[len(r.Passes)-1].Name) {
		bad[s.File] = true
	}
	return len(bad)
}

// maxBadFiles returns how many of the files may be left out: the share source.max_bad_files, but at
// least one, if any may.
func (r *Run) maxBadFiles(files int) int {
	if !r.SkipBad || r.MaxBad <= 0 {
		return 0
	}
	const rounding = 1e-9 // 0.29 * 100 is 28.999999999999996
	return max(1, int(r.MaxBad*float64(files)+rounding))
}

// describeTooMany returns a message if more files are bad than may be left out, else "".
func (r *Run) describeTooMany(bad, files int) string {
	most := r.maxBadFiles(files)
	if !r.SkipBad || bad <= most {
		return ""
	}
	enough := math.Ceil(float64(bad)/float64(files)*1000) / 1000
	return fmt.Sprintf("%d of %s cannot be read, and source.max_bad_files %g lets a run go on without %d: mend them and run again, or set source.max_bad_files to %g or more",
		bad, text.Counted(files, "file", "files"), r.MaxBad, most, enough)
}

// checkBadFiles returns an error if more files failed than may be left out.
func (r *Run) checkBadFiles(state *folder.State) error {
	text := r.describeTooMany(r.countBadFiles(state), len(state.Index.Files))
	if text == "" {
		return nil
	}
	for _, pass := range r.Passes {
		failures, err := state.Failures(pass.Name)
		if err != nil {
			return err
		}
		if len(failures) > 0 {
			return &FailedError{Pass: pass.Name, Failures: failures, Shards: len(state.Index.Shards), TooMany: text}
		}
	}
	return nil
}

// refuseBadFiles returns an error if new files cannot be read and may not be left out.
func (r *Run) refuseBadFiles(option, kept string, before, files []folder.SourceFile) error {
	new := listUnreadable(files)
	if len(new) == 0 {
		return nil
	}
	if !r.SkipBad {
		return fmt.Errorf("%s: %s (%s: mend it, or go on without it with source.on_bad_file: skip)", option, new[0].Error, kept)
	}
	if text := r.describeTooMany(len(new)+len(listUnreadable(before)), len(files)+len(before)); text != "" {
		return fmt.Errorf("%s: %s (%s): %s", option, new[0].Error, kept, text)
	}
	return nil
}

// listUnreadable returns the files that could not be read to their end.
func listUnreadable(files []folder.SourceFile) (bad []folder.SourceFile) {
	for _, f := range files {
		if f.Error != "" {
			bad = append(bad, f)
		}
	}
	return bad
}

// DescribeUnreadable returns a message that names the unreadable files of an index, the reasons and what
// to do; "" if there are none.
func DescribeUnreadable(index *folder.Index) string {
	bad := listUnreadable(index.Files)
	if len(bad) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %s cannot be read: mend them, or go on without them with source.on_bad_file: skip", len(bad), text.Counted(len(index.Files), "file", "files"))
	for i, f := range bad {
		if i == text.MaxListed {
			fmt.Fprintf(&b, "\n  and %d more", len(bad)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s", f.Error)
	}
	return b.String()
}
