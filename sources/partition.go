package sources

import (
	"net/url"
	"strings"
)

// nullPartition is the value in a folder's name for rows whose column is null.
const nullPartition = "__HIVE_DEFAULT_PARTITION__"

// partition is a column whose value is in the name of a folder, lang=en, and so the same for all rows below.
type partition struct{ name, value string }

// partitionsOf returns the partitions in the names of a file's folders, the outermost first.
func partitionsOf(file string) (all []partition) {
	segments := strings.Split(file, "/")
	for _, s := range segments[:len(segments)-1] {
		if p, ok := newPartition(s); ok {
			all = append(all, p)
		}
	}
	return all
}

// newPartition parses the name of a folder; it returns false if that is no partition.
func newPartition(folder string) (partition, bool) {
	name, value, ok := strings.Cut(folder, "=")
	if !ok || name == "" || strings.ContainsAny(name, " ?&") {
		return partition{}, false
	}
	if plain, err := url.PathUnescape(value); err == nil {
		value = plain
	}
	return partition{name, value}, true
}

// hasPartition reports whether a folder of the file gives that column.
func (f File) hasPartition(name string) bool {
	for _, p := range partitionsOf(f.Path) {
		if p.name == name {
			return true
		}
	}
	return false
}

// withPartitions returns a function like get that also knows the columns of partitions. A row's own value
// takes precedence.
func withPartitions(get func(string) cell, all []partition) func(string) cell {
	if len(all) == 0 {
		return get
	}
	return func(name string) cell {
		c := get(name)
		if !c.Null {
			return c
		}
		for _, p := range all {
			if p.name == name {
				return cell{Kept: Kept{Text: p.value, Null: p.value == nullPartition}, kind: textCell}
			}
		}
		return c
	}
}
