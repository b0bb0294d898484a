package sources

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
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

	// A record with several captions is as many rows. shared has what they share, and given is how
	// many of shared.captions were returned. more is how many rows there are beside the records.
	shared Row
	given  int
	more   int64
}

// Next implements Reader.
func (r *checkedReader) Next(row *Row) error {
	*row = Row{Keep: row.Keep[:0], Same: row.Same[:0]}
	if r.given == len(r.shared.captions) {
		if err := r.catchPanic(func() error { return r.rows.next(row) }); err != nil {
			return err
		}
		row.SourceRow += r.more
		r.shareRecord(row)
	}
	if r.given < len(r.shared.captions) {
		r.nextCaption(row)
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

// shareRecord takes the captions of a record that has several. Its rows belong to one image.
func (r *checkedReader) shareRecord(row *Row) {
	r.shared, r.given = Row{}, 0
	if len(row.captions) == 0 || row.Reject != "" {
		row.captions = nil
		return
	}
	r.shared = *row
	r.shared.Keep, r.shared.Same = slices.Clone(row.Keep), slices.Clone(row.Same)
	if row.ImageKey == "" && row.Image == "" {
		r.shared.ImageKey = cmp.Or(row.Key, r.defaultKey(row.SourceRow))
	}
	r.more += int64(len(row.captions) - 1)
}

// nextCaption makes row the next caption of the record. If the record has a key, the caption's is
// KEY#N, N from 0.
func (r *checkedReader) nextCaption(row *Row) {
	keep, same := row.Keep[:0], row.Same[:0]
	*row = r.shared
	row.Keep, row.Same = append(keep, r.shared.Keep...), append(same, r.shared.Same...)
	row.captions = nil
	row.SourceRow += int64(r.given)
	if row.Key != "" {
		row.Key = fmt.Sprintf("%s#%d", row.Key, r.given)
		row.ImageKey = cmp.Or(row.ImageKey, row.Image)
	}
	row.Kind = r.shared.captions[r.given].column
	columnRoles{captions: []string{"a caption"}}.setCaption(row, r.shared.captions[r.given])
	r.given++
}

// defaultKey returns the key of a row that has none of its own.
func (r *checkedReader) defaultKey(row int64) string {
	return fmt.Sprintf("%s-%09d", r.in.file.Key, row)
}

// checkRow rejects rows that are invalid in any format, and fills in missing keys.
func (r *checkedReader) checkRow(row *Row) {
	if r.in.opts.areMarked() && row.Reject == "" {
		row.unmark()
	}
	own := row.Key != ""
	if !own {
		row.Key = r.defaultKey(row.SourceRow)
	}
	row.nameImage()
	if row.Reject != "" {
		return
	}
	if strings.Contains(row.Image, "://") {
		row.addSame(row.Image)
	}
	key := xxhash.Sum64String(row.ImageKey)
	row.Same = slices.DeleteFunc(row.Same, func(h uint64) bool { return h == key })
	if row.checkTexts(r.in.opts.Keep); row.Reject != "" || !own || r.seen == nil {
		return
	}
	h := xxhash.Sum64String(row.Key)
	if _, ok := r.seen[h]; ok {
		row.reject(RejectDuplicateKey, "key %s came before", row.Key)
		return
	}
	r.seen[h] = struct{}{}
}

// nameImage sets the name of the row's image, without the number of a caption, and the key of its image.
func (row *Row) nameImage() {
	if image := trimCaptionNumber(row.Image); image != row.Image {
		if row.ImageKey == row.Image {
			row.ImageKey = image
		}
		row.Image = image
	}
	row.ImageKey = cmp.Or(row.ImageKey, row.Image, row.Key)
}

// checkTexts rejects a row with a text that is too long, is not UTF-8 or is JSON. keep names its kept columns.
func (row *Row) checkTexts(keep []string) {
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
		if row.checkUTF8(t.name, t.text); row.Reject != "" {
			return
		}
	}
	if fields, isJSON := jsonFields(row.Caption); isJSON && row.Graph == nil {
		row.reject(RejectWrongType, "the caption is JSON%s", columnRoles{captions: []string{Caption}}.describeFields(fields))
		return
	}
	if row.Size() > MaxRow {
		row.rejectLargeRow()
		return
	}
	for i, k := range row.Keep {
		if row.checkUTF8(keep[i], k.Text); row.Reject != "" {
			return
		}
	}
	if row.Graph != nil {
		for t := range graphTexts(row.Graph) {
			if row.checkUTF8(Graph, t); row.Reject != "" {
				return
			}
		}
	}
}

// checkUTF8 rejects a row if the named text is not UTF-8.
func (row *Row) checkUTF8(name, text string) {
	if !utf8.ValidString(text) {
		row.reject(RejectInvalidUTF8, "%s is not UTF-8: %q", name, clip(text, maxDetail/2))
	}
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
	for r.Position().Row < r.in.from.Row {
		if r.Position().Row%1024 == 0 {
			if err := r.in.ctx.Err(); err != nil {
				return err
			}
		}
		err := r.Next(&row)
		if errors.Is(err, io.EOF) {
			return r.in.malformedError(r.Position(), fmt.Errorf("has fewer rows than the %d that were indexed", r.in.from.Row),
				"bring the old file back, or index again into another folder")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Position implements Reader. Between two captions of a record the offset is unknown.
func (r *checkedReader) Position() schemas.Position {
	at := r.rows.position()
	at.Row += r.more
	if left := len(r.shared.captions) - r.given; left > 0 {
		return schemas.Position{Row: at.Row - int64(left), Offset: -1}
	}
	return at
}

// trimCaptionNumber returns the image of a caption as Flickr8k names it: 7.jpg of 7.jpg#0.
func trimCaptionNumber(image string) string {
	name, number, ok := strings.Cut(image, "#")
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" || strings.Contains(name, "://") {
		return image
	}
	if !slices.Contains(imageExtensions, strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))) {
		return image
	}
	return name
}

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
