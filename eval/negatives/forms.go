package negatives

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
)

// The names that files have for the column or key of the caption, of the image and of the negatives, the most usual first.
var (
	captionNames  = []string{"title", "caption", "original_caption", "sentence"}
	imageNames    = []string{"filepath", "image_path", "filename", "image", "image_id"}
	negativeNames = []string{"neg_caption", "negative_caption", "neg_captions", "negative_captions", "negative", "negatives", "hard_negative"}
)

// decodeTable reads a table with a header: a caption, an image, and negatives as a Python list (as in
// NegCLIP's TSV) or one text.
func decodeTable(r io.Reader, name string, comma rune) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		c := csv.NewReader(r)
		c.Comma = comma
		header, err := c.Read()
		if err != nil {
			yield(Row{}, fmt.Errorf("%s: no header line: %w", name, err))
			return
		}
		find := func(names []string) int {
			for _, n := range names {
				if i := slices.Index(header, n); i >= 0 {
					return i
				}
			}
			return -1
		}
		caption, image, negatives := find(captionNames), find(imageNames), find(negativeNames)
		for _, role := range []struct {
			column int
			names  []string
		}{{caption, captionNames}, {image, imageNames}, {negatives, negativeNames}} {
			if role.column < 0 {
				yield(Row{}, fmt.Errorf("%s: no column %q: name one %s, as NegCLIP has title, filepath and neg_caption", name, role.names[0], strings.Join(role.names, " or ")))
				return
			}
		}
		for n := 1; ; n++ {
			fields, err := c.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			place := fmt.Sprintf("%s, row %d", name, n)
			if err != nil {
				yield(Row{}, fmt.Errorf("%s: %w", place, err))
				return
			}
			texts := []string{fields[negatives]}
			if strings.HasPrefix(texts[0], "[") {
				if texts, err = parseStringList(texts[0]); err != nil {
					yield(Row{}, fmt.Errorf("%s, column %s: %w", place, header[negatives], err))
					return
				}
			}
			row := Row{Image: fields[image], Positives: []string{fields[caption]}}
			row.addNegatives(texts, "", 0)
			if !yield(row, nil) {
				return
			}
		}
	}
}

// addNegatives adds the texts that are not placeholders: CE-CLIP writes "###" or "<mask>" for a missing
// negative.
func (r *Row) addNegatives(texts []string, method string, of int) {
	for _, t := range texts {
		if t != "" && t != "###" && !strings.Contains(t, "<mask>") {
			r.Negatives = append(r.Negatives, Negative{Text: t, Method: method, Of: of})
		}
	}
}

// decodeJSON reads a list of objects, or SugarCrepe's object of them.
func decodeJSON(r io.Reader, name string) iter.Seq2[Row, error] {
	b := bufio.NewReader(r)
	if first, err := peekSpace(b); err != nil || first != '[' {
		return decodeSugarCrepe(b, name)
	}
	return func(yield func(Row, error) bool) {
		d := json.NewDecoder(b)
		if _, err := d.Token(); err != nil {
			yield(Row{}, fmt.Errorf("%s: %w", name, err))
			return
		}
		for n := 1; d.More(); n++ {
			row, err := decodeObject(d, fmt.Sprintf("%s, item %d", name, n))
			if !yield(row, err) || err != nil {
				return
			}
		}
		if _, err := d.Token(); err != nil {
			yield(Row{}, fmt.Errorf("%s: cut off: %w", name, err))
		}
	}
}

// peekSpace skips white space and returns the next byte, which is still to be read.
func peekSpace(b *bufio.Reader) (byte, error) {
	for {
		c, err := b.ReadByte()
		if err != nil || !bytes.ContainsRune([]byte(" \t\r\n"), rune(c)) {
			return c, errors.Join(err, b.UnreadByte())
		}
	}
}

// decodeJSONLines reads an object a line.
func decodeJSONLines(r io.Reader, name string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		d := json.NewDecoder(r)
		for n := 1; d.More(); n++ {
			row, err := decodeObject(d, fmt.Sprintf("%s, line %d", name, n))
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// decodeObject reads a caption with its negatives: CS-CLIP's units, CE-CLIP's and DeGLA's keys that end
// in _aug_caption, or a text or a list.
func decodeObject(d *json.Decoder, place string) (row Row, err error) {
	var fields map[string]json.RawMessage
	if err := d.Decode(&fields); err != nil {
		return row, fmt.Errorf("%s: %w (want a JSON object with a caption and its negatives)", place, err)
	}
	row.Image = cmp.Or(textOf(fields, imageNames), place)
	caption := textOf(fields, captionNames)
	if caption == "" {
		return row, fmt.Errorf("%s: no caption: name it %s", place, strings.Join(captionNames, " or "))
	}
	row.Positives = []string{caption}
	known := false
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		method, isAugmented := strings.CutSuffix(key, "_aug_caption")
		if !isAugmented && !slices.Contains(negativeNames, key) {
			continue
		}
		known = true
		if !isAugmented {
			method = ""
		}
		texts, err := decodeStrings(fields[key])
		if err != nil {
			return row, fmt.Errorf("%s, key %s: %w", place, key, err)
		}
		row.addNegatives(texts, method, 0)
	}
	units, err := decodeUnits(fields, &row)
	if err == nil && !known && !units {
		err = errors.New("no negatives: want negative_caption, keys that end in _aug_caption (CE-CLIP), or negative_entities and relations (CS-CLIP)")
	}
	if err != nil {
		return row, fmt.Errorf("%s: %w", place, err)
	}
	return row, nil
}

// textOf returns the text of the first of the keys names that has a text or a number; a number is
// returned as written.
func textOf(fields map[string]json.RawMessage, names []string) string {
	for _, n := range names {
		var text string
		var number json.Number
		switch raw := fields[n]; {
		case len(raw) == 0:
		case json.Unmarshal(raw, &text) == nil && text != "":
			return text
		case json.Unmarshal(raw, &number) == nil && number != "":
			return number.String()
		}
	}
	return ""
}

// decodeStrings returns a text or a list of texts; null is none.
func decodeStrings(raw json.RawMessage) (texts []string, err error) {
	var one *string
	if json.Unmarshal(raw, &one) == nil {
		if one == nil {
			return nil, nil
		}
		return []string{*one}, nil
	}
	if json.Unmarshal(raw, &texts) != nil {
		return nil, errors.New("want a text or a list of texts")
	}
	return texts, nil
}

// decodeUnits adds CS-CLIP's entities and relations with their foils, and reports whether there are any.
// The keys of its published archive have "components" for "entities".
func decodeUnits(fields map[string]json.RawMessage, row *Row) (found bool, err error) {
	foils := fields["negative_entities"]
	if foils == nil {
		foils = fields["negative_components"]
	}
	if foils != nil {
		found = true
		var all map[string][]json.RawMessage
		if err := json.Unmarshal(foils, &all); err != nil {
			return true, errors.New("negative_entities: want an object of lists, by entity")
		}
		for _, entity := range slices.Sorted(maps.Keys(all)) {
			row.Positives = append(row.Positives, entity)
			for _, raw := range all[entity] {
				var f struct{ Negative, Change string }
				text := ""
				if json.Unmarshal(raw, &text) != nil && json.Unmarshal(raw, &f) != nil {
					return true, fmt.Errorf("negative_entities of %.100q: want a text, or an object with negative", entity)
				}
				row.addNegatives([]string{cmp.Or(text, f.Negative)}, "entity", len(row.Positives)-1)
			}
		}
	}
	raw := fields["relations"]
	if raw == nil {
		return found, nil
	}
	var relations []struct {
		unitRelation
		Negatives []unitRelation `json:"negatives"`
	}
	if err := json.Unmarshal(raw, &relations); err != nil {
		return true, errors.New("relations: want a list of objects with subject, relation_type and object")
	}
	for _, r := range relations {
		row.Positives = append(row.Positives, r.joinWords())
		for _, n := range r.Negatives {
			n.Subject, n.Predicate, n.Object = cmp.Or(n.Subject, r.Subject), cmp.Or(n.Predicate, r.Predicate), cmp.Or(n.Object, r.Object)
			row.addNegatives([]string{n.joinWords()}, "relation", len(row.Positives)-1)
		}
	}
	return true, nil
}

// unitRelation is a relation of CS-CLIP. A foil has only the words that differ.
type unitRelation struct {
	Subject   string `json:"subject"`
	Predicate string `json:"relation_type"`
	Object    string `json:"object"`
}

func (u unitRelation) joinWords() string {
	return strings.TrimSpace(u.Subject + " " + strings.ReplaceAll(u.Predicate, "_", " ") + " " + u.Object)
}
