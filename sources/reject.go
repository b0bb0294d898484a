package sources

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/internal/text"
)

// The reasons why a row is rejected.
const (
	// RejectMalformed: the row cannot be taken apart (no tab, not an object).
	RejectMalformed = "malformed"
	// RejectLineTooLong: the line, or a field, is longer than MaxLine.
	RejectLineTooLong = "line_too_long"
	// RejectRowTooLarge: all that is read of the row has more bytes than MaxRow, or an
	// image has more captions than maxElements.
	RejectRowTooLarge = "row_too_large"
	// RejectInvalidUTF8: a text is not UTF-8.
	RejectInvalidUTF8 = "invalid_utf8"
	// RejectWrongType: a field has another JSON type than it must have.
	RejectWrongType = "wrong_type"
	// RejectMissingCaption: there is no caption, or it is null.
	RejectMissingCaption = "missing_caption"
	// RejectMissingKey: the column that is mapped to the key is absent or empty.
	RejectMissingKey = "missing_key"
	// RejectMissingImage: the caption belongs to no image, or to one that the
	// file does not list.
	RejectMissingImage = "missing_image"
	// RejectDuplicateKey: the key came before.
	RejectDuplicateKey = "duplicate_key"
	// RejectNotSelected: Options.Where asks for another value.
	RejectNotSelected = "not_selected"
	// RejectMissingGraph: there is no graph: it is null.
	RejectMissingGraph = "missing_graph"
	// RejectMalformedPhrases: the phrases of the caption cannot be read, or are not where they say.
	RejectMalformedPhrases = "malformed_phrases"
	// RejectMalformedGraph: the graph cannot be taken apart.
	RejectMalformedGraph = "malformed_graph"
)

// maxDetail bounds the part of a row that the detail of a reject repeats, in bytes.
const maxDetail = 200

// reject marks row as rejected, with a reason and a detail.
func (row *Row) reject(reason, format string, args ...any) {
	row.Reject = reason
	row.Detail = clip(escapeControls(fmt.Sprintf(format, args...)), maxDetail)
}

// escapeControls escapes control characters, which a terminal might obey, as Go does: a tab as \t.
func escapeControls(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// rejectLongLine rejects row, whose line begins with line and is too long.
func (row *Row) rejectLongLine(line []byte) {
	row.reject(RejectLineTooLong, "line %d is longer than %d bytes: %s", row.SourceRow+1, MaxLine, clip(string(line[:maxDetail]), maxDetail/2))
}

// rejectLargeRow rejects a row of more bytes than MaxRow.
func (row *Row) rejectLargeRow() {
	row.reject(RejectRowTooLarge, "the row has more than %d bytes in the columns that are read", MaxRow)
}

// clip returns at most n bytes of s as valid UTF-8.
func clip(s string, n int) string {
	if len(s) <= n {
		return strings.ToValidUTF8(s, "�")
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.ToValidUTF8(s[:n], "�") + "…"
}

// FileError says where a file is malformed and what to do. Row is the number of rows before the
// place; Offset is the byte in the (decompressed) file, or −1 if it is unknown.
type FileError struct {
	Path        string
	Row, Offset int64
	Err         error
	Remedy      string
}

func (e *FileError) Error() string {
	var b strings.Builder
	b.WriteString(e.Path)
	if e.Row > 0 {
		fmt.Fprintf(&b, ": after %d %s", e.Row, text.Plural(e.Row, "row", "rows"))
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&b, ": byte %d", e.Offset)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	if e.Remedy != "" {
		fmt.Fprintf(&b, " (%s)", e.Remedy)
	}
	return b.String()
}

func (e *FileError) Unwrap() error { return e.Err }
