package sources

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"capgraph/schemas"
)

// checkedReader adds to the rows of a format what is the same for all: default keys, checks of the
// texts, and recovery from panics.
type checkedReader struct {
	in   *input
	rows rowReader
	seen map[uint64]struct{} // hashes of the keys; nil if none are remembered
}

// Next implements Reader.
func (r *checkedReader) Next(row *Row) error {
	*row = Row{Keep: row.Keep[:0], Same: row.Same[:0]}
	if err := r.catchPanic(func() error { return r.rows.next(row) }); err != nil {
		return err
	}
	r.checkRow(row)
	if row.Reject != "" {
		row.Keep, row.Same = row.Keep[:0], row.Same[:0]
		row.Graph = nil
		row.Key, row.ImageKey = clip(row.Key, MaxLine), clip(row.ImageKey, MaxLine)
		row.Image, row.Caption = clip(row.Image, MaxLine), clip(row.Caption, MaxLine)
	}
	return nil
}

// checkRow rejects rows that are invalid in any format, and fills in missing keys.
func (r *checkedReader) checkRow(row *Row) {
	own := row.Key != ""
	if !own {
		row.Key = fmt.Sprintf("%s-%09d", r.in.file.Key, row.SourceRow)
	}
	if row.ImageKey == "" {
		row.ImageKey = row.Image
	}
	if row.ImageKey == "" {
		row.ImageKey = row.Key
	}
	if row.Reject != "" {
		return
	}
	if strings.Contains(row.Image, "://") {
		row.addSame(row.Image)
	}
	key := xxhash.Sum64String(row.ImageKey)
	row.Same = slices.DeleteFunc(row.Same, func(h uint64) bool { return h == key })
	for _, t := range [...]struct {
		name, text string
		most       int
	}{
		{Caption, row.Caption, MaxLine}, {Key, row.Key, MaxName}, {ImageKey, row.ImageKey, MaxName}, {Image, row.Image, MaxName},
		{schemas.ColParser, row.Parser, MaxName},
	} {
		if len(t.text) > t.most {
			row.reject(RejectLineTooLong, "%s has %d bytes, more than %d", t.name, len(t.text), t.most)
			return
		}
		if !utf8.ValidString(t.text) {
			row.reject(RejectInvalidUTF8, "%s is not UTF-8: %q", t.name, clip(t.text, maxDetail/2))
			return
		}
	}
	if row.Size() > MaxRow {
		row.rejectLargeRow()
		return
	}
	for i, k := range row.Keep {
		if !utf8.ValidString(k.Text) {
			row.reject(RejectInvalidUTF8, "%s is not UTF-8: %q", r.in.opts.Keep[i], clip(k.Text, maxDetail/2))
			return
		}
	}
	if row.Graph != nil {
		for t := range graphTexts(row.Graph) {
			if !utf8.ValidString(t) {
				row.reject(RejectInvalidUTF8, "%s is not UTF-8: %q", Graph, clip(t, maxDetail/2))
				return
			}
		}
	}
	if !own || r.seen == nil {
		return
	}
	h := xxhash.Sum64String(row.Key)
	if _, ok := r.seen[h]; ok {
		row.reject(RejectDuplicateKey, "key %s came before", row.Key)
		return
	}
	r.seen[h] = struct{}{}
}

// addSame adds a hash that identifies the image, once.
func (row *Row) addSame(what string) {
	if h := xxhash.Sum64String(what); !slices.Contains(row.Same, h) {
		row.Same = append(row.Same, h)
	}
}

// skipToStart reads up to the position that was asked for, if the format could not begin there.
func (r *checkedReader) skipToStart() error {
	var row Row
	for r.rows.position().Row < r.in.from.Row {
		if r.rows.position().Row%1024 == 0 {
			if err := r.in.ctx.Err(); err != nil {
				return err
			}
		}
		err := r.Next(&row)
		if errors.Is(err, io.EOF) {
			return r.in.malformedError(r.rows.position(), fmt.Errorf("has fewer rows than the %d that were indexed", r.in.from.Row),
				"bring the old file back, or index again into another folder")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Position implements Reader.
func (r *checkedReader) Position() schemas.Position { return r.rows.position() }

// Close implements Reader.
func (r *checkedReader) Close() error { return r.rows.close() }

// catchPanic turns a panic of a decoder into an error of the file.
func (r *checkedReader) catchPanic(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			at := r.in.from
			if r.rows != nil {
				at = r.rows.position()
			}
			err = r.in.malformedError(at, fmt.Errorf("damaged: the decoder stopped: %v", p), "write the file anew")
		}
	}()
	return f()
}
