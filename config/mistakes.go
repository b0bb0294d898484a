package config

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
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

// checkNumbers returns an error for a fraction where a whole number is wanted,
// which decoding would cut off, for a number below 0 where none may be, and for what is no duration, of which it would
// not say where.
func checkNumbers(data []byte) error {
	var doc any
	if yaml.Unmarshal(data, &doc) != nil {
		return nil // decoding says what is wrong
	}
	for _, k := range keysOf(reflect.TypeFor[Config](), "") {
		value := valueAt(doc, k.path)
		if text := fmt.Sprint(value); value != nil && misread(text, k.of) {
			return &fieldError{k.path, fmt.Errorf("%s: want %s", cmp.Or(text, `""`), wanted(k.of))}
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

// valueAt is the value of a key in a document, nil where it is not there.
func valueAt(doc any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		section, _ := doc.(map[string]any)
		doc = section[name]
	}
	return doc
}
