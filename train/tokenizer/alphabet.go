package tokenizer

// Merges are written in printable characters (the alphabet of GPT-2): a printable character of
// Latin-1 stands for its byte, and the characters from U+0100 on stand for the other bytes, in
// order. A piece at the end of a word ends with wordEnd.
const (
	wordEnd   = "</w>"
	startMark = "<start_of_text>"
	endMark   = "<end_of_text>"
)

// byteIDs has the id of each byte within a word, byteNames the character of each of these ids.
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
