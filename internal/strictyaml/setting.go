package strictyaml

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// setting turns key.path=value into a YAML document. No value is an empty text.
// Where texts are wanted, what is no YAML list and not in quotes is taken as it
// is: globs and names of files have characters that mean something to YAML.
func setting(set string, t reflect.Type, example string) ([]byte, error) {
	key, value, ok := strings.Cut(set, "=")
	if !ok || key == "" {
		return nil, &Error{fmt.Sprintf("--set %s: want key.path=value, such as %s", set, example)}
	}
	var parsed any
	switch err := yaml.Unmarshal([]byte(value), &parsed); {
	case strings.TrimSpace(value) == "":
		value = `""`
	case err == nil && parsed == nil:
		return nil, &Error{fmt.Sprintf("--set %s: YAML reads no value there: to mean a text, quote it for YAML: %s='%q'", set, key, value)}
	case isText(typeOf(key, t), value, parsed, err):
		value = "'" + strings.ReplaceAll(value, "'", "''") + "'"
	}
	var doc strings.Builder
	for depth, part := range strings.Split(key, ".") {
		if depth > 0 {
			doc.WriteByte('\n')
		}
		doc.WriteString(strings.Repeat("  ", depth) + part + ":")
	}
	doc.WriteString(" " + value + "\n")
	return []byte(doc.String()), nil
}

// isText says whether a value of a key of type t is a text as it stands, of which
// YAML reads something else, parsed, or nothing, for err.
func isText(t reflect.Type, value string, parsed any, err error) bool {
	if t != reflect.TypeFor[string]() && t != reflect.TypeFor[[]string]() {
		return false
	}
	within := func(begin, end string) bool { return strings.HasPrefix(value, begin) && strings.HasSuffix(value, end) }
	if err != nil {
		return !within("[", "]")
	}
	if _, pairs := parsed.(map[string]any); pairs {
		return true
	}
	text, scalar := parsed.(string)
	return scalar && text != strings.TrimSpace(value) && !within(`"`, `"`) && !within("'", "'")
}

// typeOf is the type of the value of a key of a recipe, nil where there is no such key.
func typeOf(path string, recipe reflect.Type) reflect.Type {
	keys := keysOf(recipe, "")
	at := func(path string) reflect.Type {
		if i := slices.IndexFunc(keys, func(k key) bool { return k.path == path }); i >= 0 {
			return keys[i].of
		}
		return nil
	}
	if t := at(path); t != nil {
		return t
	}
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		if t := at(path[:i]); t != nil && t.Kind() == reflect.Map {
			return t.Elem()
		}
	}
	return nil
}
