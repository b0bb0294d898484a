package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// otherHostIdle is how long a temporary file of another machine must be unchanged before Sweep
// removes it: some network file systems grant the same lock to two machines.
const otherHostIdle = 15 * time.Minute

// maxCreateAttempts bounds the attempts of Create. One fails if a Sweep removes the new file before
// it is locked.
const maxCreateAttempts = 10

// localTemp is a locked file beside its final name. The kernel releases the lock when the process
// ends, even if it is killed.
type localTemp struct {
	f    *os.File
	name string
	done bool
}

// Create opens a locked temporary file beside name.
func (Local) Create(name string) (Temp, error) {
	dir, base := filepath.Dir(name), filepath.Base(name)
	err := os.MkdirAll(dir, 0o777)
	if errors.Is(err, fs.ErrExist) { // the path has a link that leads nowhere
		return nil, fmt.Errorf("create %s: a folder of its path is a link that leads nowhere: make the folder that the link names, or remove the link", name)
	}
	if err != nil {
		return nil, explainError("create", name, err)
	}
	for range maxCreateAttempts {
		temp := filepath.Join(dir, tempName(base))
		f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, explainError("create", name, err)
		}
		if tryLock(f) == lockHeld { // a Sweep holds it and removes the file
			f.Close()
			continue
		}
		away, err := isGone(f, temp)
		if err != nil {
			err = errors.Join(explainError("create", name, err), os.Remove(temp), f.Close())
			return nil, err
		}
		if away {
			f.Close()
			continue
		}
		return &localTemp{f: f, name: name}, nil
	}
	return nil, fmt.Errorf("create %s: another process keeps removing the temporary file; run one at a time", name)
}

// tempName returns a temporary name for base: TempPrefix, the machine, the process, a random part
// and base. A person can see from it who wrote the file.
func tempName(base string) string {
	return fmt.Sprintf("%s%s-%d-%s-%s", TempPrefix, hostName(), os.Getpid(), rand.Text()[:8], shortenName(base))
}

// shortenName shortens base so that a temporary name is not too long.
func shortenName(base string) string { return base[:min(len(base), 100)] }

// hostName returns the name of the machine without dashes, which separate the parts of a temporary
// name.
func hostName() string {
	h, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	if len(h) > 64 {
		h = h[:64]
	}
	return strings.NewReplacer("-", "_", "/", "_").Replace(h)
}

// lstat is os.Lstat; a test replaces it.
var lstat = os.Lstat

// isGone reports whether path does not lead to f any more.
func isGone(f *os.File, path string) (bool, error) {
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	there, err := lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	return err == nil && !os.SameFile(mine, there), err
}

func (t *localTemp) Name() string { return t.name }

func (t *localTemp) Write(p []byte) (int, error) {
	n, err := t.f.Write(p)
	return n, explainError("write", t.name, err)
}

func (t *localTemp) ReadAt(p []byte, off int64) (int, error) {
	n, err := t.f.ReadAt(p, off)
	if err == io.EOF {
		return n, err
	}
	return n, explainError("read", t.name, err)
}

// Publish syncs the file, links its final name to it (which fails if the name exists), removes the
// temporary name and syncs the folder.
func (t *localTemp) Publish() error {
	if t.done {
		return explainError("publish", t.name, fs.ErrClosed)
	}
	defer t.Discard()
	if err := t.f.Sync(); err != nil {
		return explainError("sync", t.name, err)
	}
	err := os.Link(t.f.Name(), t.name)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("publish %s: %w", t.name, ErrExists)
	}
	if err != nil {
		if isUnsupported(err) {
			return fmt.Errorf("publish %s: %w (the file system has no hard links: choose a folder on one that has)", t.name, unwrapSystemError(err))
		}
		return explainError("publish", t.name, err)
	}
	if err := t.Discard(); err != nil {
		return err
	}
	return syncDir(filepath.Dir(t.name))
}

// Replace syncs the file, renames it to its final name and syncs the folder.
func (t *localTemp) Replace() error {
	if t.done {
		return explainError("replace", t.name, fs.ErrClosed)
	}
	defer t.Discard()
	if err := t.f.Sync(); err != nil {
		return explainError("sync", t.name, err)
	}
	if err := os.Rename(t.f.Name(), t.name); err != nil {
		return explainError("replace", t.name, err)
	}
	t.done = true
	if err := t.f.Close(); err != nil {
		return explainError("close", t.name, err)
	}
	return syncDir(filepath.Dir(t.name))
}

// Discard closes the file and removes its temporary name.
func (t *localTemp) Discard() error {
	if t.done {
		return nil
	}
	t.done = true
	err := os.Remove(t.f.Name())
	if cerr := t.f.Close(); err == nil {
		err = cerr
	}
	return explainError("discard", t.name, err)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return explainError("sync", dir, err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !isUnsupported(err) {
		return explainError("sync", dir, err)
	}
	return nil
}

// Sweep removes the temporary files in dir that no process has locked.
func (Local) Sweep(dir string) (int, error) {
	return sweepFolder(dir, func(temp string) bool { return strings.HasPrefix(temp, TempPrefix) })
}

// SweepFor removes the temporary files of name that no process has locked.
func (Local) SweepFor(name string) (int, error) {
	n, err := sweepFolder(filepath.Dir(name), func(temp string) bool { return isTempOf(temp, filepath.Base(name)) })
	if errors.Is(err, fs.ErrPermission) { // some folders can be written to but not listed
		return n, nil
	}
	return n, err
}

// isTempOf reports whether temp is a temporary name of base.
func isTempOf(temp, base string) bool {
	rest, ok := strings.CutPrefix(temp, TempPrefix)
	parts := strings.SplitN(rest, "-", 4) // the machine, the process, the random part, base
	return ok && len(parts) == 4 && parts[3] == shortenName(base)
}

// sweepFolder removes the temporary files in dir that want accepts and that no process has locked.
func sweepFolder(dir string, want func(temp string) bool) (int, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, explainError("sweep", dir, err)
	}
	removed := 0
	mine := TempPrefix + hostName() + "-"
	for _, e := range entries {
		if !want(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		dead, err := removeAbandoned(filepath.Join(dir, e.Name()), strings.HasPrefix(e.Name(), mine))
		if err != nil {
			return removed, err
		}
		if dead {
			removed++
		}
	}
	return removed, nil
}

// removeAbandoned removes the temporary file at path if its process has ended. It holds the lock
// while it removes the file, so that a creator that is still alive notices. A file that this user
// may not open or remove is left alone.
func removeAbandoned(path string, sameHost bool) (bool, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return false, nil
	}
	if err != nil {
		return false, explainError("sweep", path, err)
	}
	defer f.Close()
	if tryLock(f) != lockTaken {
		return false, nil
	}
	if away, err := isGone(f, path); err != nil || away {
		return false, nil
	}
	if !sameHost {
		info, err := f.Stat()
		if err != nil || time.Since(info.ModTime()) < otherHostIdle {
			return false, nil
		}
	}
	if err := os.Remove(path); err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return false, nil
		}
		return false, explainError("sweep", path, err)
	}
	return true, nil
}
