package clean

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// List returns the lines of a file that holds a word or phrase a line, with the
// characters of clean texts, so that the two can be compared. The error says which
// line is no text, and what to do.
func List(data []byte) (string, error) {
	lines, err := Lines(data)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(characters(line, Options{}, nil) + "\n")
	}
	return b.String(), nil
}

// Lines returns the lines of a file as they stand, without their ends and a byte
// order mark. The error says which line is no text, and what to do.
func Lines(data []byte) ([]string, error) {
	if utf16(data) {
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

// utf16 tells it by the byte order mark or, in the first character, by the half
// that is empty.
func utf16(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) ||
		len(data) > 1 && (data[0] == 0) != (data[1] == 0)
}
