// Package strictyaml reads recipes: YAML that overrides defaults. Mistakes, such as unknown keys, are
// errors with their place. Errors have no credentials, and the memory for a document is bounded.
package strictyaml

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// Error is a mistake in a recipe, with its place.
type Error struct{ text string }

func (e *Error) Error() string { return e.text }

// ExitCode returns the code for wrong usage, as opposed to bad data.
func (e *Error) ExitCode() int { return 2 }

// Form describes how recipes of type T, a struct with yaml tags, are read.
type Form[T any] struct {
	File     string         // the usual name of the file
	Make     string         // how to make a recipe, for the error of a missing one; may be ""
	Example  string         // an example of --set
	Defaults func() T       // the settings of an empty recipe
	Check    func(*T) error // returns the first invalid value, placed by At or In
}

// Load returns the defaults, overridden by the YAML file at path, unless that is "", and then by sets
// of the form key.path=value. They may be in any order: a section is set before the keys in it. If a
// key has several values, the last one counts. An unknown key, or a value of a wrong type or out of
// range, is an *Error that names the place and, for a key, the nearest valid one.
func (f Form[T]) Load(path string, sets []string) (*T, error) {
	data, err := f.readFile(path)
	if err != nil {
		return nil, err
	}
	t, recipe := reflect.TypeFor[T](), f.Defaults()
	body, err := parse(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err == nil {
		err = decode(body, &recipe, t)
	}
	if err != nil {
		return nil, &Error{path + ":" + err.Error()}
	}
	sets = sectionsFirst(sets)
	for _, set := range sets {
		doc, err := parseSetting(set, t, f.Example)
		if err == nil {
			err = decode(doc, &recipe, t)
		}
		if err != nil {
			return nil, &Error{shownSet(set, t) + ": " + place.ReplaceAllString(err.Error(), "")}
		}
	}
	v := reflect.ValueOf(recipe)
	if err = cmp.Or(checkTexts(v, ""), checkLimits(v, "")); err == nil {
		err = f.Check(&recipe)
	}
	if err == nil {
		return &recipe, nil
	}
	if set := findSet(sets, t, err); set != "" {
		return nil, &Error{shownSet(set, t) + ": " + withoutSecrets(err, v)}
	}
	if path == "" {
		return nil, &Error{fmt.Sprintf("%s (there is no %s, and no --set of it)", withoutSecrets(err, v), f.File)}
	}
	at, said := findPlace(body, err)
	text := path + ":" + at + " " + withoutSecrets(said, v)
	if at == "" {
		text += " (the value is not in the file: it is a default)"
	}
	return nil, &Error{text}
}

// place matches the place of an error. It is removed for settings on the command line, which have one
// line.
var place = regexp.MustCompile(`^\d+:\d+: `)

// sectionsFirst returns sets, with those of a section before those of its keys.
func sectionsFirst(sets []string) []string {
	depth := func(set string) int {
		key, _, _ := strings.Cut(set, "=")
		return strings.Count(key, ".")
	}
	return slices.SortedStableFunc(slices.Values(sets), func(a, b string) int { return depth(a) - depth(b) })
}

// readFile returns the content of the file at path; none if path is "".
func (f Form[T]) readFile(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	data, err := readAll(path)
	if errors.Is(err, os.ErrNotExist) {
		text := fmt.Sprintf("%s: no such file: name a %s, or run where there is one", path, f.File)
		if f.Make != "" {
			text += " (" + f.Make + ")"
		}
		return nil, &Error{text}
	}
	if err != nil {
		return nil, &Error{err.Error()}
	}
	return data, nil
}

// maxRecipe is the largest size of a recipe in bytes.
const maxRecipe = 1 << 20

func readAll(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: is a folder and no recipe", path)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxRecipe+1))
	if err == nil && len(data) > maxRecipe {
		return nil, fmt.Errorf("%s: is larger than %d bytes and no recipe", path, maxRecipe)
	}
	return data, err
}

// findSet returns the last of sets that sets the key of err, or a key below it; "" if there is none.
// The sets can be decoded.
func findSet(sets []string, t reflect.Type, err error) string {
	var field *fieldError
	if !errors.As(err, &field) {
		return ""
	}
	whole, _, _ := strings.Cut(field.path, "[") // the path of the list, if the key is in one
	for _, path := range []string{trimIndices(field.path), whole} {
		for _, set := range slices.Backward(sets) {
			doc, err := parseSetting(set, t, "")
			if err != nil {
				continue
			}
			if node := nodeAt(doc, path); node != nil && node.Type() != ast.NullType {
				return set
			}
		}
	}
	return ""
}

// decode decodes a document into the recipe, a pointer to a t. An error begins with the place.
func decode(body ast.Node, recipe any, t reflect.Type) error {
	if body == nil || body.Type() == ast.NullType {
		return nil // decoding an empty document would set all keys to zero
	}
	if err := checkValues(body, t); err != nil {
		at, said := findPlace(body, err)
		return fmt.Errorf("%s %w", at, said)
	}
	err := yaml.NodeToValue(shapeNode(body, t, reflect.ValueOf(recipe).Elem()), recipe, yaml.Strict())
	if err != nil {
		return errors.New(explainError(body, err, t))
	}
	return nil
}
