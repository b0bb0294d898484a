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

// maxFile bounds the bytes of a file of a benchmark.
const maxFile = 1 << 28

// parseFile reads the file of that name; form says what is wanted, for an error.
func parseFile[T any](files store.Store, name, form string, of func([]byte) (T, error)) (T, error) {
	var parsed T
	data, err := store.ReadFile(files, name, maxFile)
	if err == nil {
		parsed, err = of(bytes.TrimPrefix(data, []byte("\ufeff")))
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

// eachInObject gives visit the entries of a JSON object, in their order.
func eachInObject[T any](data []byte, visit func(id string, entry T) error) error {
	in := json.NewDecoder(bytes.NewReader(data))
	if token, err := in.Token(); err != nil || token != json.Delim('{') {
		return errors.New("is no JSON object")
	}
	seen := map[string]bool{}
	for in.More() {
		token, err := in.Token()
		if err != nil {
			return fmt.Errorf("after entry %d: %w", len(seen), err)
		}
		id := token.(string) // a key, as the decoder sees to
		var entry T
		err = in.Decode(&entry)
		if err == nil {
			err = visit(id, entry)
		}
		if err == nil && seen[id] {
			err = errors.New("is there twice")
		}
		if err != nil {
			return fmt.Errorf("entry %q: %w", id, err)
		}
		seen[id] = true
	}
	return expectEnd(in, len(seen), "object")
}

// eachInList gives visit the entries of a JSON list, numbered from 0.
func eachInList[T any](data []byte, visit func(i int, entry T) error) error {
	in := json.NewDecoder(bytes.NewReader(data))
	if token, err := in.Token(); err != nil || token != json.Delim('[') {
		return errors.New("is no JSON list")
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

// eachLine gives visit the entries of JSON lines, numbered from 1; blank lines are none.
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

// expectEnd reads the end of what in began with, and of the file.
func expectEnd(in *json.Decoder, entries int, what string) error {
	if _, err := in.Token(); err != nil {
		return fmt.Errorf("is cut off after entry %d: %w", entries, err)
	}
	if _, err := in.Token(); err != io.EOF {
		return fmt.Errorf("goes on after the %s", what)
	}
	return nil
}

// requireFields is an error that names the first of the fields, each a name and a value,
// that is empty.
func requireFields(fields ...string) error {
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i+1] == "" {
			return fmt.Errorf("has no %s", fields[i])
		}
	}
	return nil
}

// withExtension is the name of an image with an extension, where it has none.
func withExtension(name, extension string) string {
	if path.Ext(name) == "" {
		return name + extension
	}
	return name
}

// jsonText is a JSON string or number, as files have ids.
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
