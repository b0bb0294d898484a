package ruleparse

import (
	_ "embed"
	"encoding/binary"
	"fmt"
)

// model.bin is written by `go run ./ruleparse/train`; NOTICE names its sources.
//
//go:embed model.bin
var embedded string

const magic = "capgraph ruleparse 1\n"

// sections splits a model file into its named parts: the magic, then for each a
// byte of length and its name, four bytes of length and its bytes.
func sections(s string) (map[string]string, error) {
	if len(s) < len(magic) || s[:len(magic)] != magic {
		return nil, fmt.Errorf("model: not a file of ruleparse's trainer")
	}
	s = s[len(magic):]
	m := make(map[string]string)
	for len(s) > 0 {
		n := int(s[0])
		if len(s) < 1+n+4 {
			return nil, fmt.Errorf("model: cut off")
		}
		name := s[1 : 1+n]
		size := binary.LittleEndian.Uint32([]byte(s[1+n : 5+n]))
		s = s[5+n:]
		if uint64(len(s)) < uint64(size) {
			return nil, fmt.Errorf("model: section %s is cut off", name)
		}
		m[name], s = s[:size], s[size:]
	}
	return m, nil
}

// appendSection appends one part in the form that sections reads.
func appendSection(b []byte, name string, data []byte) []byte {
	b = append(b, byte(len(name)))
	b = append(b, name...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	return append(b, data...)
}
