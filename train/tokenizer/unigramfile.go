package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unigramFile has the fields of a tokenizer.json with a unigram model.
type unigramFile struct {
	AddedTokens []struct {
		ID      int32  `json:"id"`
		Content string `json:"content"`
	} `json:"added_tokens"`
	Normalizer   *fileStep `json:"normalizer"`
	PreTokenizer *fileStep `json:"pre_tokenizer"`
	Processor    struct {
		Single []struct {
			Special *struct {
				Name string `json:"id"`
			} `json:"SpecialToken"`
		} `json:"single"`
		Special map[string]struct {
			IDs []int32 `json:"ids"`
		} `json:"special_tokens"`
	} `json:"post_processor"`
	Model struct {
		Type         string        `json:"type"`
		Unknown      *int          `json:"unk_id"`
		Vocabulary   []scoredPiece `json:"vocab"`
		ByteFallback bool          `json:"byte_fallback"`
	} `json:"model"`
}

// fileStep is a normalizer or a pre-tokenizer in the file.
type fileStep struct {
	Type          string     `json:"type"`
	Normalizers   []fileStep `json:"normalizers"`
	PreTokenizers []fileStep `json:"pretokenizers"`
	CharacterMap  []byte     `json:"precompiled_charsmap"`
	Left          bool       `json:"strip_left"`
	Right         bool       `json:"strip_right"`
	Content       string     `json:"content"`
	Pattern       struct{ String, Regex *string }
	Replacement   string `json:"replacement"`
	PrependScheme string `json:"prepend_scheme"`
	AddPrefix     bool   `json:"add_prefix_space"`
	Split         *bool  `json:"split"`
}

// scoredPiece is a piece, stored as [text, score].
type scoredPiece struct {
	text  string
	score float64
}

func (p *scoredPiece) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&p.text, &p.score})
}

// decodeUnigram returns the tokenizer in a tokenizer.json. Truncation and padding in the file are
// ignored, because open_clip sets its own.
func decodeUnigram(data []byte) (*Unigram, error) {
	var file unigramFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	m := &file.Model
	if m.Type != "Unigram" && m.Type != "" || len(m.Vocabulary) == 0 {
		return nil, fmt.Errorf("its model is %.80q: only Unigram is supported", m.Type)
	}
	if m.Unknown == nil || *m.Unknown < 0 || *m.Unknown >= len(m.Vocabulary) {
		return nil, errors.New("model.unk_id is missing, or not an id of the vocabulary")
	}
	if len(m.Vocabulary) > maxSize {
		return nil, fmt.Errorf("%d pieces are more than %d", len(m.Vocabulary), maxSize)
	}
	u := &Unigram{ids: make(map[string]int32, len(m.Vocabulary)), unknown: int32(*m.Unknown), context: DefaultContext, words: &cache{}}
	lowest := m.Vocabulary[0].score
	for i, p := range m.Vocabulary {
		u.ids[p.text] = int32(i)
		u.scores = append(u.scores, p.score)
		u.longest, lowest = max(u.longest, len(p.text)), min(lowest, p.score)
	}
	u.unknownScore = lowest - unknownPenalty
	if m.ByteFallback {
		u.bytes = u.findBytePieces()
	}
	for _, t := range file.AddedTokens {
		// Hugging Face's tokenizers find added tokens in a text before anything else.
		if canonicalizeText(t.Content) == t.Content {
			return nil, fmt.Errorf("the added token %.80q may be part of a text: only those with punctuation are supported", t.Content)
		}
		if t.ID < 0 || int(t.ID) >= len(u.scores) || m.Vocabulary[t.ID].text != t.Content {
			return nil, fmt.Errorf("the added token %.80q is not in the vocabulary", t.Content)
		}
	}
	if err := u.readEndMark(&file); err != nil {
		return nil, err
	}
	if err := u.addNormalizer(file.Normalizer); err != nil {
		return nil, err
	}
	return u, u.setPreTokenizer(file.PreTokenizer)
}

// findBytePieces returns the ids of the pieces of all bytes, or nil if one is missing.
func (u *Unigram) findBytePieces() []int32 {
	ids := make([]int32, 256)
	for b := range ids {
		id, ok := u.ids[fmt.Sprintf("<0x%02X>", b)]
		if !ok {
			return nil
		}
		ids[b] = id
	}
	return ids
}

// readEndMark sets the end mark to the one that the file's post-processor adds.
func (u *Unigram) readEndMark(file *unigramFile) error {
	parts := file.Processor.Single
	if len(parts) != 2 || parts[0].Special != nil || parts[1].Special == nil {
		return errors.New("post_processor.single is not a text and an end mark: only these are supported")
	}
	ids := file.Processor.Special[parts[1].Special.Name].IDs
	if len(ids) != 1 || ids[0] < 0 || int(ids[0]) >= len(u.scores) {
		return fmt.Errorf("post_processor.special_tokens has no id of the vocabulary for %.80q", parts[1].Special.Name)
	}
	u.end, u.endName = ids[0], parts[1].Special.Name
	return nil
}

// addNormalizer adds the functions of a normalizer to u.normalize.
func (u *Unigram) addNormalizer(n *fileStep) error {
	if n == nil {
		return nil
	}
	var f func(string) string
	switch n.Type {
	case "Sequence":
		for i := range n.Normalizers {
			if err := u.addNormalizer(&n.Normalizers[i]); err != nil {
				return err
			}
		}
		return nil
	case "Precompiled":
		m, err := newCharacterMap(n.CharacterMap)
		if err != nil {
			return fmt.Errorf("normalizer.precompiled_charsmap: %w", err)
		}
		f = m.replaceAll
	case "Lowercase":
		f = lowerEach
	case "Strip":
		f = func(text string) string {
			if n.Left {
				text = strings.TrimLeftFunc(text, unicode.IsSpace)
			}
			if n.Right {
				text = strings.TrimRightFunc(text, unicode.IsSpace)
			}
			return text
		}
	case "Replace":
		pattern := ""
		switch {
		case n.Pattern.String != nil:
			pattern = regexp.QuoteMeta(*n.Pattern.String)
		case n.Pattern.Regex != nil:
			pattern = *n.Pattern.Regex
		}
		expression, err := regexp.Compile(pattern)
		if err != nil || expression.MatchString("") {
			return fmt.Errorf("the pattern %.80q of a normalizer is not supported", pattern)
		}
		f = func(text string) string { return expression.ReplaceAllLiteralString(text, n.Content) }
	default:
		return fmt.Errorf("the normalizer %.80q is not supported: only Sequence, Precompiled, Lowercase, Strip and Replace are", n.Type)
	}
	u.normalize = append(u.normalize, f)
	return nil
}

// setPreTokenizer sets how a text is split into words.
func (u *Unigram) setPreTokenizer(p *fileStep) error {
	const supported = "only Metaspace, and WhitespaceSplit before it, are supported"
	if p != nil && p.Type == "Sequence" && len(p.PreTokenizers) == 2 && p.PreTokenizers[0].Type == "WhitespaceSplit" {
		u.splitSpaces, p = true, &p.PreTokenizers[1]
	}
	if p == nil || p.Type != "Metaspace" {
		return errors.New("pre_tokenizer: " + supported)
	}
	if p.Split != nil && !*p.Split || utf8.RuneCountInString(p.Replacement) != 1 || !slices.Contains([]string{"", "always", "never"}, p.PrependScheme) {
		return fmt.Errorf("pre_tokenizer with prepend_scheme %.80q, replacement %.80q: only always or never, one character and split are supported", p.PrependScheme, p.Replacement)
	}
	u.mark = p.Replacement
	if p.PrependScheme == "always" || p.PrependScheme == "" && p.AddPrefix {
		u.prefix = u.mark
	}
	return nil
}
