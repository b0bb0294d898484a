package strictyaml

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// parseSetting parses key.path=value as a YAML document. An empty value is an empty text. If the
// key takes texts, a value that is neither a YAML list nor in quotes is used literally, since globs
// and file names may have characters with a meaning in YAML.
func parseSetting(set string, t reflect.Type, example string) (ast.Node, error) {
	key, value, ok := strings.Cut(set, "=")
	if !ok || key == "" {
		return nil, fmt.Errorf("want key.path=value, such as %s", example)
	}
	switch {
	case !utf8.ValidString(set):
		return nil, errors.New("it is not UTF-8, which names of files and folders have to be here: rename what it names")
	case strings.ContainsFunc(value, isUnwritable):
		return nil, fmt.Errorf(`the value holds a line break or another control character, of which YAML makes another: write it in double quotes with an escape, as in --set '%s="a\nb"'`, key)
	}
	var parsed any
	node, err := parse([]byte(value))
	if err == nil && node != nil {
		err = yaml.NodeToValue(node, &parsed)
	}
	switch {
	case strings.TrimSpace(value) == "":
		value = `""`
	case err == nil && parsed == nil:
		return nil, fmt.Errorf("YAML reads no value there: to mean a text, quote it for YAML, as in %s='\"…\"'", key)
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
	return parse([]byte(doc.String()))
}

// isUnwritable reports whether a character must be escaped in YAML, since it would be read as
// another one.
func isUnwritable(r rune) bool {
	return unicode.IsControl(r) && r != '\t' || r == '\u2028' || r == '\u2029' || r == '\ufeff'
}

// isText reports whether a value of a key of type t must be quoted as text: YAML reads another
// value, parsed, or fails with err.
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

// typeOf returns the type of the value of a key of a recipe; nil if there is no such key.
func typeOf(path string, recipe reflect.Type) reflect.Type {
	k, _ := keyAt(path, recipe)
	return k.of
}

// keyAt returns the key of a recipe at path. For the name of a map's element, it returns the map's
// key with the type of its elements.
func keyAt(path string, recipe reflect.Type) (key, bool) {
	keys := keysOf(recipe, "")
	at := func(path string) int { return slices.IndexFunc(keys, func(k key) bool { return k.path == path }) }
	if i := at(path); i >= 0 {
		return keys[i], true
	}
	for i := strings.LastIndexByte(path, '.'); i >= 0; i = strings.LastIndexByte(path[:i], '.') {
		if j := at(path[:i]); j >= 0 {
			k := keys[j]
			if k.of.Kind() != reflect.Map {
				return key{}, false
			}
			k.of = k.of.Elem()
			return k, true
		}
	}
	return key{}, false
}
