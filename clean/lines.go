package clean

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// PlainLines returns a file of one word or phrase per line with its characters in the form of clean
// texts, so that its lines can be compared with them. The error names the line that is not text,
// and the remedy.
func PlainLines(data []byte) (string, error) {
	lines, err := Lines(data)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(plainCharacters(line, Options{}, nil) + "\n")
	}
	return b.String(), nil
}

// Lines returns the lines of a file without line ends and byte order mark. The error names the line
// that is not text, and the remedy.
func Lines(data []byte) ([]string, error) {
	if isUTF16(data) {
		return nil, errors.New("is UTF-16 (convert it: iconv -f UTF-16 -t UTF-8)")
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		if strings.ContainsRune(line, utf8.RuneError) || strings.Contains(line, "\x00") {
			return nil, fmt.Errorf("line %d is not UTF-8: %q (save the file as UTF-8; iconv converts it)", len(lines)+1, line[:min(len(line), 40)])
		}
		if len(lines) == 0 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		lines = append(lines, strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
	}
	return lines, nil
}

// isUTF16 reports whether data begins with a byte order mark of UTF-16, or with two bytes of which
// one is zero.
func isUTF16(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) ||
		len(data) > 1 && (data[0] == 0) != (data[1] == 0)
}
