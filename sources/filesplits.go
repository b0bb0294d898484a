package sources

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// FileSplit is a split of a corpus, such as test, and the files whose names belong to it. Files without a
// split have the Name "".
type FileSplit struct {
	Name  string
	Files []string
}

// IsHeldOut reports whether a split is usually held out of training, such as test and validation.
func IsHeldOut(split string) bool {
	name := strings.ToLower(split)
	return name != "restval" && (strings.Contains(name, "test") || strings.Contains(name, "val") || strings.HasPrefix(name, "dev"))
}

// SplitsByName groups files by the split that a word in their names or folders names, as in
// train-00000.parquet and test-00000.parquet. It returns nil if the names do not tell splits apart.
func SplitsByName(files []File) (all []FileSplit) {
	var names []string
	for _, f := range files {
		names = append(names, f.Path)
	}
	shared := len(commonPrefix(names))
	shared = strings.LastIndexByte(names[0][:shared], '/') + 1
	for _, name := range names {
		split := ""
		for _, word := range strings.FieldsFunc(strings.ToLower(name[shared:]), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if split == "" && isSplitName(word) {
				split = strings.TrimRight(word, "0123456789")
			}
		}
		i := slices.IndexFunc(all, func(s FileSplit) bool { return s.Name == split })
		if i < 0 {
			i, all = len(all), append(all, FileSplit{Name: split})
		}
		all[i].Files = append(all[i].Files, name)
	}
	if len(all) < 2 || !slices.ContainsFunc(all, func(s FileSplit) bool { return IsHeldOut(s.Name) }) {
		return nil
	}
	slices.SortFunc(all, func(a, b FileSplit) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// TrainingPaths returns a path or glob that matches exactly the files of the splits that are not held out;
// "" if there is none.
func TrainingPaths(splits []FileSplit) string {
	var wanted, others []string
	for _, s := range splits {
		if IsHeldOut(s.Name) {
			others = append(others, s.Files...)
		} else {
			wanted = append(wanted, s.Files...)
		}
	}
	if len(wanted) < 2 {
		return strings.Join(wanted, "")
	}
	begin := commonPrefix(wanted)
	reversed := make([]string, len(wanted))
	for i, w := range wanted {
		reversed[i] = reverse(w[len(begin):])
	}
	glob := strings.TrimRight(begin, "0123456789") + "*" + reverse(commonPrefix(reversed))
	matches := func(name string) bool { ok, err := path.Match(glob, name); return ok && err == nil }
	if slices.ContainsFunc(wanted, func(w string) bool { return !matches(w) }) || slices.ContainsFunc(others, matches) {
		return ""
	}
	return glob
}

// commonPrefix returns the longest prefix that all strings have.
func commonPrefix(all []string) string {
	prefix := all[0]
	for _, s := range all {
		for !strings.HasPrefix(s, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return prefix
}

func reverse(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}
