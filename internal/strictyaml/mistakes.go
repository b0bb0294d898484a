package strictyaml

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
)

// checkValues returns an error with its place for values that decoding would change, or refuse
// without a place: a fraction for a whole number, a number that is too large or must not be
// negative, a malformed duration, and a list or section for a text.
func checkValues(body ast.Node, t reflect.Type) error {
	var doc any
	if yaml.NodeToValue(body, &doc) != nil {
		return nil // decoding returns the error
	}
	return checkSection(doc, t, "")
}

// checkSection checks the values of a section of type t, whose path is prefix.
func checkSection(section any, t reflect.Type, prefix string) error {
	values, _ := section.(map[string]any)
	for _, k := range fieldsOf(t) {
		value := values[k.path]
		if value == nil {
			continue
		}
		path, shown := prefix+k.path, show(asWritten)
		if k.secret {
			shown = showMasked
		}
		if err := findMistake(value, k.of, shown); err != nil {
			return &fieldError{path, err}
		}
		list, several := value.([]any)
		if !isSections(k.of) || !several {
			list = []any{value}
		}
		below := sectionOf(k.of)
		for i := 0; below != nil && i < len(list); i++ {
			at := path
			if several {
				at += fmt.Sprintf("[%d]", i)
			}
			if err := checkSection(list[i], below, at+"."); err != nil {
				return err
			}
		}
	}
	return nil
}

// findMistake returns an error if decoding value into t would give another value, or fail without a
// place.
func findMistake(value any, t reflect.Type, shown show) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	text := fmt.Sprint(value)
	switch {
	case t == reflect.TypeFor[time.Duration]():
		if _, err := time.ParseDuration(text); err != nil {
			return typeMistake(value, t, shown)
		}
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64, t.Kind() == reflect.Uint64:
		number, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil:
		case number != math.Trunc(number), number < 0 && t.Kind() == reflect.Uint64:
			return typeMistake(value, t, shown)
		case tooLarge(text, number, t):
			return fmt.Errorf("%s is too large", shown(value))
		}
	case t.Kind() == reflect.String:
		switch value.(type) {
		case []any, map[string]any:
			return typeMistake(value, t, shown)
		}
	case t == reflect.TypeFor[[]string]():
		switch value := value.(type) {
		case []any:
			return checkTextList(value, shown)
		case map[string]any:
			return fmt.Errorf("%s: want a text or a list of texts", shown(value))
		}
	case t == reflect.TypeFor[[]int]():
		return checkWholeNumberList(value, shown)
	case t == reflect.TypeFor[[]float64]():
		return checkNumberList(value, shown)
	case isSections(t):
		return checkSectionList(value, t, shown)
	case t.Kind() == reflect.Struct, t.Kind() == reflect.Map:
		named, section := value.(map[string]any)
		if !section {
			return sectionMistake(value, t, shown)
		}
		if !isTextMap(t) {
			return nil
		}
		for _, name := range slices.Sorted(maps.Keys(named)) {
			switch of := named[name].(type) {
			case []any:
				if t.Elem().Kind() != reflect.String {
					if err := checkTextList(of, shown); err != nil {
						return fmt.Errorf("%s: %w", shown(name), err)
					}
					continue
				}
				return fmt.Errorf("%s is %s: want a text", shown(name), shown(of))
			case map[string]any:
				return fmt.Errorf("%s is %s: want a text", shown(name), shown(of))
			}
		}
	}
	return nil
}

// checkNumberList returns an error that names the first element of a list, or single value, that is
// not a number.
func checkNumberList(value any, shown show) error {
	list, several := value.([]any)
	if !several {
		list = []any{value}
	}
	for _, v := range list {
		if _, err := strconv.ParseFloat(fmt.Sprint(v), 64); err != nil {
			return fmt.Errorf("%s: want a number or a list of numbers", shown(cmp.Or[any](v, "null")))
		}
	}
	return nil
}

// checkWholeNumberList returns an error that names the first element of a list, or single value,
// that is not a whole number.
func checkWholeNumberList(value any, shown show) error {
	list, several := value.([]any)
	if !several {
		list = []any{value}
	}
	for _, v := range list {
		if x, err := strconv.ParseFloat(fmt.Sprint(v), 64); err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
			return fmt.Errorf("%s: want a whole number or a list of whole numbers", shown(cmp.Or[any](v, "null")))
		}
	}
	return nil
}

// checkSectionList returns an error if value is neither a section nor a list of sections of type t.
func checkSectionList(value any, t reflect.Type, shown show) error {
	list, several := value.([]any)
	if !several {
		return findMistake(value, t.Elem(), shown)
	}
	for i, v := range list {
		if _, section := v.(map[string]any); !section {
			return fmt.Errorf("element %d is %s: want %s", i+1, shown(cmp.Or[any](v, "null")), describeType(t.Elem()))
		}
	}
	return nil
}

// sectionMistake returns the error of a value that is not a section of type t. If it is a boolean
// and the section has a key enabled, the error mentions that key.
func sectionMistake(value any, t reflect.Type, shown show) error {
	err := typeMistake(value, t, shown)
	if _, ok := value.(bool); ok && t.Kind() == reflect.Struct && slices.ContainsFunc(keysOf(t, ""), func(k key) bool { return k.path == "enabled" }) {
		return fmt.Errorf("%w, such as {enabled: %v}", err, value)
	}
	return err
}

func typeMistake(value any, t reflect.Type, shown show) error {
	return fmt.Errorf("%s: want %s", cmp.Or(shown(value), `""`), describeType(t))
}

// tooLarge reports whether a number does not fit into t. If it is written with a point or exponent,
// the bound is 2⁵³.
func tooLarge(text string, number float64, t reflect.Type) bool {
	var err error
	switch {
	case strings.ContainsAny(text, ".eE"):
		return math.Abs(number) >= 1<<53
	case t.Kind() == reflect.Uint64:
		_, err = strconv.ParseUint(text, 10, 64)
	default:
		_, err = strconv.ParseInt(text, 10, 64)
	}
	return errors.Is(err, strconv.ErrRange)
}
