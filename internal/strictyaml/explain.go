package strictyaml

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"capgraph/internal/redact"
)

// explainError returns the text of a decoding error, with its place and, for an unknown key, the
// nearest valid one. The library's own message is not used, since it may contain secret values.
func explainError(body ast.Node, err error, t reflect.Type) string {
	var of yaml.Error
	if !errors.As(err, &of) || of.GetToken() == nil {
		return " " + err.Error()
	}
	tk := of.GetToken()
	path := pathAt(body, tk, "")
	var wrong *yaml.TypeError
	var large *yaml.OverflowError
	var unknown *yaml.UnknownFieldError
	switch {
	case errors.As(err, &unknown):
		text := "unknown field " + strconv.Quote(shownName(tk.Value))
		if near := nearestKey(path, t); near != "" {
			text += fmt.Sprintf(": the nearest valid key is %q", near)
		}
		return placeError(tk, "%s", text).Error()
	case errors.As(err, &wrong):
		value := showerFor(t, path)(tk.Value)
		if tk.Value == "" {
			value = `""`
		}
		return placeError(tk, "%s: %s: want %s", path, value, describeType(wrong.DstType)).Error()
	case errors.As(err, &large):
		return placeError(tk, "%s: %s is too large", path, showerFor(t, path)(tk.Value)).Error()
	}
	return placeError(tk, "%s", withoutValues(of.GetMessage())).Error()
}

// explainSyntax returns an error of the YAML library's parser with its place and the remedy.
func explainSyntax(err error) error {
	var of yaml.Error
	if !errors.As(err, &of) || of.GetToken() == nil {
		return errors.New(" not YAML")
	}
	return placeError(of.GetToken(), "%s: %s", withoutValues(of.GetMessage()), remedyFor(of.GetMessage()))
}

// quoted matches the part of a document that a message of the YAML library repeats.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// withoutValues returns a message of the YAML library with the repeated part of the document masked,
// unless it is the name of a key.
func withoutValues(message string) string {
	return quoted.ReplaceAllStringFunc(message, func(text string) string {
		if strings.HasPrefix(message, "mapping key ") {
			return strconv.Quote(shownName(strings.Trim(text, `"`)))
		}
		return strconv.Quote(redact.Masked)
	})
}

// remedyFor returns the remedy for a mistake in YAML itself.
func remedyFor(message string) string {
	switch {
	case strings.Contains(message, "already defined"):
		return "a key stands once: leave one of the two, or put what is below them together"
	case strings.Contains(message, "'\t'"):
		return "YAML indents with spaces: put some in place of the tab"
	case strings.Contains(message, "not allowed in this context"):
		return "the keys of a section begin in one column: see how far this line and those before it are indented"
	default:
		return "a text that means something to YAML, as a glob may, stands in quotes: '*.tsv'"
	}
}

// describeType describes in words the values that a type accepts.
func describeType(t reflect.Type) string {
	if t == reflect.TypeFor[time.Duration]() {
		return "a duration, such as 5s"
	}
	if t == reflect.TypeFor[[]float64]() {
		return "a number or a list of numbers"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return describeType(t.Elem())
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

// elsewhere is added to the distance of a key in another section; a wrong letter is 2. So a key with
// one wrong letter in the same section is nearer than an equal key in another.
const elsewhere = 3

// nearestKey returns the path of the valid key that is most similar to the unknown key at path; ""
// if none is similar.
func nearestKey(path string, t reflect.Type) string {
	path = trimIndices(path)
	dot := strings.LastIndexByte(path, '.')
	section, key := path[:max(dot, 0)], path[dot+1:]
	best, bestDistance := "", 2*(1+len(key)/2)
	for _, k := range keysOf(t, "") {
		dot := strings.LastIndexByte(k.path, '.')
		d := 2 * levenshtein.ComputeDistance(key, k.path[dot+1:])
		if k.path[:max(dot, 0)] != section {
			d += elsewhere
		}
		if d < bestDistance {
			best, bestDistance = k.path, d
		}
	}
	return best
}
