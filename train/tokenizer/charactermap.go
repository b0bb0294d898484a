package tokenizer

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"

	"github.com/rivo/uniseg"
)

// characterMap is SentencePiece's precompiled table of replacements: a double-array trie of byte
// strings. Its values are offsets in texts, where each replacement ends with a zero byte.
type characterMap struct {
	units []uint32
	texts []byte
}

func newCharacterMap(data []byte) (*characterMap, error) {
	if len(data) < 4 {
		return nil, errors.New("it is too short")
	}
	size := binary.LittleEndian.Uint32(data)
	data = data[4:]
	if size%4 != 0 || uint64(size) > uint64(len(data)) {
		return nil, errors.New("its trie is cut off")
	}
	m := &characterMap{units: make([]uint32, size/4), texts: data[size:]}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return m, nil
}

// maxReplacedCluster is the maximum size of a grapheme cluster that is replaced as a whole, in
// bytes.
const maxReplacedCluster = 5

// replaceAll replaces grapheme clusters and, in clusters without a replacement, single characters,
// as Hugging Face's tokenizers do.
func (m *characterMap) replaceAll(text string) string {
	var b strings.Builder
	for state := -1; text != ""; {
		var cluster string
		cluster, text, _, state = uniseg.FirstGraphemeClusterInString(text, state)
		if len(cluster) <= maxReplacedCluster {
			if to, ok := m.findReplacement(cluster); ok {
				b.Write(to)
				continue
			}
		}
		for _, r := range cluster {
			c := string(r)
			if to, ok := m.findReplacement(c); ok {
				b.Write(to)
			} else {
				b.WriteString(c)
			}
		}
	}
	return b.String()
}

// findReplacement returns the replacement of the shortest entry of the table that is a prefix of
// key.
func (m *characterMap) findReplacement(key string) ([]byte, bool) {
	at := uint32(0)
	next := func() (unit uint32, ok bool) {
		if uint64(at) >= uint64(len(m.units)) {
			return 0, false
		}
		return m.units[at], true
	}
	offset := func(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
	unit, ok := next()
	at ^= offset(unit)
	for i := 0; ok && i < len(key) && key[i] != 0; i++ {
		at ^= uint32(key[i])
		if unit, ok = next(); !ok || unit&(1<<31|0xff) != uint32(key[i]) {
			return nil, false
		}
		at ^= offset(unit)
		if unit>>8&1 == 0 {
			continue
		}
		value, ok := next()
		place := value & (1<<31 - 1)
		if !ok || uint64(place) > uint64(len(m.texts)) {
			return nil, false
		}
		text, _, _ := bytes.Cut(m.texts[place:], []byte{0})
		return text, true
	}
	return nil, false
}
