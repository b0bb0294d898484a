package tokenizer

import (
	"fmt"

	"capgraph/store"
)

// maxFile is the maximum size of the file of a tokenizer, in bytes.
const maxFile = 32 << 20

// Learned is a tokenizer learned from a corpus, for a model that is trained from scratch. It can
// encode every text, because every byte has an id. Texts are cleaned only by normal form C and
// lower case: HTML references and spelled-out marks are plain text.
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

// Save writes l to the named file, usually tokenizer.json beside the checkpoint, and replaces an
// existing one. Hugging Face's tokenizers can read it (Tokenizer.from_file) and give the same ids.
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
// words are in the cache and dst has room.
func (l *Learned) Encode(dst []int32, text string) []int32 {
	var onStack [scratch]byte
	return l.encode(dst, appendLowerNFC(onStack[:0], text))
}
