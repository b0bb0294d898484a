package tokenizer

// Merges are written down in letters that show: a byte that is a letter of
// Latin-1 is that letter, and the others are the letters from U+0100 on, in
// their order (the alphabet of GPT-2). A piece at the end of a word has wordEnd
// after it.
const (
	wordEnd   = "</w>"
	startMark = "<start_of_text>"
	endMark   = "<end_of_text>"
)

// byteIDs are the ids of the bytes within a word, and byteNames the letters of
// those ids.
var byteIDs, byteNames = alphabetOfBytes()

func alphabetOfBytes() (ids [letters]int32, names [letters]string) {
	n, hidden := int32(0), rune(0x100)
	for b := range letters {
		if shows(b) {
			ids[b], names[n] = n, string(rune(b))
			n++
		}
	}
	for b := range letters {
		if !shows(b) {
			ids[b], names[n] = n, string(hidden)
			n++
			hidden++
		}
	}
	return ids, names
}

func shows(b int) bool {
	return b >= '!' && b <= '~' || b >= 0xa1 && b != 0xad
}

// alphabetNames are the names of the ids of bytes, 0 to 511.
func alphabetNames() []string {
	names := append(make([]string, 0, alphabet), byteNames[:]...)
	for _, name := range byteNames {
		names = append(names, name+wordEnd)
	}
	return names
}
