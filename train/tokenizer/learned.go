package tokenizer

import (
	"fmt"

	"capgraph/store"
)

// maxFile bounds the file of a learned tokenizer, in bytes.
const maxFile = 32 << 20

// Learned is a tokenizer learned from a corpus, for a model that is trained from
// scratch. Every text has ids, as every byte has. Its cleaning is normal form C
// and lower case, no more: references of HTML are text, and so are the marks.
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

// Save writes l under name, in place of a file of that name. The file is what
// Hugging Face's tokenizers reads (Tokenizer.from_file) to give the same ids, by
// habit tokenizer.json beside the checkpoint.
func (l *Learned) Save(s store.Store, name string) error {
	data, err := l.encodeFile()
	if err != nil {
		return err
	}
	return store.ReplaceFile(s, name, data)
}

// WithContext is l for texts of at most n ids; n is at least 2. Both share what
// they hold.
func (l *Learned) WithContext(n int) (*Learned, error) {
	b, err := l.withContext(n)
	if err != nil {
		return nil, err
	}
	return &Learned{b, l.merges}, nil
}

// Encode is that of Tokenizer. It allocates nothing where the text is ASCII of at
// most 512 bytes, its words have come before and dst has room.
func (l *Learned) Encode(dst []int32, text string) []int32 {
	var onStack [scratch]byte
	return l.encode(dst, appendLowerNFC(onStack[:0], text))
}
