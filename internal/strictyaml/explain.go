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
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// explain is the text of a decoding error, with the nearest key where the key
// is unknown.
func explain(data []byte, err error, t reflect.Type) string {
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
		if near := nearest(data, unknown.Token, t); near != "" {
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
	case strings.Contains(message, "not allowed in this context"):
		return "the keys of a section begin in one column: see how far this line and those before it are indented"
	default:
		return "a text that means something to YAML, as a glob may, stands in quotes: '*.tsv'"
	}
}

// wanted says in words what a value of type t is.
func wanted(t reflect.Type) string {
	if t == reflect.TypeFor[time.Duration]() {
		return "a duration, such as 5s"
	}
	if t == reflect.TypeFor[[]float64]() {
		return "a number or a list of numbers"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return wanted(t.Elem())
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

// elsewhere is what a key of another section is farther away, in halves of a letter: one
// that is a letter astray in its own section is nearer than one that is right in another.
const elsewhere = 3

// nearest returns the path of the valid key most like the unknown one; "" where none is
// like it.
func nearest(data []byte, unknown *token.Token, t reflect.Type) string {
	key, section := unknown.Value, sectionAt(data, unknown)
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

// sectionAt is the path of the section whose key is at tk, "" for the recipe's own.
func sectionAt(data []byte, tk *token.Token) string {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return ""
	}
	found := &sectionFinder{offset: tk.Position.Offset}
	for _, d := range file.Docs {
		ast.Walk(found, d)
	}
	return unnumbered(found.section)
}

// sectionFinder keeps the section of the key at an offset.
type sectionFinder struct {
	offset  int
	section string
}

// Visit implements ast.Visitor.
func (s *sectionFinder) Visit(node ast.Node) ast.Visitor {
	if pair, ok := node.(*ast.MappingValueNode); ok && pair.Key.GetToken().Position.Offset == s.offset {
		path := strings.TrimPrefix(pair.Key.GetPath(), "$")
		s.section = strings.TrimPrefix(path[:max(strings.LastIndexByte(path, '.'), 0)], ".")
	}
	return s
}
