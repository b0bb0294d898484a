package sources

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"capgraph/schemas"
)

// maxJSONValue bounds a JSON value that is held in memory, such as an image with its captions, in
// bytes.
const maxJSONValue = 16 << 20

var errTooLarge = fmt.Errorf("one JSON value is larger than %d bytes", maxJSONValue)

// limitedReader returns errTooLarge once left bytes are read. This bounds the value that a decoder
// reads.
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

// jsonStream reads a JSON document piece by piece without holding all of it in memory.
type jsonStream struct {
	*byteStream
	dec    *jsontext.Decoder
	budget limitedReader
	nans   *nanReader
	base   int64 // offset in the stream of the first byte that the decoder reads
}

// openJSON opens a document at its first byte.
func (in *input) openJSON() (*jsonStream, error) {
	s, err := in.openStream()
	if err != nil {
		return nil, err
	}
	j := &jsonStream{byteStream: s}
	if err := s.decodeText(); err != nil {
		s.close()
		return nil, err
	}
	if head, _ := s.Peek(3); bytes.Equal(head, byteOrderMark) {
		s.Discard(3)
		j.base = 3
	}
	j.startDecoder(s)
	return j, nil
}

// startDecoder starts a decoder that reads r. It allows duplicate names and invalid UTF-8:
// jsonObject.parseOrReject rejects only the row that has them.
func (j *jsonStream) startDecoder(r io.Reader) {
	j.nans = &nanReader{r: bufio.NewReaderSize(r, nanWindow)}
	j.budget = limitedReader{r: j.nans}
	j.dec = jsontext.NewDecoder(&j.budget, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// offset returns the offset after the last token.
func (j *jsonStream) offset() int64 { return j.base + j.nans.rawOffset(j.dec.InputOffset()) }

func (j *jsonStream) readToken() (jsontext.Token, error) {
	j.nans.forgetBefore(j.dec.InputOffset())
	j.budget.left = maxJSONValue
	return j.dec.ReadToken()
}

// readValue reads a whole value, which is valid until the next call.
func (j *jsonStream) readValue() (jsontext.Value, error) {
	j.nans.forgetBefore(j.dec.InputOffset())
	j.budget.left = maxJSONValue
	return j.dec.ReadValue()
}

// peekKind returns the kind of the next token; 0 if reading it would fail.
func (j *jsonStream) peekKind() jsontext.Kind {
	j.budget.left = maxJSONValue
	return j.dec.PeekKind()
}

// skipValue skips a value of any size.
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

// syntaxError returns the error of a document that cannot be read to its end.
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
		at.Offset = j.base + j.nans.rawOffset(syntax.ByteOffset)
		remedy := "write the file anew"
		if row == 0 && at.Offset < 64 { // the file does not begin with JSON
			remedy = "see that source.format says what the file is"
		}
		return j.in.malformedError(at, fmt.Errorf("not JSON: %w", syntax.Err), remedy)
	}
	return j.readError(err, at, "write the file anew")
}

// jsonObject is a JSON object split into names and values. Its memory is reused.
type jsonObject struct {
	buf    bytes.Buffer
	dec    *jsontext.Decoder
	names  []string
	values []jsontext.Value
}

// parseOrReject parses raw. If raw is not a valid object, it rejects row and returns false. The
// values are valid as long as raw is.
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

// valueOf returns the value of a field; nil if there is none.
func (o *jsonObject) valueOf(name string) jsontext.Value {
	for i, n := range o.names {
		if n == name {
			return o.values[i]
		}
	}
	return nil
}

// cellOf returns the value of a field as a cell.
func (o *jsonObject) cellOf(name string) cell { return jsonCell(o.valueOf(name)) }

// cellAtPath returns the value of a field, which may be nested ("a.b"), as a cell.
func (o *jsonObject) cellAtPath(name string) cell {
	if !strings.Contains(name, ".") {
		return o.cellOf(name)
	}
	return withNested(o.cellOf)(name)
}

// jsonCell returns v as a cell. nil becomes null.
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

// isWholeNumber reports whether a JSON number is an integer. It may be written as 9.0 or 2.5e1, as
// by programs that have no integers.
func isWholeNumber(v []byte) bool {
	for i, c := range v {
		if (c < '0' || c > '9') && (c != '-' || i > 0) {
			f, err := strconv.ParseFloat(string(v[:min(len(v), maxNumber)]), 64)
			return len(v) <= maxNumber && err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53
		}
	}
	return true
}

// maxNumber is the greatest length of a number that has other characters than digits.
const maxNumber = 32

// nanReader replaces NaN, Infinity and -Infinity outside of strings by null, since Python writes
// them but JSON has no such numbers. Offsets in the returned text differ: see rawOffset.
type nanReader struct {
	r      *bufio.Reader
	quoted bool
	escape bool
	out    []byte  // text that is not yet returned
	n      int64   // number of bytes returned
	added  []int64 // offsets in the returned text after each byte that was added
	before int64   // number of added bytes that added no longer lists
}

// Read implements io.Reader.
func (n *nanReader) Read(p []byte) (int, error) {
	if len(n.out) == 0 {
		if err := n.fillBuffer(); err != nil {
			return 0, err
		}
	}
	k := copy(p, n.out)
	n.out = n.out[k:]
	n.n += int64(k)
	return k, nil
}

// fillBuffer fills out with the buffered input, at least one byte.
func (n *nanReader) fillBuffer() error {
	if _, err := n.r.Peek(1); err != nil {
		return err
	}
	window, _ := n.r.Peek(min(n.r.Buffered(), nanWindow))
	n.out = n.out[:0]
	for i := 0; i < len(window); i++ {
		c := window[i]
		switch {
		case n.escape:
			n.escape = false
		case n.quoted && c == '\\':
			n.escape = true
		case c == '"':
			n.quoted = !n.quoted
		case !n.quoted && (c == 'N' || c == 'I' || c == '-'):
			name, more := nonFiniteNumber(window[i:])
			if more && i > 0 { // it may continue after the window
				n.r.Discard(i)
				return nil
			}
			if more {
				longer, _ := n.r.Peek(len("-Infinity"))
				name, _ = nonFiniteNumber(longer)
				window = longer[:max(len(name), 1)]
			}
			if name != "" {
				n.out = append(n.out, "null"...)
				for range len(name) - len("null") {
					n.out = append(n.out, ' ')
				}
				if len(name) < len("null") {
					n.added = append(n.added, n.n+int64(len(n.out)))
				}
				i += len(name) - 1
				continue
			}
		}
		n.out = append(n.out, c)
	}
	n.r.Discard(len(window))
	return nil
}

// nanWindow is how many bytes are processed at a time.
const nanWindow = 32 << 10

// nonFiniteNumber returns NaN, Infinity or -Infinity if b begins with it. more is set if b is an incomplete
// one.
func nonFiniteNumber(b []byte) (name string, more bool) {
	for _, s := range []string{"NaN", "Infinity", "-Infinity"} {
		switch {
		case bytes.HasPrefix(b, []byte(s)):
			return s, false
		case len(b) < len(s) && s[:len(b)] == string(b):
			more = true
		}
	}
	return "", more
}

// rawOffset returns the offset in the source for an offset in the returned text. That must not be before the
// last offset given to forgetBefore.
func (n *nanReader) rawOffset(at int64) int64 { return at - n.before - int64(n.countAdded(at)) }

// forgetBefore discards what rawOffset needs for offsets before at.
func (n *nanReader) forgetBefore(at int64) {
	k := n.countAdded(at)
	n.before += int64(k)
	n.added = n.added[k:]
}

func (n *nanReader) countAdded(at int64) int {
	return sort.Search(len(n.added), func(i int) bool { return n.added[i] > at })
}

// replaceNaN returns data with NaN, Infinity and -Infinity replaced by null. img2dataset writes NaN
// for empty columns.
func replaceNaN(data []byte) []byte {
	if !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return data
	}
	out, _ := io.ReadAll(&nanReader{r: bufio.NewReaderSize(bytes.NewReader(data), nanWindow)})
	return out
}
