package sources

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"capgraph/schemas"
)

// maxJSONValue bounds one JSON value that is held in memory, such as an image with its captions, in
// bytes.
const maxJSONValue = 16 << 20

var errTooLarge = fmt.Errorf("one JSON value is larger than %d bytes", maxJSONValue)

// limitedReader is a reader that ends with errTooLarge when left is used up. The decoder asks for
// more bytes as long as a value does not end.
type limitedReader struct {
	r    io.Reader
	left int
}

func (b *limitedReader) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// jsonStream reads a JSON document piece by piece without holding it.
type jsonStream struct {
	*byteStream
	dec    *jsontext.Decoder
	budget limitedReader
	base   int64 // offset in the stream of the decoder's first byte
}

// openJSON begins a document at its first byte.
func (in *input) openJSON() (*jsonStream, error) {
	s, err := in.openStream()
	if err != nil {
		return nil, err
	}
	j := &jsonStream{byteStream: s}
	if head, _ := s.Peek(3); bytes.Equal(head, byteOrderMark) {
		s.Discard(3)
		j.base = 3
	}
	j.startDecoder(s)
	return j, nil
}

// startDecoder decodes from r. Duplicate names and texts that are not UTF-8 are left to
// jsonObject.parseOrReject, which rejects the row and not the file.
func (j *jsonStream) startDecoder(r io.Reader) {
	j.budget = limitedReader{r: r}
	j.dec = jsontext.NewDecoder(&j.budget, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// offset returns the byte after what was read last.
func (j *jsonStream) offset() int64 { return j.base + j.dec.InputOffset() }

func (j *jsonStream) readToken() (jsontext.Token, error) {
	j.budget.left = maxJSONValue
	return j.dec.ReadToken()
}

// readValue reads a whole value, which is valid until the next call.
func (j *jsonStream) readValue() (jsontext.Value, error) {
	j.budget.left = maxJSONValue
	return j.dec.ReadValue()
}

// peekKind returns the kind of the next token, or 0 if reading it would fail.
func (j *jsonStream) peekKind() jsontext.Kind {
	j.budget.left = maxJSONValue
	return j.dec.PeekKind()
}

// skipValue reads over a value of any size.
func (j *jsonStream) skipValue() error {
	depth := j.dec.StackDepth()
	for {
		if _, err := j.readToken(); err != nil {
			return err
		}
		if j.dec.StackDepth() <= depth {
			return nil
		}
	}
}

// readEnd reads the end of the document.
func (j *jsonStream) readEnd() error {
	if _, err := j.readToken(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("something follows the JSON document")
		}
		return err
	}
	return nil
}

// syntaxError returns the error of a document that cannot be read further.
func (j *jsonStream) syntaxError(row int64, err error) error {
	if j.file.err != nil {
		return j.file.err
	}
	var f *FileError
	if errors.As(err, &f) {
		return err
	}
	at := schemas.Position{Row: row, Offset: j.offset()}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, errTooLarge):
		return j.in.malformedError(at, errTooLarge, "split the value, or convert the file to JSON lines")
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return j.readError(io.ErrUnexpectedEOF, at, "the JSON is cut off: copy or download the file again")
	case errors.As(err, &syntax):
		at.Offset = j.base + syntax.ByteOffset
		remedy := "write the file anew"
		if row == 0 && at.Offset < 64 { // it does not begin as JSON does
			remedy = "see that source.format says what the file is"
		}
		return j.in.malformedError(at, fmt.Errorf("not JSON: %w", syntax.Err), remedy)
	}
	return j.readError(err, at, "write the file anew")
}

// jsonObject is a JSON object divided into names and values. Its memory is reused.
type jsonObject struct {
	buf    bytes.Buffer
	dec    *jsontext.Decoder
	names  []string
	values []jsontext.Value
}

// parseOrReject parses raw, or rejects row if raw is not a readable object. It reports whether it
// could. The values are valid as long as raw is.
func (o *jsonObject) parseOrReject(raw []byte, row *Row) bool {
	o.names, o.values = o.names[:0], o.values[:0]
	if !utf8.Valid(raw) {
		row.reject(RejectInvalidUTF8, "not UTF-8: %q", clip(string(raw), maxDetail/2))
		return false
	}
	if err := o.parseFields(raw); err != nil {
		var syntax *jsontext.SyntacticError
		if errors.As(err, &syntax) {
			err = syntax.Err
		}
		row.reject(RejectMalformed, "%v: %s", err, clip(string(raw), maxDetail/2))
		return false
	}
	return true
}

func (o *jsonObject) parseFields(raw []byte) error {
	o.buf = *bytes.NewBuffer(raw)
	if o.dec == nil {
		o.dec = jsontext.NewDecoder(&o.buf)
	} else {
		o.dec.Reset(&o.buf)
	}
	if o.dec.PeekKind() != '{' {
		if _, err := o.dec.ReadValue(); err != nil {
			return err
		}
		return errors.New("not a JSON object")
	}
	if _, err := o.dec.ReadToken(); err != nil {
		return err
	}
	for o.dec.PeekKind() != '}' {
		name, err := o.dec.ReadToken()
		if err != nil {
			return err
		}
		o.names = append(o.names, name.String())
		value, err := o.dec.ReadValue()
		if err != nil {
			return err
		}
		end := o.dec.InputOffset()
		o.values = append(o.values, raw[end-int64(len(value)):end])
	}
	if _, err := o.dec.ReadToken(); err != nil {
		return err
	}
	if _, err := o.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON object")
	}
	return nil
}

// valueOf returns the value of a name, or nil.
func (o *jsonObject) valueOf(name string) jsontext.Value {
	for i, n := range o.names {
		if n == name {
			return o.values[i]
		}
	}
	return nil
}

// cellOf returns the value of a name as a cell.
func (o *jsonObject) cellOf(name string) cell { return jsonCell(o.valueOf(name)) }

// jsonCell returns v as a cell; nil is null.
func jsonCell(v jsontext.Value) cell {
	if len(v) == 0 {
		return cell{Kept: Kept{Null: true}}
	}
	switch v.Kind() {
	case 'n':
		return cell{Kept: Kept{Null: true}}
	case '"':
		s, err := jsontext.AppendUnquote(nil, v)
		if err != nil {
			return cell{Kept: Kept{Text: string(v)}, kind: otherCell}
		}
		return cell{Kept: Kept{Text: string(s)}, kind: textCell}
	case '0':
		if isWholeNumber(v) {
			return cell{Kept: Kept{Text: string(v)}, kind: numberCell}
		}
	}
	v = v.Clone()
	if err := v.Compact(); err != nil {
		return cell{Kept: Kept{Text: string(v)}, kind: otherCell}
	}
	return cell{Kept: Kept{Text: string(v)}, kind: otherCell}
}

// isWholeNumber reports whether a JSON number is written as a whole number.
func isWholeNumber(v []byte) bool {
	for i, c := range v {
		if (c < '0' || c > '9') && (c != '-' || i > 0) {
			return false
		}
	}
	return true
}
