package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// Within returns a store like s whose Create, Remove and sweeps return errors for names outside the
// folder dir. A local name also counts as outside if a symbolic link below dir leads out of dir.
func Within(s Store, dir string) Store { return within{s, dir} }

type within struct {
	Store
	dir string
}

func (w within) Create(name string) (Temp, error) {
	if err := w.checkFile("create", name); err != nil {
		return nil, err
	}
	return w.Store.Create(name)
}

func (w within) Remove(name string) error {
	if err := w.checkFile("remove", name); err != nil {
		return err
	}
	return w.Store.Remove(name)
}

func (w within) Sweep(dir string) (int, error) {
	rel, err := w.relativeName("sweep", dir)
	if err == nil {
		err = w.checkLinks("sweep", dir, rel)
	}
	if err != nil {
		return 0, err
	}
	return w.Store.Sweep(dir)
}

func (w within) SweepFor(name string) (int, error) {
	if err := w.checkFile("sweep", name); err != nil {
		return 0, err
	}
	return w.Store.SweepFor(name)
}

// checkFile returns an error if a file is not in the folder. name itself may be a link, since that
// is replaced or removed and not its target.
func (w within) checkFile(op, name string) error {
	rel, err := w.relativeName(op, name)
	if err != nil {
		return err
	}
	return w.checkLinks(op, name, path.Dir(rel))
}

// relativeName returns name relative to the folder; an error if it is outside.
func (w within) relativeName(op, name string) (string, error) {
	rel, inside := "", false
	switch dir := Clean(w.dir); {
	case IsURL(dir):
		rel, inside = strings.CutPrefix(Clean(name)+"/", dir+"/")
		rel = path.Clean(rel)
	case !IsURL(name):
		var err error
		rel, err = filepath.Rel(dir, name)
		inside = err == nil && filepath.IsLocal(rel)
	}
	if !inside {
		return "", fmt.Errorf("%s %s: it is outside the folder %s (the folder is damaged, or was made to reach other files: do not run on it)", op, name, w.dir)
	}
	return rel, nil
}

// checkLinks returns an error if a symbolic link leads from the folder of w to a folder outside it.
// folder is relative to the folder of w. Other errors are left to the operation.
func (w within) checkLinks(op, name, folder string) error {
	dir, local := LocalPath(w.dir)
	if !local {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	var errno syscall.Errno
	if _, err = root.Stat(folder); err == nil || errors.As(err, &errno) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%s %s: a symbolic link leads out of the folder %s: %w (put a folder in place of the link, or the whole folder where the link leads)", op, name, w.dir, unwrapSystemError(err))
}
