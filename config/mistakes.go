package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// oneDocument returns an error where data holds a second YAML document, of which
// decoding would see nothing.
func oneDocument(data []byte) error {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil // decoding says what is wrong
	}
	documents := 0
	for _, d := range file.Docs {
		if _, directive := d.Body.(*ast.DirectiveNode); d.Body == nil || directive {
			continue
		}
		if documents++; documents > 1 {
			at := d.Start.Position
			return fmt.Errorf("%d:%d: a second YAML document begins here: a recipe is one", at.Line, at.Column)
		}
	}
	return nil
}

// checkValues returns an error for a fraction where a whole number is wanted, which decoding
// would cut off, for a number that is too large or below 0 where none may be, and for what is no
// duration and no text, of which it would not say where.
func checkValues(data []byte) error {
	var doc any
	if yaml.Unmarshal(data, &doc) != nil {
		return nil // decoding says what is wrong
	}
	for _, k := range keysOf(reflect.TypeFor[Config](), "") {
		value := valueAt(doc, k.path)
		if err := misplaced(value, k.of); err != nil {
			return &fieldError{k.path, err}
		}
		if text := fmt.Sprint(value); value != nil && misread(text, k.of) {
			return &fieldError{k.path, fmt.Errorf("%s: want %s", cmp.Or(text, `""`), wanted(k.of))}
		} else if value != nil && tooLarge(text, k.of) {
			return &fieldError{k.path, fmt.Errorf("%s is too large", text)}
		}
	}
	return nil
}

func misread(text string, t reflect.Type) bool {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		_, err := time.ParseDuration(text)
		return err != nil
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64, t.Kind() == reflect.Uint64:
		number, err := strconv.ParseFloat(text, 64)
		return err == nil && (number != math.Trunc(number) || number < 0 && t.Kind() == reflect.Uint64)
	}
	return false
}

// tooLarge reports whether decoding a whole number into t would give another.
func tooLarge(text string, t reflect.Type) bool {
	number, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return false
	case t.Kind() != reflect.Uint64 && t.Kind() != reflect.Int64 && t.Kind() != reflect.Int || t == reflect.TypeFor[time.Duration]():
		return false
	case strings.ContainsAny(text, ".eE"):
		return math.Abs(number) >= 1<<53
	case t.Kind() == reflect.Uint64:
		_, err = strconv.ParseUint(text, 10, 64)
	default:
		_, err = strconv.ParseInt(text, 10, 64)
	}
	return errors.Is(err, strconv.ErrRange)
}

// misplaced says what a list or a map has in the place of a text, which its decoder finds
// without a place.
func misplaced(value any, t reflect.Type) error {
	switch value := value.(type) {
	case []any:
		if t == reflect.TypeFor[[]string]() {
			_, err := texts(value)
			return err
		}
	case map[string]any:
		if t != reflect.TypeFor[map[string]string]() {
			return nil
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			switch of := value[name].(type) {
			case []any, map[string]any:
				return fmt.Errorf("%s is %v: want a text", name, of)
			}
		}
	}
	return nil
}

// valueAt is the value of a key in a document, nil where it is not there.
func valueAt(doc any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		section, _ := doc.(map[string]any)
		doc = section[name]
	}
	return doc
}
