package sources

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// windows1252 is the usual encoding of Western European texts that are not UTF-8.
const windows1252 = "windows-1252"

// encodingByName returns the encoding with that name in the WHATWG Encoding Standard, such as
// windows-1252 or gbk; nil for UTF-8.
func encodingByName(name string) (encoding.Encoding, error) {
	if name == "" {
		return nil, nil
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, fmt.Errorf("source.encoding: no encoding %q: there are utf-8, windows-1252, iso-8859-15, windows-1251, gbk, big5, shift_jis, euc-kr, utf-16le, utf-16be and others of the web", name)
	}
	if canonical, _ := htmlindex.Name(e); canonical == "utf-8" {
		return nil, nil
	}
	return e, nil
}

// decodeText makes the stream decode the encoding of the options. Offsets in the file are then
// unknown.
func (s *byteStream) decodeText() error {
	e, err := encodingByName(s.in.opts.Encoding)
	if err != nil || e == nil {
		return err
	}
	s.uncompressed = false
	s.Reader = bufio.NewReaderSize(transform.NewReader(s.Reader, e.NewDecoder()), bufferSize)
	return nil
}

// guessEncoding returns the encoding of a text that is not UTF-8; "" if it is not known. If most
// bytes above 127 stand alone or in pairs among ASCII letters, the text is Windows-1252; in the
// encodings of other scripts they form longer runs.
func guessEncoding(text string) string {
	if strings.HasPrefix(text, "\xff\xfe") {
		return "utf-16le"
	}
	if strings.HasPrefix(text, "\xfe\xff") {
		return "utf-16be"
	}
	high, long := 0, 0
	for i := 0; i < len(text); {
		if strings.IndexByte("\x81\x8d\x8f\x90\x9d", text[i]) >= 0 { // no character in Windows-1252
			return ""
		}
		n := 0
		for i+n < len(text) && text[i+n] >= utf8.RuneSelf {
			n++
		}
		if high += n; n > 2 {
			long += n
		}
		i += n + 1
	}
	if high == 0 || 4*long > high {
		return ""
	}
	return windows1252
}

// sniffEncoding returns the encoding of a text file, judged by its beginning; "" if it is UTF-8 or not known.
func (in *input) sniffEncoding() string {
	s, err := in.openStream()
	if err != nil {
		return ""
	}
	defer s.close()
	head, _ := s.Peek(bufferSize)
	return encodingOf(string(head))
}

// sniffMemberEncoding returns the encoding of the captions beside the first images; "" if it is UTF-8 or not
// known.
func (in *input) sniffMemberEncoding() string {
	r, err := in.openSamples()
	if err != nil {
		return ""
	}
	defer r.close()
	var all strings.Builder
	for range maxMembersNamed * maxSamplesListed {
		m, err := r.members.current()
		if err != nil {
			break
		}
		if slices.Contains(folderCaptions, m.extension) {
			data, err := r.members.readContent(MaxLine)
			if err != nil {
				break
			}
			if e := encodingOf(string(data)); strings.HasPrefix(e, "utf-16") {
				return e
			}
			all.Write(data)
		}
		r.members.nextMember()
	}
	return encodingOf(all.String())
}

// encodingOf returns the encoding of the beginning of a text; "" if it is UTF-8 or not known. A text
// with more multi-byte UTF-8 characters than invalid bytes counts as damaged UTF-8. UTF-16 without a
// byte order mark is recognised by its zero bytes: every second byte of ASCII.
func encodingOf(text string) string {
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return guessEncoding(text)
	}
	zeros := [2]int{}
	for i := range min(len(text), zeroWindow) {
		if text[i] == 0 {
			zeros[i%2]++
		}
	}
	switch half := min(len(text), zeroWindow) / 2; {
	case half > 1 && zeros[0] == 0 && 10*zeros[1] >= 9*half:
		return "utf-16le"
	case half > 1 && zeros[1] == 0 && 10*zeros[0] >= 9*half:
		return "utf-16be"
	}
	good, bad := 0, 0
	for i := 0; i < len(text)-utf8.UTFMax; { // the last character may be cut off
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			bad++
		case n > 1:
			good++
		}
		i += n
	}
	if bad <= good {
		return ""
	}
	return guessEncoding(text)
}

// zeroWindow is the number of bytes at the beginning of a text that are searched for signs of
// UTF-16.
const zeroWindow = 1024
