package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
)

// Error is a mistake in the configuration, with its place and a snippet.
type Error struct{ text string }

func (e *Error) Error() string { return e.text }

// ExitCode says that the usage was wrong, not the data.
func (e *Error) ExitCode() int { return 2 }

// Load reads the YAML file at path over the defaults, then sets, each of the
// form key.path=value. An unknown key, a value of a wrong type or out of range
// is an *Error that names the place and, for a key, the nearest valid one.
func Load(path string, sets []string) (*Config, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, &Error{fmt.Sprintf("%s: no such file: name a pipeline.yaml, or run where there is one", path)}
	}
	if err != nil {
		return nil, &Error{err.Error()}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	c := Defaults()
	if err := decode(data, &c); err != nil {
		return nil, &Error{path + ":" + err.Error()}
	}
	for _, set := range sets {
		doc, err := setting(set)
		if err != nil {
			return nil, err
		}
		if err := decode(doc, &c); err != nil {
			return nil, &Error{fmt.Sprintf("--set %s: %v", set, err)}
		}
	}
	if err := c.validate(); err != nil {
		if set := setOf(sets, err); set != "" {
			return nil, &Error{fmt.Sprintf("--set %s: %v", set, err)}
		}
		return nil, &Error{path + ":" + place(data, err)}
	}
	return &c, nil
}

// setOf is the last of sets, which are decoded, that set the key that err is
// about, or one below it; "" where none did.
func setOf(sets []string, err error) string {
	var field *fieldError
	if !errors.As(err, &field) {
		return ""
	}
	path, _, _ := strings.Cut(field.path, "[") // of a list
	for _, set := range slices.Backward(sets) {
		var doc any
		if text, err := setting(set); err == nil && yaml.Unmarshal(text, &doc) == nil && valueAt(doc, path) != nil {
			return set
		}
	}
	return ""
}

// decode sets in c what data says. An error says where.
func decode(data []byte, c *Config) error {
	if err := oneDocument(data); err != nil {
		return err
	}
	if err := checkValues(data); err != nil {
		return errors.New(place(data, err))
	}
	err := yaml.UnmarshalWithOptions(data, c, yaml.Strict(),
		yaml.CustomUnmarshaler(asWritten), yaml.CustomUnmarshaler(stringOrList), yaml.CustomUnmarshaler(addToMap))
	if err != nil {
		return errors.New(explain(err))
	}
	return nil
}

// explain is the text of a decoding error, with the nearest key where the key
// is unknown.
func explain(err error) string {
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
		if near := nearest(unknown.Token.Value); near != "" {
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
func nearest(key string) string {
	best, bestDistance := "", 1+len(key)/2
	for _, path := range Keys() {
		last := path[strings.LastIndexByte(path, '.')+1:]
		if d := levenshtein.ComputeDistance(key, last); d < bestDistance {
			best, bestDistance = path, d
		}
	}
	return best
}

// Keys lists the paths of all valid keys, in the order of the recipe.
func Keys() []string {
	var paths []string
	for _, k := range keysOf(reflect.TypeFor[Config](), "") {
		paths = append(paths, k.path)
	}
	return paths
}

// key is a valid key and the type of its value.
type key struct {
	path string
	of   reflect.Type
}

func keysOf(t reflect.Type, prefix string) []key {
	var keys []key
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		ft := f.Type
		for ft.Kind() == reflect.Pointer || ft.Kind() == reflect.Slice {
			ft = ft.Elem()
		}
		switch {
		case options == "inline":
			keys = append(keys, keysOf(ft, prefix)...)
		case name == "" || name == "-":
		default:
			keys = append(keys, key{prefix + name, f.Type})
			if ft.Kind() == reflect.Struct {
				keys = append(keys, keysOf(ft, prefix+name+".")...)
			}
		}
	}
	return keys
}

// fieldError is an impossible value of the key at path.
type fieldError struct {
	path string
	err  error
}

func (e *fieldError) Error() string { return e.path + ": " + e.err.Error() }

// place finds where in data the value stands that err is about.
func place(data []byte, err error) string {
	var field *fieldError
	if !errors.As(err, &field) {
		return " " + err.Error()
	}
	path, pathErr := yaml.PathString("$." + field.path)
	if pathErr != nil {
		return " " + err.Error()
	}
	file, parseErr := parser.ParseBytes(data, 0)
	if parseErr != nil {
		return " " + err.Error()
	}
	node, nodeErr := path.FilterFile(file)
	if list, _, ok := strings.Cut(field.path, "["); ok && nodeErr != nil { // one string stands there
		return place(data, &fieldError{list, field.err})
	}
	if nodeErr != nil {
		return fmt.Sprintf(" %v (the value is not in the file: it is a default)", err)
	}
	snippet, snippetErr := path.AnnotateSource(data, false)
	if snippetErr != nil {
		return " " + err.Error()
	}
	at := node.GetToken().Position
	return fmt.Sprintf("%d:%d: %v\n%s", at.Line, at.Column, err, strings.TrimRight(string(snippet), "\n"))
}
