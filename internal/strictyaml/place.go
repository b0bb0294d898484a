package strictyaml

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
)

// At places an error at the key of a path, such as source.paths or data[0].texts.
func At(path string, err error) error { return &fieldError{path, err} }

// In places an error of a section's own check, whose text begins with the key.
func In(section string, err error) error {
	key, text, ok := strings.Cut(err.Error(), ": ")
	if !ok || strings.ContainsRune(key, ' ') {
		return &fieldError{section, err}
	}
	if !strings.HasPrefix(key, section+".") {
		key = section + "." + key
	}
	return &fieldError{key, fmt.Errorf("%s", text)}
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
	if one := unnumbered(field.path); one != field.path && nodeErr != nil { // one stands there for a list
		return place(data, &fieldError{one, field.err})
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

// unnumbered is a path without the numbers of list elements.
func unnumbered(path string) string {
	for {
		list, rest, numbered := strings.Cut(path, "[")
		if !numbered {
			return path
		}
		_, rest, _ = strings.Cut(rest, "]")
		path = list + rest
	}
}
