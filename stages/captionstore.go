package stages

import (
	"bufio"
	"encoding/binary"

	"capgraph/store"
)

// captionStore holds captions as the file has them, each after the hash of its text and its length:
// in memory, or in a scratch file if there are many.
type captionStore struct {
	scratch   func() (store.Temp, error)
	maxMemory int64 // bytes that are held in memory
	memory    []byte
	file      store.Temp
	out       *bufio.Writer // to the file
	size      int64
	head      []byte
}

// captionHeaderSize is the number of bytes before a caption: its hash and its length.
const captionHeaderSize = 12

func (r *captionStore) addCaption(hash uint64, caption string) (err error) {
	r.head = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(r.head[:0], hash), uint32(len(caption)))
	r.size += int64(captionHeaderSize + len(caption))
	if r.file == nil && r.size > r.maxMemory && r.scratch != nil {
		if r.file, err = r.scratch(); err != nil {
			return err
		}
		r.out = bufio.NewWriterSize(r.file, 1<<20)
		if _, err := r.out.Write(r.memory); err != nil {
			return err
		}
		r.memory = nil
	}
	if r.file == nil {
		r.memory = append(append(r.memory, r.head...), caption...)
		return nil
	}
	_, err = r.out.Write(r.head)
	if err == nil {
		_, err = r.out.WriteString(caption)
	}
	return err
}

// finishWriting ends adding; the captions can be read now.
func (r *captionStore) finishWriting() error {
	if r.file == nil {
		return nil
	}
	err := r.out.Flush()
	r.out = nil
	return err
}

func (r *captionStore) removeFile() error {
	if r.file == nil {
		return nil
	}
	return r.file.Discard()
}

// readSpan reads the captions of a span.
func (r *captionStore) readSpan(of captionSpan) (texts []storedCaption, err error) {
	var data []byte
	if r.file == nil {
		data = r.memory[of.offset:][:of.size]
	} else {
		data = make([]byte, of.size)
		if n, err := r.file.ReadAt(data, of.offset); n < len(data) {
			return nil, err
		}
	}
	for len(data) > 0 {
		hash, size := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint32(data[8:])
		texts = append(texts, storedCaption{hash, data[captionHeaderSize:][:size]})
		data = data[captionHeaderSize+size:]
	}
	return texts, nil
}
