package sources

import (
	"iter"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// outerNames returns what may precede a dot in the name of a column, and what is behind it, the
// longest first: of syn.json.syn_text these are syn.json and syn.
func outerNames(name string) iter.Seq2[string, string] {
	return func(yield func(outer, path string) bool) {
		for end := strings.LastIndexByte(name, '.'); end > 0; end = strings.LastIndexByte(name[:end], '.') {
			if !yield(name[:end], name[end+1:]) {
				return
			}
		}
	}
}

// hasOuter returns the column that a name reaches into, "" if there is none.
func hasOuter(name string, has func(string) bool) string {
	for outer := range outerNames(name) {
		if has(outer) {
			return outer
		}
	}
	return ""
}

// reachInto returns get for names that may reach into a value: syn.json.syn_text is the field
// syn_text of the column syn.json, which holds an object, or a text that is JSON.
func reachInto(get func(string) cell) func(string) cell {
	return func(name string) cell {
		c := get(name)
		if !c.Null || !strings.Contains(name, ".") {
			return c
		}
		for outer, path := range outerNames(name) {
			if o := get(outer); !o.Null {
				if inner := o.valueAt(path); inner != nil {
					return jsonCell(inner)
				}
			}
		}
		return c
	}
}

// valueAt returns the value at a path in a cell that is JSON, or nil.
func (c cell) valueAt(path string) jsontext.Value {
	if c.kind == numberCell {
		return nil
	}
	text := strings.TrimSpace(c.Text)
	inner := valueAt(jsontext.Value(text), path)
	if inner == nil && text != "" && (strings.IndexByte("[{(`", text[0]) >= 0 || strings.IndexByte(text, '\n') > 0) {
		inner = valueAt(literalValue(text), path) // as Python prints it, or between marks of code
	}
	return inner
}

// valueAt returns the value at a path, whose names are divided by dots, or nil. A number is the
// place of an element in a list. For any other name the value is the list of the elements' values
// there. A text that is JSON is entered too.
func valueAt(v jsontext.Value, path string) jsontext.Value {
	if len(v) > 0 && v.Kind() == '"' {
		text, err := jsontext.AppendUnquote(nil, v)
		if v = text; err != nil {
			return nil
		}
	}
	if len(v) == 0 || v[0] != '{' && v[0] != '[' {
		return nil
	}
	if v[0] == '[' {
		return elementsAt(v, path)
	}
	var o jsonObject
	if o.parseFields(v) != nil {
		return nil
	}
	if inner := o.valueOf(path); inner != nil {
		return inner
	}
	for outer, rest := range outerNames(path) {
		if inner := o.valueOf(outer); inner != nil {
			return valueAt(inner, rest)
		}
	}
	return nil
}

// elementsAt is valueAt of a list. Elements that have nothing at the path are left out.
func elementsAt(list jsontext.Value, path string) jsontext.Value {
	values, err := listElements(list)
	if err != nil {
		return nil
	}
	first, rest, more := strings.Cut(path, ".")
	if n, err := strconv.Atoi(first); err == nil {
		switch {
		case n < 0 || n >= len(values):
			return nil
		case more:
			return valueAt(values[n], rest)
		}
		return values[n]
	}
	all := []byte{'['}
	for _, v := range values {
		inner := valueAt(v, path)
		if inner == nil {
			continue
		}
		if len(all) > 1 {
			all = append(all, ',')
		}
		all = append(all, inner...)
	}
	if len(all) == 1 {
		return nil
	}
	return append(all, ']')
}
