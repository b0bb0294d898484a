package strictyaml

import (
	"reflect"
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
	path string
	of   reflect.Type
}

// keysOf lists the keys of a section of type t and of those below it.
func keysOf(t reflect.Type, prefix string) []key {
	var keys []key
	for _, k := range fieldsOf(t) {
		keys = append(keys, key{prefix + k.path, k.of})
		if below := sectionOf(k.of); below != nil {
			keys = append(keys, keysOf(below, prefix+k.path+".")...)
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
			keys = append(keys, fieldsOf(f.Type)...)
		case name != "" && name != "-":
			keys = append(keys, key{name, f.Type})
		}
	}
	return keys
}

// sectionOf is the type of the section, or of each of the sections, that a
// value of type t is; nil where it is none.
func sectionOf(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		return t
	}
	return nil
}

// isSections says whether a value of type t is a list of sections.
func isSections(t reflect.Type) bool { return t.Kind() == reflect.Slice && sectionOf(t) != nil }
