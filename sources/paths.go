package sources

import (
	"iter"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// outerNames splits the name of a column at each dot and yields what is before and after it, the
// longest first part first: for syn.json.syn_text the first parts are syn.json and syn.
func outerNames(name string) iter.Seq2[string, string] {
	return func(yield func(outer, path string) bool) {
		for end := strings.LastIndexByte(name, '.'); end > 0; end = strings.LastIndexByte(name[:end], '.') {
			if !yield(name[:end], name[end+1:]) {
				return
			}
		}
	}
}

// outerColumn returns the column whose value a name with dots reaches into; "" if there is none.
func outerColumn(name string, has func(string) bool) string {
	for outer := range outerNames(name) {
		if has(outer) {
			return outer
		}
	}
	return ""
}

// withNested returns a function like get that also knows names with dots: syn.json.syn_text is the
// field syn_text in the column syn.json, whose values are objects or JSON.
func withNested(get func(string) cell) func(string) cell {
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

// valueAt returns the value at a path in a cell that has JSON; nil if there is none.
func (c cell) valueAt(path string) jsontext.Value {
	if c.kind == numberCell {
		return nil
	}
	text := strings.TrimSpace(c.Text)
	inner := valueAt(jsontext.Value(text), path)
	if inner == nil && text != "" && (strings.IndexByte("[{(`", text[0]) >= 0 || strings.IndexByte(text, '\n') > 0) {
		inner = valueAt(literalValue(text), path) // printed by Python or in a Markdown code block
	}
	return inner
}

// valueAt returns the value at a path, a series of names with dots between them; nil if there is
// none. A number in the path is an index into a list. For any other name in a list, the result is
// the list of the elements' values. A string that contains JSON is parsed.
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

// elementsAt returns the value at a path in a list, as valueAt does. Elements without a value there are left
// out.
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
