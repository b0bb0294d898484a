package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"capgraph/internal/usage"
)

// webDatasetMembers returns the files of a sample: a .json of strings with the same fields in each sample
// (key, image_key, image, pos_0, pos_1 …), a .txt with the caption, and a .neg.json with lists of the
// negatives, which loaders of captions ignore.
func webDatasetMembers(o Options, r *Row) ([]Member, string, error) {
	if o.Positives < 1 {
		return nil, "", usage.Errorf("--positives=%d: want 1 or more, the caption first", o.Positives)
	}
	texts, err := encodeTextFields(r, o.Positives)
	if err != nil {
		return nil, "", err
	}
	negatives, err := plainJSON(newNegativeColumns(r))
	return []Member{{"json", texts}, {"txt", []byte(r.Text)}, {"neg.json", negatives}}, "", err
}

// encodeTextFields returns the key, the image and that many positives of a row as a JSON object of
// strings, in a fixed order. If the row has fewer positives, they repeat from the caption on.
func encodeTextFields(r *Row, positives int) ([]byte, error) {
	var b strings.Builder
	fields := [][2]string{{"key", r.Key}, {"image_key", r.ImageKey}, {"image", r.Image}}
	for i := range positives {
		text := r.Text
		if len(r.Positives) > 0 {
			text = r.Positives[i%len(r.Positives)].Text
		}
		fields = append(fields, [2]string{"pos_" + strconv.Itoa(i), text})
	}
	for i, f := range fields {
		value, err := plainJSON(f[1])
		if err != nil {
			return nil, err
		}
		separator := ","
		if i == 0 {
			separator = "{"
		}
		fmt.Fprintf(&b, "%s%q:%s", separator, f[0], value)
	}
	return []byte(b.String() + "}"), nil
}

// negativeColumns has a row's negatives as parallel lists. Of has the index of each one's positive.
type negativeColumns struct {
	Neg     []string `json:"neg"`
	Of      []string `json:"of"`
	Method  []string `json:"method"`
	Changed []string `json:"changed"`
}

func newNegativeColumns(r *Row) negativeColumns {
	n := negativeColumns{[]string{}, []string{}, []string{}, []string{}}
	for _, t := range r.Negatives {
		n.Neg, n.Of = append(n.Neg, t.Text), append(n.Of, r.Positives[t.Of].Text)
		n.Method, n.Changed = append(n.Method, t.Method), append(n.Changed, t.Changed)
	}
	return n
}

// plainJSON returns v as JSON in which <, > and & are not escaped.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
