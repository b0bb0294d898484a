package tokenizer

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"capgraph/store"
)

const (
	// Vocabulary is the name of the file of CLIP's merges.
	Vocabulary = "bpe_simple_vocab_16e6.txt.gz"
	// CLIPSize is the number of ids of CLIP's tokenizer.
	CLIPSize = alphabet + clipMerges + marks
	// vocabularySum is the SHA-256 of that file.
	vocabularySum = "924691ac288e54409236115652ad4aa250f48203de50a9e4722a6ecd48d6804a"
	// clipMerges is the number of merges of CLIP: that many lines after the file's title.
	clipMerges = 49152 - alphabet/2 - 2
	// maxVocabulary and maxMerges limit the file and its lines, in bytes.
	maxVocabulary = 2 << 20
	maxMerges     = 8 << 20
)

// CLIP is CLIP's tokenizer, like open_clip's SimpleTokenizer with its default cleaning: ftfy, HTML
// references resolved, lower case. The ids are those of open_clip with three exceptions, which do
// not occur in captions: texts that were decoded with the wrong encoding (cafÃ© for café), which
// ftfy would repair and which the cleaning of captions handles; characters newer than the Unicode
// version of Go, which are not letters yet; and the references &nGt; and &nLt;.
type CLIP struct{ bpe }

//go:embed bpe_simple_vocab_16e6.txt.gz
var embeddedVocabulary []byte

// NewCLIP returns CLIP's tokenizer, with the merges that are embedded in the program. Its context
// is DefaultContext.
func NewCLIP() (*CLIP, error) { return newCLIP(Vocabulary, embeddedVocabulary) }

// OpenCLIP returns CLIP's tokenizer with the merges of the named file, which must be a copy of
// Vocabulary, because other bytes would give other ids. Its context is DefaultContext.
func OpenCLIP(s store.Store, name string) (*CLIP, error) {
	data, err := store.ReadFile(s, name, maxVocabulary)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: name no file, and the vocabulary of CLIP that the program contains is used", err)
	}
	if err != nil {
		return nil, err
	}
	return newCLIP(name, data)
}

// newCLIP returns the tokenizer with the merges in data, the content of the named file.
func newCLIP(name string, data []byte) (*CLIP, error) {
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:]); got != vocabularySum {
		return nil, fmt.Errorf("%s is not CLIP's %s: its SHA-256 is %s, not %s: name no file, and the one that the program contains is used", name, Vocabulary, got, vocabularySum)
	}
	merges, err := readVocabulary(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c := &CLIP{newBPE(merges)}
	c.special = true
	return c, nil
}

// WithContext returns c for texts of at most n ids; n is at least 2. Both share their memory.
func (c *CLIP) WithContext(n int) (*CLIP, error) {
	b, err := c.withContext(n)
	if err != nil {
		return nil, err
	}
	return &CLIP{b}, nil
}

// Encode implements Tokenizer. It allocates nothing if the text is ASCII of at most 512 bytes, its
// words are in the cache and dst has room.
func (c *CLIP) Encode(dst []int32, text string) []int32 {
	var onStack [scratch]byte
	return c.encode(dst, appendLikeOpenCLIP(onStack[:0], text))
}

// readVocabulary returns the merges of a vocabulary, which is compressed with gzip and has a title
// line, then one merge on each line.
func readVocabulary(data []byte) ([]pair, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(z, maxMerges+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxMerges {
		return nil, fmt.Errorf("more than %d bytes of merges", maxMerges)
	}
	_, lines, _ := strings.Cut(string(text), "\n")
	lines = strings.TrimSuffix(lines, "\n")
	merges := make([]string, 0, clipMerges)
	for line := range strings.SplitSeq(lines, "\n") {
		if len(merges) == clipMerges {
			break
		}
		merges = append(merges, line)
	}
	return parseMerges(merges)
}
