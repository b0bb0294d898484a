package tokenizer

// Merges are written in printable letters (the alphabet of GPT-2): a printable character of Latin-1
// stands for its byte, and the other bytes are the letters from U+0100 on, in order. A piece at the
// end of a word has wordEnd after it.
const (
	wordEnd   = "</w>"
	startMark = "<start_of_text>"
	endMark   = "<end_of_text>"
)

// byteIDs are the ids of the bytes within a word, and byteNames the letters of
// those ids.
var byteIDs, byteNames = newByteAlphabet()

func newByteAlphabet() (ids [letters]int32, names [letters]string) {
	n, hidden := int32(0), rune(0x100)
	for b := range letters {
		if isPrintable(b) {
			ids[b], names[n] = n, string(rune(b))
			n++
		}
	}
	for b := range letters {
		if !isPrintable(b) {
			ids[b], names[n] = n, string(hidden)
			n++
			hidden++
		}
	}
	return ids, names
}

func isPrintable(b int) bool {
	return b >= '!' && b <= '~' || b >= 0xa1 && b != 0xad
}

// alphabetNames returns the names of the ids of bytes, 0 to 511.
func alphabetNames() []string {
	names := append(make([]string, 0, alphabet), byteNames[:]...)
	for _, name := range byteNames {
		names = append(names, name+wordEnd)
	}
	return names
}
