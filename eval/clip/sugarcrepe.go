package clip

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"capgraph/store"
)

// maxPairs bounds the bytes of a file of pairs.
const maxPairs = 1 << 28

// ReadSugarCrepe reads a file of SugarCrepe, a JSON object {"id": {"filename",
// "caption", "negative_caption"}}, in its order. capgraph's rendered world has
// its held-out scenes in that form too.
func ReadSugarCrepe(files store.Store, name string) ([]Pair, error) {
	data, err := store.ReadFile(files, name, maxPairs)
	if err != nil {
		return nil, err
	}
	pairs, err := sugarCrepe(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w (want {\"id\": {\"filename\", \"caption\", \"negative_caption\"}, …})", name, err)
	}
	return pairs, nil
}

func sugarCrepe(data []byte) ([]Pair, error) {
	in := json.NewDecoder(bytes.NewReader(data))
	if token, err := in.Token(); err != nil || token != json.Delim('{') {
		return nil, errors.New("is no JSON object")
	}
	var pairs []Pair
	seen := map[string]bool{}
	for in.More() {
		token, err := in.Token()
		if err != nil {
			return nil, fmt.Errorf("after entry %d: %w", len(pairs), err)
		}
		id := token.(string) // a key, as the decoder sees to
		var entry struct {
			Filename string `json:"filename"`
			Caption  string `json:"caption"`
			Negative string `json:"negative_caption"`
		}
		if err := in.Decode(&entry); err != nil {
			return nil, fmt.Errorf("entry %q: %w", id, err)
		}
		switch {
		case entry.Filename == "":
			return nil, fmt.Errorf("entry %q has no filename", id)
		case entry.Caption == "":
			return nil, fmt.Errorf("entry %q has no caption", id)
		case entry.Negative == "":
			return nil, fmt.Errorf("entry %q has no negative_caption", id)
		case seen[id]:
			return nil, fmt.Errorf("entry %q is there twice", id)
		}
		seen[id] = true
		pairs = append(pairs, Pair{ID: id, Image: Image{Name: entry.Filename}, True: entry.Caption, False: entry.Negative})
	}
	if _, err := in.Token(); err != nil {
		return nil, fmt.Errorf("is cut off after entry %d: %w", len(pairs), err)
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, errors.New("goes on after the object")
	}
	return pairs, nil
}
