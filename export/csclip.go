package export

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"strings"

	"capgraph/schemas"
)

// csclipRow is a caption in the JSON of CS-CLIP: its entities and relations, each with false
// alternatives.
type csclipRow struct {
	Sample    string            `json:"sample_id"`
	Image     string            `json:"image_path"`
	Caption   string            `json:"original_caption"`
	Entities  []string          `json:"entities"`
	Negatives map[string][]foil `json:"negative_entities"`
	Relations []csclipRelation  `json:"relations"`
}

// foil is a false alternative to an entity.
type foil struct {
	Negative string `json:"negative"`
	Change   string `json:"change_type"`
}

type csclipRelation struct {
	Subject   string         `json:"subject"`
	Predicate string         `json:"relation_type"`
	Object    string         `json:"object"`
	Negatives []relationFoil `json:"negatives"`
}

// relationFoil is a false alternative to a relation: another predicate, or subject and object exchanged.
type relationFoil struct {
	Subject   string `json:"subject,omitempty"`
	Predicate string `json:"relation_type,omitempty"`
	Object    string `json:"object,omitempty"`
	Change    string `json:"change_type"`
}

// writeCSCLIP writes the captions as a JSON list of csclipRow.
func writeCSCLIP(ctx context.Context, o Options) (s Summary, err error) {
	shards, err := ListShards(o.Store, o.Dir)
	if err != nil {
		return s, err
	}
	return s, writeFile(o, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 64<<10)
		separator := "[\n"
		for r, err := range readRows(o, shards) {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			s.Rows++
			row, reason := newCSCLIPRow(o, r)
			if reason != "" {
				s.leaveOut(reason)
				continue
			}
			s.Written++
			data, err := plainJSON(row)
			if err != nil {
				return err
			}
			out.WriteString(separator)
			out.Write(data)
			separator = ",\n"
		}
		if s.Written == 0 {
			out.WriteString("[")
		}
		out.WriteString("\n]\n")
		return out.Flush()
	})
}

// newCSCLIPRow returns the entities and relations of a row, or the reason why it is left out.
func newCSCLIPRow(o Options, r *Row) (*csclipRow, string) {
	if r.Image == "" {
		return nil, "no image path"
	}
	image, inside := imagePath(o.Images, r.Image)
	if !inside {
		return nil, "an image path that leads out of the folder of images"
	}
	row := &csclipRow{Sample: r.ImageKey, Image: image, Caption: r.Text, Entities: []string{}, Negatives: map[string][]foil{}, Relations: []csclipRelation{}}
	relations := map[int16]int{} // from the index of a positive to that in row.Relations
	for _, text := range textsOf(&r.Pool, schemas.KindObject) {
		row.Entities = append(row.Entities, trimExistence(text))
	}
	for i, p := range r.Positives {
		if p.Kind != schemas.KindRelation && p.Kind != schemas.KindParaphrase {
			continue
		}
		if rel, ok := splitRelation(p.Text, row.Entities); ok {
			relations[int16(i)] = len(row.Relations)
			row.Relations = append(row.Relations, rel)
		}
	}
	hasNegative := false
	for _, n := range r.Negatives {
		if at, ok := relations[n.Of]; ok {
			rel := &row.Relations[at]
			if f, ok := rel.parseFoil(n.Text); ok {
				rel.Negatives, hasNegative = append(rel.Negatives, f), true
			}
		} else if p := r.Positives[n.Of]; p.Kind == schemas.KindObject {
			entity := trimExistence(p.Text)
			row.Negatives[entity] = append(row.Negatives[entity], foil{trimExistence(n.Text), n.Changed})
			hasNegative = true
		}
	}
	if !hasNegative {
		return nil, "no negative of an object or a relation"
	}
	return row, ""
}

// trimExistence returns a text without "there is" or "there are" before it.
func trimExistence(text string) string {
	for _, begin := range []string{"there is ", "there are "} {
		if rest, ok := strings.CutPrefix(text, begin); ok {
			return rest
		}
	}
	return text
}

// splitRelation divides a text into subject, predicate and object. Subject and object are the
// longest entities that the text begins and ends with.
func splitRelation(text string, entities []string) (rel csclipRelation, ok bool) {
	text = trimExistence(text)
	for _, e := range entities {
		if len(e) > len(rel.Subject) && strings.HasPrefix(text, e+" ") {
			rel.Subject = e
		}
		if len(e) > len(rel.Object) && strings.HasSuffix(text, " "+e) {
			rel.Object = e
		}
	}
	if rel.Subject == "" || rel.Object == "" || len(text) < len(rel.Subject)+len(rel.Object)+3 {
		return rel, false
	}
	rel.Predicate = text[len(rel.Subject)+1 : len(text)-len(rel.Object)-1]
	rel.Negatives = []relationFoil{}
	return rel, true
}

// parseFoil returns what a negative text has in place of the predicate, or the exchange of subject
// and object. It returns false if the negative changes an entity.
func (r csclipRelation) parseFoil(text string) (relationFoil, bool) {
	text = trimExistence(text)
	if text == r.Object+" "+r.Predicate+" "+r.Subject {
		return relationFoil{Subject: r.Object, Object: r.Subject, Change: "subject_object_swap"}, true
	}
	between, begins := strings.CutPrefix(text, r.Subject+" ")
	between, ends := strings.CutSuffix(between, " "+r.Object)
	return relationFoil{Predicate: between, Change: "antonym"}, begins && ends && between != r.Predicate
}
