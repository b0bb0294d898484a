package sources

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/internal/text"
)

// The reasons to reject a row.
const (
	// RejectMalformed: the row cannot be parsed (no tab, not an object).
	RejectMalformed = "malformed"
	// RejectLineTooLong: the line, or a field, is longer than MaxLine.
	RejectLineTooLong = "line_too_long"
	// RejectRowTooLarge: what is read of the row exceeds MaxRow bytes, or an image has more than
	// maxElements captions.
	RejectRowTooLarge = "row_too_large"
	// RejectInvalidUTF8: a text is not UTF-8.
	RejectInvalidUTF8 = "invalid_utf8"
	// RejectWrongType: a field has the wrong JSON type.
	RejectWrongType = "wrong_type"
	// RejectMissingCaption: there is no caption, or it is null.
	RejectMissingCaption = "missing_caption"
	// RejectMissingKey: the column with the role key is absent or empty.
	RejectMissingKey = "missing_key"
	// RejectMissingImage: the caption has no image, or one that the file does not list.
	RejectMissingImage = "missing_image"
	// RejectDuplicateKey: an earlier row has the same key.
	RejectDuplicateKey = "duplicate_key"
	// RejectNotSelected: the row does not meet a condition in Options.Where.
	RejectNotSelected = "not_selected"
	// RejectMissingGraph: the graph is null.
	RejectMissingGraph = "missing_graph"
	// RejectMalformedPhrases: the phrases cannot be parsed, or are not at their offsets in the caption.
	RejectMalformedPhrases = "malformed_phrases"
	// RejectMalformedGraph: the graph is invalid.
	RejectMalformedGraph = "malformed_graph"
)

// maxDetail bounds the part of a row that is quoted in the detail of a reject, in bytes.
const maxDetail = 200

// reject marks row as rejected, with a reason and a detail.
func (row *Row) reject(reason, format string, args ...any) {
	row.Reject = reason
	row.Detail = clip(escapeControls(fmt.Sprintf(format, args...)), maxDetail)
}

// escapeControls writes control characters as Go escapes, a tab as \t, so that a terminal does not interpret
// them.
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

// rejectLongLine rejects row because its line, of which line is the beginning, is too long.
func (row *Row) rejectLongLine(line []byte) {
	row.reject(RejectLineTooLong, "line %d is longer than %d bytes: %s", row.SourceRow+1, MaxLine, clip(string(line[:maxDetail]), maxDetail/2))
}

// rejectLargeRow rejects a row because it has more than MaxRow bytes.
func (row *Row) rejectLargeRow() {
	row.reject(RejectRowTooLarge, "the row has more than %d bytes in the columns that are read", MaxRow)
}

// clip returns a prefix of s of at most n bytes as valid UTF-8.
func clip(s string, n int) string {
	if len(s) <= n {
		return strings.ToValidUTF8(s, "�")
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.ToValidUTF8(s[:n], "�") + "…"
}

// FileError says where a file is malformed and what to do about it. Row is the number of rows
// before that place. Offset is the byte in the (decompressed) file, or −1 if it is not known.
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
