package strictyaml

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"capgraph/internal/redact"
)

// A field with the tag secret:"true" may contain a credential, if only by mistake. Errors do not
// contain its value, the value of an unknown key, or an address with a password.

// show returns the text of a value for an error.
type show func(value any) string

// asWritten returns a value as text, but masks an address with a password.
func asWritten(value any) string {
	text := fmt.Sprint(value)
	if redact.Holds(text) {
		return redact.Masked
	}
	if len(text) > mostShown {
		text = strings.ToValidUTF8(text[:mostShown], "") + "…"
	}
	if strings.ContainsFunc(text, isUnwritable) {
		text = strconv.Quote(text)
	}
	return text
}

// mostShown is the largest number of bytes of a value in an error.
const mostShown = 200

func showMasked(any) string { return redact.Masked }

// showerFor returns the function that shows the value of the key at path in an error. A section is
// masked, since it may have unknown keys.
func showerFor(t reflect.Type, path string) show {
	if k, known := keyAt(trimIndices(path), t); known && !k.secret && sectionOf(k.of) == nil {
		return asWritten
	}
	return showMasked
}

// plainName matches usual keys; an error repeats an unknown one only if it matches.
var plainName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,30}$`)

// shownName returns an unknown key for an error, masked if it is unusual.
func shownName(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return redact.Masked
}

// shownSet returns a --set of a recipe of type t for an error.
func shownSet(set string, t reflect.Type) string {
	path, value, isSet := strings.Cut(set, "=")
	if _, known := keyAt(path, t); !isSet && !known {
		return "--set " + redact.Masked
	}
	names := strings.Split(path, ".")
	for i, name := range names {
		names[i] = shownName(name)
	}
	shown := "--set " + strings.Join(names, ".")
	if isSet {
		shown += "=" + showerFor(t, path)(value)
	}
	return shown
}

// WithoutSecret returns a --set of a recipe of type T with its value masked if that may be secret.
func WithoutSecret[T any](set string) string {
	path, value, _ := strings.Cut(set, "=")
	if k, known := keyAt(path, reflect.TypeFor[T]()); !known || k.secret || redact.Holds(value) {
		return path + "=" + redact.Masked
	}
	return set
}

// errCredentials is the error of a text with an address that has a user, a password or a signature.
var errCredentials = errors.New("credentials do not belong in a recipe: those of a store are in the environment or a profile (docs/scale.md), that of a model where parse.api_key_env or parse.api_key_file says")

// checkTexts returns an error for a text in v, or below it, with credentials or a NUL character.
func checkTexts(v reflect.Value, path string) error {
	switch v.Kind() {
	case reflect.String:
		switch text := v.String(); {
		case redact.Holds(text):
			return At(path, errCredentials)
		case strings.ContainsRune(text, 0):
			return At(path, errors.New("holds a NUL character, which no name and no text has"))
		}
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			return checkTexts(v.Elem(), path)
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := checkTexts(v.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		byName := map[string]reflect.Value{}
		for _, k := range v.MapKeys() {
			byName[fmt.Sprint(k)] = v.MapIndex(k)
		}
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			if err := checkTexts(reflect.ValueOf(name), path); err != nil {
				return err
			}
			if err := checkTexts(byName[name], path); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for _, k := range fieldsOf(v.Type()) {
			if err := checkTexts(v.FieldByIndex(k.index), strings.TrimPrefix(path+"."+k.path, ".")); err != nil {
				return err
			}
		}
	}
	return nil
}

// leastSecret is the length in bytes of the shortest secret value that is masked in messages.
const leastSecret = 8

// withoutSecrets returns the text of an error about a recipe with the values of secret fields
// masked.
func withoutSecrets(err error, recipe reflect.Value) string {
	text := err.Error()
	for _, k := range keysOf(recipe.Type(), "") {
		if !k.secret || k.index == nil {
			continue
		}
		for _, secret := range textsIn(recipe.FieldByIndex(k.index)) {
			if len(secret) >= leastSecret {
				text = strings.ReplaceAll(text, secret, redact.Masked)
			}
		}
	}
	return text
}

// textsIn returns the texts in a value, the longest first.
func textsIn(v reflect.Value) (texts []string) {
	switch v.Kind() {
	case reflect.String:
		texts = append(texts, v.String())
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			texts = textsIn(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			texts = append(texts, textsIn(v.Index(i))...)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			texts = append(texts, textsIn(v.MapIndex(k))...)
		}
	}
	slices.SortFunc(texts, func(a, b string) int { return len(b) - len(a) })
	return texts
}

// checkEncoding returns an error with the line of the first bytes that are not UTF-8.
func checkEncoding(data []byte) error {
	for line := 1; len(data) > 0; line++ {
		end := slices.Index(data, '\n') + 1
		if end == 0 {
			end = len(data)
		}
		if !utf8.Valid(data[:end]) {
			return fmt.Errorf("%d:1: the line is not UTF-8: save the file in that encoding; names of files that are in another are not known here", line)
		}
		data = data[end:]
	}
	return nil
}
