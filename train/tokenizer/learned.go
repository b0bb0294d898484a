package tokenizer

import (
	"fmt"

	"capgraph/store"
)

// maxFile limits the file of a learned tokenizer, in bytes.
const maxFile = 32 << 20

// Learned is a tokenizer learned from a corpus, for a model that is trained from scratch. Every
// text has ids, because every byte has one. It cleans by normal form C and lower case only:
// references of HTML, and marks, are plain text.
type Learned struct {
	bpe
	merges []pair
}

func newLearned(merges []pair) *Learned { return &Learned{newBPE(merges), merges} }

// OpenLearned reads a tokenizer that Save wrote, with its context.
func OpenLearned(s store.Store, name string) (*Learned, error) {
	data, err := store.ReadFile(s, name, maxFile)
	if err != nil {
		return nil, err
	}
	l, err := decodeFile(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return l, nil
}

// Save writes l under name, in place of a file with that name. The file, usually tokenizer.json
// beside the checkpoint, can be read by Hugging Face's tokenizers (Tokenizer.from_file) with the
// same ids.
func (l *Learned) Save(s store.Store, name string) error {
	data, err := l.encodeFile()
	if err != nil {
		return err
	}
	return store.ReplaceFile(s, name, data)
}

// WithContext returns l for texts of at most n ids; n is at least 2. Both share their memory.
func (l *Learned) WithContext(n int) (*Learned, error) {
	b, err := l.withContext(n)
	if err != nil {
		return nil, err
	}
	return &Learned{b, l.merges}, nil
}

// Encode implements Tokenizer. It allocates nothing if the text is ASCII of at most 512 bytes, its
// words have come before and dst has room.
func (l *Learned) Encode(dst []int32, text string) []int32 {
	var onStack [scratch]byte
	return l.encode(dst, appendLowerNFC(onStack[:0], text))
}
