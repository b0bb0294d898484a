package tokenizer

import (
	"fmt"
	"strings"
)

// parseMerges returns the merges in lines. Each line has two names, separated by a space, which must be names of bytes
// or of earlier merges. The name of a merge is the two names joined, and must be new.
func parseMerges(lines []string) ([]pair, error) {
	ids := make(map[string]int32, alphabet+len(lines))
	for i, name := range alphabetNames() {
		ids[name] = int32(i)
	}
	merges := make([]pair, len(lines))
	for i, line := range lines {
		left, right, ok := strings.Cut(line, " ")
		if !ok {
			return nil, fmt.Errorf("merge %d: %q is not two pieces with a space between them", i+1, line)
		}
		for side, name := range [2]string{left, right} {
			id, known := ids[name]
			if !known {
				return nil, fmt.Errorf("merge %d: %q is neither a byte nor made by a merge before", i+1, name)
			}
			merges[i][side] = id
		}
		if strings.HasSuffix(left, wordEnd) {
			return nil, fmt.Errorf("merge %d: nothing follows %q, which ends a word", i+1, left)
		}
		name := left + right
		if _, known := ids[name]; known {
			return nil, fmt.Errorf("merge %d makes %q, which is there already", i+1, name)
		}
		ids[name] = int32(alphabet + i)
	}
	return merges, nil
}

// pieceNames returns the names of all ids of bytes and merges, by id.
func pieceNames(merges []pair) []string {
	names := alphabetNames()
	for _, m := range merges {
		names = append(names, names[m[0]]+names[m[1]])
	}
	return names
}
