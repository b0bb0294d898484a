package strictyaml

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// At returns err as the error of the key at path, such as source.paths or data[0].texts.
func At(path string, err error) error { return &fieldError{path, err} }

// In returns err, from the check of a section, as the error of a key in it. The text of err begins
// with the key.
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

// fieldError is the error of an invalid value of the key at path.
type fieldError struct {
	path string
	err  error
}

func (e *fieldError) Error() string { return e.path + ": " + e.err.Error() }

// findPlace returns the line and column in a document of the value that err is about, and err with
// the path found there: a document may have one section or text for a list of one.
func findPlace(body ast.Node, err error) (at string, said error) {
	var field *fieldError
	if !errors.As(err, &field) {
		return "", err
	}
	for _, path := range []string{field.path, trimIndices(field.path)} {
		if node := nodeAt(body, path); node != nil {
			at := node.GetToken().Position
			return fmt.Sprintf("%d:%d:", at.Line, at.Column), &fieldError{path, field.err}
		}
	}
	return "", err
}

// trimIndices returns a path without the indices of list elements.
func trimIndices(path string) string {
	for {
		list, rest, numbered := strings.Cut(path, "[")
		if !numbered {
			return path
		}
		_, rest, _ = strings.Cut(rest, "]")
		path = list + rest
	}
}
