package strictyaml

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
	"github.com/goccy/go-yaml"
)

// explain is the text of a decoding error, with the nearest key where the key
// is unknown.
func explain(err error, t reflect.Type) string {
	text := strings.TrimRight(strings.TrimPrefix(err.Error(), "["), "\n")
	text = strings.Replace(text, "]", ":", 1)
	var wrong *yaml.TypeError
	if errors.As(err, &wrong) {
		first, snippet, _ := strings.Cut(text, "\n")
		place := first[:strings.Index(first, ": ")+1]
		text = fmt.Sprintf("%s %s: want %s\n%s", place, cmp.Or(wrong.Token.Value, `""`), wanted(wrong.DstType), snippet)
	}
	var syntax *yaml.SyntaxError
	if errors.As(err, &syntax) {
		text += "\n\n" + remedy(syntax.Message)
	}
	var unknown *yaml.UnknownFieldError
	if errors.As(err, &unknown) {
		if near := nearest(unknown.Token.Value, t); near != "" {
			text += fmt.Sprintf("\n\nthe nearest valid key is %q", near)
		}
	}
	return text
}

// remedy is what to do about a mistake in YAML itself.
func remedy(message string) string {
	switch {
	case strings.Contains(message, "already defined"):
		return "a key stands once: leave one of the two, or put what is below them together"
	case strings.Contains(message, "'\t'"):
		return "YAML indents with spaces: put some in place of the tab"
	default:
		return "a text that means something to YAML, as a glob may, stands in quotes: '*.tsv'"
	}
}

// wanted says in words what a value of type t is.
func wanted(t reflect.Type) string {
	if t == reflect.TypeFor[time.Duration]() {
		return "a duration, such as 5s"
	}
	switch t.Kind() {
	case reflect.Uint64:
		return "a whole number, 0 or more"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64, reflect.Float32:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "a list"
	default:
		return "keys with values"
	}
}

// nearest returns the path of the valid key most like key, or "".
func nearest(key string, t reflect.Type) string {
	best, bestDistance := "", 1+len(key)/2
	for _, k := range keysOf(t, "") {
		path := k.path
		last := path[strings.LastIndexByte(path, '.')+1:]
		if d := levenshtein.ComputeDistance(key, last); d < bestDistance {
			best, bestDistance = path, d
		}
	}
	return best
}
