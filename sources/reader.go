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

// checkedReader adds to a format's rows what all formats share: default keys, checks of the texts,
// and recovery from panics.
type checkedReader struct {
	in   *input
	rows rowReader
	seen map[uint64]struct{} // hashes of the keys so far; nil if duplicates are not checked

	// A record with several captions becomes several rows. shared has what these rows share, and given
	// counts the rows returned so far. more is the number of rows so far minus the number of records.
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
		r.startRecord(row)
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

// startRecord prepares the rows of a record with several captions. They share one image.
func (r *checkedReader) startRecord(row *Row) {
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

// nextCaption sets row to the next row of the record. If the record has a key, the row's key is
// KEY#N, with N from 0.
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

// defaultKey returns the key of a row without a key of its own.
func (r *checkedReader) defaultKey(row int64) string {
	return fmt.Sprintf("%s-%09d", r.in.file.Key, row)
}

// checkRow sets a missing key and rejects rows that are invalid in any format.
func (r *checkedReader) checkRow(row *Row) {
	if r.in.opts.hasMarkedPhrases() && row.Reject == "" {
		row.unmarkCaption()
	}
	own := row.Key != ""
	if !own {
		row.Key = r.defaultKey(row.SourceRow)
	}
	row.normalizeImage()
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

// normalizeImage removes the number of a caption from the row's image, and sets a missing image key.
func (row *Row) normalizeImage() {
	if image := trimCaptionNumber(row.Image); image != row.Image {
		if row.ImageKey == row.Image {
			row.ImageKey = image
		}
		row.Image = image
	}
	row.ImageKey = cmp.Or(row.ImageKey, row.Image, row.Key)
}

// checkTexts rejects a row that has a text which is too long or not UTF-8, or a caption that is JSON. keep
// has the names of its kept columns.
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

// checkUTF8 rejects a row if text is not UTF-8. name is its name in the message.
func (row *Row) checkUTF8(name, text string) {
	if !utf8.ValidString(text) {
		row.reject(RejectInvalidUTF8, "%s is not UTF-8: %q", name, clip(text, maxDetail/2))
	}
}

// addSame adds the hash of a value that identifies the image, unless it is there.
func (row *Row) addSame(what string) {
	if h := xxhash.Sum64String(what); !slices.Contains(row.Same, h) {
		row.Same = append(row.Same, h)
	}
}

// skipToStart skips the rows before the position to start from, if the format could not start there.
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

// trimCaptionNumber returns the image in Flickr8k's name of a caption: 7.jpg for 7.jpg#0.
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

// catchPanic calls f and turns a panic into an error of the file.
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
