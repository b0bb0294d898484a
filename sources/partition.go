package sources

import (
	"net/url"
	"strings"
)

// nullPartition is the folder of rows whose column is null.
const nullPartition = "__HIVE_DEFAULT_PARTITION__"

// partition is a column that all rows below a folder have by the folder's name: lang=en.
type partition struct{ name, value string }

// partitionsOf returns the columns in the names of the folders of a file, the outermost first.
func partitionsOf(file string) (all []partition) {
	segments := strings.Split(file, "/")
	for _, s := range segments[:len(segments)-1] {
		if p, ok := newPartition(s); ok {
			all = append(all, p)
		}
	}
	return all
}

// newPartition reads the name of a folder.
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

// hasPartition reports whether a folder's name has a column of that name.
func (f File) hasPartition(name string) bool {
	for _, p := range partitionsOf(f.Path) {
		if p.name == name {
			return true
		}
	}
	return false
}

// withPartitions returns get with the columns that folders give, where the row has none.
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
