// Package strictyaml reads recipes: YAML over defaults, strictly, so that a
// mistake is an error with its place and not a setting that does nothing. Its
// errors hold no credentials, and no document takes more memory than a recipe should.
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

// ExitCode says that the usage was wrong, not the data.
func (e *Error) ExitCode() int { return 2 }

// Form describes how recipes of type T, a struct with yaml tags, are read.
type Form[T any] struct {
	File     string         // the usual name of the file
	Make     string         // how one comes to be, for who has none; may be empty
	Example  string         // how a key is set on the command line
	Defaults func() T       // the settings of an empty recipe
	Check    func(*T) error // the first impossible value, placed by At or In
}

// Load reads the YAML file at path, which may be empty if there is none, over the defaults,
// then sets, each of the form key.path=value, in any order: a section is set before the keys in it. Of
// two values of one key, the last counts. An unknown key, a value of a wrong type or out of range
// is an *Error that names the place and, for a key, the nearest valid one.
func (f Form[T]) Load(path string, sets []string) (*T, error) {
	data, err := f.read(path)
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
	if set := setOf(sets, t, err); set != "" {
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

// place is the place of an error. A setting on the command line has none: it is one line.
var place = regexp.MustCompile(`^\d+:\d+: `)

// sectionsFirst returns sets with a section's before those for its keys.
func sectionsFirst(sets []string) []string {
	depth := func(set string) int {
		key, _, _ := strings.Cut(set, "=")
		return strings.Count(key, ".")
	}
	return slices.SortedStableFunc(slices.Values(sets), func(a, b string) int { return depth(a) - depth(b) })
}

// read reads the file at path; where that is empty, there is nothing in it.
func (f Form[T]) read(path string) ([]byte, error) {
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

// maxRecipe bounds a file that is taken for a recipe, in bytes.
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

// setOf is the last of sets, which are decoded, that set the key that err is
// about, or one below it; "" if none did.
func setOf(sets []string, t reflect.Type, err error) string {
	var field *fieldError
	if !errors.As(err, &field) {
		return ""
	}
	whole, _, _ := strings.Cut(field.path, "[") // the list, where it is one
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

// decode decodes a document into the recipe, a pointer to a t. An error says where.
func decode(body ast.Node, recipe any, t reflect.Type) error {
	if body == nil || body.Type() == ast.NullType {
		return nil // decoding nothing would set all to zero
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
