package export

import (
	"bufio"
	"encoding/json"
	"io"

	"capgraph/schemas"
)

// jsonRow has the columns of texts/, except scores, counts and parts.
type jsonRow struct {
	Key        string   `json:"key"`
	ImageKey   string   `json:"image_key"`
	Image      string   `json:"image"`
	Text       string   `json:"text"`
	Pos        []string `json:"pos"`
	PosKind    []string `json:"pos_kind"`
	PosID      []int64  `json:"pos_id"`
	Neg        []string `json:"neg"`
	NegOf      []int16  `json:"neg_of"`
	NegMethod  []string `json:"neg_method"`
	NegChanged []string `json:"neg_changed"`
	NegCat     []string `json:"neg_category"`
}

// set fills j with a row; the memory of j's lists is reused. Lists are never null.
func (j *jsonRow) set(r *Row) {
	j.Key, j.ImageKey, j.Image, j.Text = r.Key, r.ImageKey, r.Image, r.Text
	j.setPool(&r.Pool)
}

// setPool fills the text lists of j.
func (j *jsonRow) setPool(p *schemas.Pool) {
	j.Pos, j.PosKind, j.PosID = emptied(j.Pos), emptied(j.PosKind), emptied(j.PosID)
	for _, t := range p.Positives {
		j.Pos, j.PosKind, j.PosID = append(j.Pos, t.Text), append(j.PosKind, t.Kind), append(j.PosID, t.ID)
	}
	j.Neg, j.NegOf, j.NegMethod = emptied(j.Neg), emptied(j.NegOf), emptied(j.NegMethod)
	j.NegChanged, j.NegCat = emptied(j.NegChanged), emptied(j.NegCat)
	for _, t := range p.Negatives {
		j.Neg, j.NegOf, j.NegMethod = append(j.Neg, t.Text), append(j.NegOf, t.Of), append(j.NegMethod, t.Method)
		j.NegChanged, j.NegCat = append(j.NegChanged, t.Changed), append(j.NegCat, t.Category)
	}
}

// emptied returns s with length 0. The result is never nil.
func emptied[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s[:0]
}

// RowWriter writes rows of texts/, whole or drawn.
type RowWriter interface {
	Write(*Row) error
	// Close writes what is buffered. It does not close the underlying writer.
	Close() error
}

type jsonLines struct {
	buffer *bufio.Writer
	json   *json.Encoder
	row    jsonRow
}

// NewJSONLines returns a writer of one JSON object per row, with the columns of texts/ except
// scores, counts and parts.
func NewJSONLines(w io.Writer) RowWriter {
	j := &jsonLines{buffer: bufio.NewWriterSize(w, 1<<16)}
	j.json = json.NewEncoder(j.buffer)
	j.json.SetEscapeHTML(false)
	return j
}

func (j *jsonLines) Write(r *Row) error {
	j.row.set(r)
	return j.json.Encode(&j.row)
}

func (j *jsonLines) Close() error { return j.buffer.Flush() }
