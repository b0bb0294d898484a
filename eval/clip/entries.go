package clip

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"

	"capgraph/store"
)

// maxFile is the largest size of a file of a benchmark, in bytes.
const maxFile = 1 << 28

// parseFile parses a file. form describes the expected form, for errors.
func parseFile[T any](files store.Store, name, form string, parse func([]byte) (T, error)) (T, error) {
	var parsed T
	data, err := store.ReadFile(files, name, maxFile)
	if err == nil {
		parsed, err = parse(bytes.TrimPrefix(data, []byte("\ufeff")))
		if err != nil {
			err = fmt.Errorf("%s: %w (want %s)", name, err, form)
		}
	}
	if err != nil {
		var none T
		return none, err
	}
	return parsed, nil
}

// eachInObject calls visit for the entries of a JSON object, in order.
func eachInObject[T any](data []byte, visit func(id string, entry T) error) error {
	in := json.NewDecoder(bytes.NewReader(data))
	if token, err := in.Token(); err != nil || token != json.Delim('{') {
		return errors.New("is not a JSON object")
	}
	seen := map[string]bool{}
	for in.More() {
		token, err := in.Token()
		if err != nil {
			return fmt.Errorf("after entry %d: %w", len(seen), err)
		}
		id := token.(string) // the decoder returns keys as strings
		var entry T
		err = in.Decode(&entry)
		if err == nil {
			err = visit(id, entry)
		}
		if err == nil && seen[id] {
			err = errors.New("occurs twice")
		}
		if err != nil {
			return fmt.Errorf("entry %q: %w", id, err)
		}
		seen[id] = true
	}
	return expectEnd(in, len(seen), "object")
}

// eachInList calls visit for the entries of a JSON list, numbered from 0.
func eachInList[T any](data []byte, visit func(i int, entry T) error) error {
	in := json.NewDecoder(bytes.NewReader(data))
	if token, err := in.Token(); err != nil || token != json.Delim('[') {
		return errors.New("is not a JSON list")
	}
	n := 0
	for ; in.More(); n++ {
		var entry T
		err := in.Decode(&entry)
		if err == nil {
			err = visit(n, entry)
		}
		if err != nil {
			return fmt.Errorf("entry %d: %w", n, err)
		}
	}
	return expectEnd(in, n, "list")
}

// eachLine calls visit for the entries of JSON lines, with line numbers from 1. Blank lines are
// skipped.
func eachLine[T any](data []byte, visit func(line int, entry T) error) error {
	line := 0
	for text := range bytes.Lines(data) {
		line++
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		var entry T
		err := json.Unmarshal(text, &entry)
		if err == nil {
			err = visit(line, entry)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	return nil
}

// expectEnd returns an error unless the object or list, and then the file, ends here.
func expectEnd(in *json.Decoder, entries int, what string) error {
	if _, err := in.Token(); err != nil {
		return fmt.Errorf("is cut off after entry %d: %w", entries, err)
	}
	if _, err := in.Token(); err != io.EOF {
		return fmt.Errorf("continues after the %s", what)
	}
	return nil
}

// requireFields takes names and values of fields, and returns an error if a value is empty.
func requireFields(fields ...string) error {
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i+1] == "" {
			return fmt.Errorf("has no %s", fields[i])
		}
	}
	return nil
}

// withExtension returns the name of an image, with the extension if it has none.
func withExtension(name, extension string) string {
	if path.Ext(name) == "" {
		return name + extension
	}
	return name
}

// jsonText is a JSON string or number, such as an id.
type jsonText string

// UnmarshalJSON implements json.Unmarshaler.
func (t *jsonText) UnmarshalJSON(data []byte) error {
	var number json.Number
	if json.Unmarshal(data, &number) == nil && len(data) > 0 && data[0] != '"' {
		*t = jsonText(number)
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}
