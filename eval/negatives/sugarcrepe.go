package negatives

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"
)

// decodeSugarCrepe reads a file of SugarCrepe: one JSON object from an id to filename, caption and
// negative_caption. The name of the file ("swap_att") is the method.
func decodeSugarCrepe(r io.Reader, name string) iter.Seq2[Row, error] {
	method := strings.TrimSuffix(name, ".json")
	return func(yield func(Row, error) bool) {
		d := json.NewDecoder(r)
		if t, err := d.Token(); err != nil || t != json.Delim('{') {
			yield(Row{}, fmt.Errorf("%s: not a JSON object of negatives by id", name))
			return
		}
		for d.More() {
			id, err := d.Token()
			if err != nil {
				yield(Row{}, fmt.Errorf("%s: %w", name, err))
				return
			}
			place := fmt.Sprintf("%s, id %v", name, id)
			var entry struct {
				Filename string `json:"filename"`
				Caption  string `json:"caption"`
				Negative string `json:"negative_caption"`
			}
			if err := d.Decode(&entry); err != nil {
				yield(Row{}, fmt.Errorf("%s: %w", place, err))
				return
			}
			if entry.Filename == "" || entry.Caption == "" || entry.Negative == "" {
				yield(Row{}, fmt.Errorf("%s: filename, caption or negative_caption is missing", place))
				return
			}
			row := Row{
				Image: entry.Filename, Positives: []string{entry.Caption},
				Negatives: []Negative{{Text: entry.Negative, Method: method}},
			}
			if !yield(row, nil) {
				return
			}
		}
		if _, err := d.Token(); err != nil {
			yield(Row{}, fmt.Errorf("%s: cut off: %w", name, err))
		}
	}
}
