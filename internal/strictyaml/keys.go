package strictyaml

import (
	"reflect"
	"slices"
	"strings"
)

// Keys lists the paths of all valid keys of a recipe of type T, in its order.
func Keys[T any]() []string {
	var paths []string
	for _, k := range keysOf(reflect.TypeFor[T](), "") {
		paths = append(paths, k.path)
	}
	return paths
}

// key is a valid key and the type of its value.
type key struct {
	path   string
	of     reflect.Type
	index  []int // of the field, relative to the section that keysOf was called for; nil below a list
	secret bool  // whether it, or a key below it, may hold a credential
}

// keysOf lists the keys of a section of type t and of those below it.
func keysOf(t reflect.Type, prefix string) []key {
	var keys []key
	for _, k := range fieldsOf(t) {
		below := sectionOf(k.of)
		path := k.path
		k.path = prefix + path
		keys = append(keys, k)
		if below == nil {
			continue
		}
		for _, b := range keysOf(below, prefix+path+".") {
			if k.of.Kind() == reflect.Struct && b.index != nil {
				b.index = append(slices.Clone(k.index), b.index...)
			} else {
				b.index = nil
			}
			keys = append(keys, b)
		}
	}
	return keys
}

// fieldsOf lists the keys of a section of type t itself.
func fieldsOf(t reflect.Type) []key {
	var keys []key
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case options == "inline":
			for _, k := range fieldsOf(f.Type) {
				k.index = append(slices.Clone(f.Index), k.index...)
				keys = append(keys, k)
			}
		case name != "" && name != "-":
			_, secret := f.Tag.Lookup("secret")
			if below := sectionOf(f.Type); below != nil {
				secret = slices.ContainsFunc(fieldsOf(below), func(k key) bool { return k.secret })
			}
			keys = append(keys, key{name, f.Type, f.Index, secret})
		}
	}
	return keys
}

// sectionOf returns the struct type of a section: t itself, or what t points to or lists; nil if t
// is not of sections.
func sectionOf(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		return t
	}
	return nil
}

// isSections reports whether a value of type t is a list of sections.
func isSections(t reflect.Type) bool { return t.Kind() == reflect.Slice && sectionOf(t) != nil }
