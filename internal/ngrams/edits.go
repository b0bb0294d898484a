package ngrams

// Text is a text of which edits are hashed. The hashes of the tokens that an edit shares with the
// text are computed only once.
type Text struct {
	text   string
	tokens []Token
	hashes []uint64
}

// Reset sets t to another text.
func (t *Text) Reset(text string) {
	t.text = text
	t.tokens, t.hashes = AppendTokens(t.tokens[:0], text), append(t.hashes[:0], boundaryHash)
	for i := range t.tokens {
		t.hashes = append(t.hashes, t.tokens[i].hashToken(text, AsWritten, i == 0))
	}
	t.hashes = append(t.hashes, boundaryHash)
}

// Hashes returns the hashes of appendHashes for the text as written.
func (t *Text) Hashes() []uint64 { return t.hashes }

// lookahead is at least the number of bytes after a token that decide where it ends.
const lookahead = 8

// AppendEditHashes appends the hashes of an edit of t, as appendHashes does for AsWritten.
func (t *Text) AppendEditHashes(dst []uint64, edit string) []uint64 {
	// The tokens before first are the same in both texts.
	shorter := min(len(t.text), len(edit))
	same := 0
	for same < shorter && t.text[same] == edit[same] {
		same++
	}
	first, begin := 0, 0
	for first < len(t.tokens) && int(t.tokens[first].End)+lookahead <= same {
		begin = int(t.tokens[first].End)
		first++
	}
	// The tokens from last on are the same in both texts too; the first of them has one space
	// before it.
	same = 0
	for same < shorter-begin && t.text[len(t.text)-1-same] == edit[len(edit)-1-same] {
		same++
	}
	last := len(t.tokens)
	for last > first && int(t.tokens[last-1].Begin) >= len(t.text)-same+2 {
		last--
	}
	for last < len(t.tokens) && !t.hasSingleSpaceBefore(last) {
		last++
	}
	end := len(edit)
	if last < len(t.tokens) {
		end -= len(t.text) - int(t.tokens[last].Begin)
	}
	dst = append(dst, t.hashes[:1+first]...)
	var buf [64]Token
	between := AppendTokens(buf[:0], edit[begin:end])
	for i := range between {
		dst = append(dst, between[i].hashToken(edit[begin:end], AsWritten, first+i == 0))
	}
	return append(dst, t.hashes[1+last:]...)
}

// hasSingleSpaceBefore reports whether exactly one white-space character, a space, is before a
// token.
func (t *Text) hasSingleSpaceBefore(token int) bool {
	at := t.tokens[token].Begin
	return at >= 2 && t.text[at-1] == ' ' && t.text[at-2] > ' ' && t.text[at-2] < 0x7f
}
