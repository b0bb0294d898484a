package llmparse

import (
	"errors"
	"fmt"
	"slices"
)

// merge brings the replies of all objects, each question's once, into as few as may be
// and removes the others. Runs may go on meanwhile.
func (s *objectCache) merge() (merged Merged, err error) {
	db, err := openMirror(s.within.Scratch)
	if err != nil {
		return merged, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	old, err := s.load(db)
	if err != nil {
		return merged, err
	}
	w := objectWriter{objects: s}
	err = eachRecord(db, func(k Key, r *Record) error {
		if r == nil {
			return scratchError(fmt.Errorf("reply %s: %w", k, errSum))
		}
		merged.Replies++
		return w.add(k, r)
	})
	if err == nil {
		err = w.flush()
	}
	if err != nil {
		return merged, fmt.Errorf("cache: %w", err)
	}
	merged.Files = len(w.names)
	return merged, s.replace(old, w.names)
}

// prune puts the replies that stay in objects of their own, and removes the object
// that they were in.
func (s *objectCache) prune(drop func(*Record) bool) (removed int, err error) {
	files, err := s.files()
	if err != nil {
		return 0, err
	}
	for _, f := range files {
		n, err := s.pruneObject(f.Name, drop)
		removed += n
		if err != nil {
			return removed, err
		}
	}
	return removed, nil
}

func (s *objectCache) pruneObject(name string, drop func(*Record) bool) (removed int, err error) {
	keys, records, err := s.readObject(name)
	if err != nil || !slices.ContainsFunc(records, drop) {
		return 0, err
	}
	w := objectWriter{objects: s}
	for i, k := range keys {
		if drop(records[i]) {
			removed++
		} else if err := w.add(k, records[i]); err != nil {
			return 0, fmt.Errorf("cache: %w", err)
		}
	}
	if err := w.flush(); err != nil {
		return 0, fmt.Errorf("cache: %w", err)
	}
	return removed, s.replace([]string{name}, w.names)
}

// replace removes the old objects that are not among the new.
func (s *objectCache) replace(old, now []string) error {
	for _, name := range old {
		if slices.Contains(now, name) {
			continue
		}
		if err := s.within.Store.Remove(name); err != nil {
			return fmt.Errorf("cache: %w", err)
		}
	}
	return nil
}
