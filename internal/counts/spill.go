package counts

import (
	"encoding/binary"
	"errors"
	"io"

	"capgraph/store"
)

// spillBlock is the number of bytes of a part that are written to the file at a time.
const spillBlock = 64 << 10

// spill stores hashes by part: full blocks in a file, the rest in memory.
type spill struct {
	file   store.Temp
	end    int64
	blocks [][]int64 // the offsets of each part's blocks in the file
	rest   [][]byte
	err    error // the first error of writing
}

func newSpill(file store.Temp, parts uint64) *spill {
	return &spill{file: file, blocks: make([][]int64, parts), rest: make([][]byte, parts)}
}

// append adds a hash to a part.
func (s *spill) append(part, hash uint64) {
	b := binary.LittleEndian.AppendUint64(s.rest[part], hash)
	if len(b) == spillBlock && s.err == nil {
		_, s.err = s.file.Write(b)
		s.blocks[part] = append(s.blocks[part], s.end)
		s.end += spillBlock
		b = b[:0]
	}
	s.rest[part] = b
}

// readPart returns the hashes of a part.
func (s *spill) readPart(part uint64) ([]uint64, error) {
	hashes := make([]uint64, 0, (len(s.blocks[part])*spillBlock+len(s.rest[part]))/8)
	decode := func(b []byte) {
		for ; len(b) > 0; b = b[8:] {
			hashes = append(hashes, binary.LittleEndian.Uint64(b))
		}
	}
	block := make([]byte, spillBlock)
	for _, at := range s.blocks[part] {
		if n, err := s.file.ReadAt(block, at); err != nil && (n < len(block) || !errors.Is(err, io.EOF)) {
			return nil, &ScratchError{err}
		}
		decode(block)
	}
	decode(s.rest[part])
	return hashes, nil
}
