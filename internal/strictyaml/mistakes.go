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
func checkValues(data []byte, t reflect.Type) error {
	var doc any
	if yaml.Unmarshal(data, &doc) != nil {
		return nil // decoding says what is wrong
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
		path := prefix + k.path
		if err := mistake(value, k.of); err != nil {
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

// mistake says why decoding a value into t would fail without a place, or give another value.
func mistake(value any, t reflect.Type) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	text := fmt.Sprint(value)
	switch {
	case t == reflect.TypeFor[time.Duration]():
		if _, err := time.ParseDuration(text); err != nil {
			return unlike(text, t)
		}
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64, t.Kind() == reflect.Uint64:
		number, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil:
		case number != math.Trunc(number), number < 0 && t.Kind() == reflect.Uint64:
			return unlike(text, t)
		case tooLarge(text, number, t):
			return fmt.Errorf("%s is too large", text)
		}
	case t.Kind() == reflect.String:
		switch value.(type) {
		case []any, map[string]any:
			return unlike(text, t)
		}
	case t == reflect.TypeFor[[]string]():
		switch value := value.(type) {
		case []any:
			return noText(value)
		case map[string]any:
			return fmt.Errorf("%v: want a text or a list of texts", value)
		}
	case t == reflect.TypeFor[[]float64]():
		return noNumber(value)
	case isSections(t):
		return noSections(value, t)
	case t.Kind() == reflect.Struct, t.Kind() == reflect.Map:
		named, section := value.(map[string]any)
		if !section {
			return noSection(value, t)
		}
		if t != reflect.TypeFor[map[string]string]() {
			return nil
		}
		for _, name := range slices.Sorted(maps.Keys(named)) {
			switch of := named[name].(type) {
			case []any, map[string]any:
				return fmt.Errorf("%s is %v: want a text", name, of)
			}
		}
	}
	return nil
}

// noNumber says which element of a list of numbers is none; one may stand for a list.
func noNumber(value any) error {
	list, several := value.([]any)
	if !several {
		list = []any{value}
	}
	for _, v := range list {
		if _, err := strconv.ParseFloat(fmt.Sprint(v), 64); err != nil {
			return fmt.Errorf("%v: want a number or a list of numbers", cmp.Or[any](v, "null"))
		}
	}
	return nil
}

// noSections says why value is neither a section nor a list of sections of type t.
func noSections(value any, t reflect.Type) error {
	list, several := value.([]any)
	if !several {
		return mistake(value, t.Elem())
	}
	for i, v := range list {
		if _, section := v.(map[string]any); !section {
			return fmt.Errorf("element %d is %v: want %s", i+1, cmp.Or[any](v, "null"), wanted(t.Elem()))
		}
	}
	return nil
}

// noSection says that value is no section of type t. Who writes false or true for one means
// the key that turns it off or on.
func noSection(value any, t reflect.Type) error {
	err := unlike(fmt.Sprint(value), t)
	if _, ok := value.(bool); ok && slices.ContainsFunc(keysOf(t, ""), func(k key) bool { return k.path == "enabled" }) {
		return fmt.Errorf("%w, such as {enabled: %v}", err, value)
	}
	return err
}

func unlike(text string, t reflect.Type) error {
	return fmt.Errorf("%s: want %s", cmp.Or(text, `""`), wanted(t))
}

// tooLarge reports whether t, or a float64 where the number is written as one, does not hold it.
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

// valueAt is the value of a key in a document, nil where it is not there.
func valueAt(doc any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		section, _ := doc.(map[string]any)
		doc = section[name]
	}
	return doc
}
