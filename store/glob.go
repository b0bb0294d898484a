package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// IsGlob reports whether name contains a character with a meaning in globs.
func IsGlob(name string) bool { return strings.ContainsAny(name, "*?[") || hasBraces(name) }

// Glob returns the files and folders that match pattern, sorted within each folder by the bytes of
// their names. `*`, `?` and `[a-z]` match within one path segment, as in path.Match. A name with a
// dot at its beginning only matches a segment with one. Braces are expanded first, as by webdataset
// and bash: {00000..00010}.tar, {train,val}. Each name that they expand to must exist.
func Glob(s Store, pattern string) ([]Info, error) {
	patterns, err := expandBraces(pattern)
	if err != nil || len(patterns) == 1 && patterns[0] == pattern {
		return globOne(s, pattern, err)
	}
	var all []Info
	for _, p := range patterns {
		found, err := globOne(s, p, nil)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("glob %s: %s: %w", pattern, p, fs.ErrNotExist)
		}
		all = append(all, found...)
	}
	return all, nil
}

// globOne matches a pattern without braces. If err is not nil, it returns err.
func globOne(s Store, pattern string, err error) ([]Info, error) {
	if err != nil {
		return nil, err
	}
	root, below := splitRoot(pattern)
	if IsGlob(root) {
		return nil, fmt.Errorf("glob %s: the name of a bucket cannot be a pattern: name the bucket, and put the pattern after it", pattern)
	}
	if _, err := path.Match(below, ""); err != nil {
		return nil, fmt.Errorf("glob %s: %w (close the bracket, or write \\[ for a plain one)", pattern, err)
	}
	return globPath(s, pattern)
}

func globPath(s Store, pattern string) ([]Info, error) {
	if !IsGlob(pattern) {
		info, err := s.Stat(pattern)
		if isNotExist(err) {
			return nil, nil
		}
		return []Info{info}, err
	}
	root, below := splitRoot(pattern)
	dir, last := path.Split(below)
	parents := []Info{{Name: ".", Dir: true}}
	switch {
	case dir == "" && root == "file://":
		parents[0].Name = "file:///"
	case dir == "" && root != "":
		parents[0].Name = root
	case dir == "":
	case dir == "/":
		parents[0].Name = "/"
	default:
		var err error
		if parents, err = globPath(s, strings.TrimSuffix(strings.TrimSuffix(pattern, last), "/")); err != nil {
			return nil, err
		}
	}
	var found []Info
	for _, p := range parents {
		if !p.Dir {
			continue
		}
		infos, err := s.List(p.Name)
		if err != nil && !isNotExist(err) {
			return nil, err
		}
		for _, info := range infos {
			base := path.Base(info.Name)
			if base[0] == '.' && (last == "" || last[0] != '.') {
				continue
			}
			if ok, _ := path.Match(last, base); ok {
				found = append(found, info)
			}
		}
	}
	return found, nil
}

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }
