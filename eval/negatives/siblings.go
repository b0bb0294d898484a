package negatives

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"capgraph/internal/ngrams"
	"capgraph/sources"
	"capgraph/store"
)

// functionWords have no content of their own. They are ignored when a negative is compared with
// sibling captions.
var functionWords = wordSet(`a an the this that these those some any each every other another its his her their
	is are was were be been being am has have had do does did can could will would to of in on at by for from with
	and or but as it he she they them him who which there near next into onto over under up down out off while`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// contentWords returns the content words of text, with repetitions, in lower case and without a
// plural s.
func contentWords(text string) []string {
	text = strings.ToLower(text)
	var words []string
	for _, t := range ngrams.AppendTokens(nil, text) {
		if w := text[t.Begin:t.End]; t.IsWord && !functionWords[w] {
			words = append(words, stripPlural(w))
		}
	}
	return words
}

// stripPlural removes the plural s of a word: "buses", "dogs".
func stripPlural(word string) string {
	for _, ending := range []string{"ses", "xes", "shes", "ches"} {
		if len(word) > len(ending)+1 && strings.HasSuffix(word, ending) {
			return word[:len(word)-2]
		}
	}
	if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
		return word[:len(word)-1]
	}
	return word
}

// subtractWords returns the words of a without those of b. If a word occurs more often in a, the
// further occurrences remain.
func subtractWords(a, b []string) []string {
	taken := map[string]int{}
	for _, w := range b {
		taken[w]++
	}
	var left []string
	for _, w := range a {
		if taken[w] > 0 {
			taken[w]--
			continue
		}
		left = append(left, w)
	}
	return left
}

// isSaidByAny reports whether one of the captions has all of the words.
func isSaidByAny(words []string, captions [][]string) bool {
	for _, c := range captions {
		if len(subtractWords(words, c)) == 0 {
			return true
		}
	}
	return false
}

// Siblings maps imageNumber to the captions of an image.
type Siblings map[string][]string

// ReadSiblings reads a captions file: COCO's own JSON, or one of Karpathy's forms.
func ReadSiblings(ctx context.Context, path string) (Siblings, error) {
	format, size, err := detectFormat(path)
	if err != nil {
		return nil, err
	}
	rows, err := sources.Scan(ctx, store.Local{}, sources.File{Path: path, Size: size}, sources.Options{Format: format})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	s := Siblings{}
	var row sources.Row
	for {
		err := rows.Next(&row)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if image := cmp.Or(row.Image, row.ImageKey); image != "" && row.Caption != "" {
			s.addCaption(image, row.Caption)
		}
	}
	if len(s) == 0 {
		return nil, fmt.Errorf("%s: no captions in it", path)
	}
	return s, nil
}

// detectFormat returns the format of a captions file, by how it begins, and its size.
func detectFormat(path string) (format string, size int64, err error) {
	info, err := store.Local{}.Stat(path)
	if err != nil {
		return "", 0, err
	}
	if info.Special {
		return "", 0, fmt.Errorf("%s: is a pipe or a device and no file, and is read twice (write what it gives to a file, and name that)", path)
	}
	file, err := sources.OpenText(store.Local{}, path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, 1<<16))
	if err != nil {
		return "", 0, err
	}
	text := bytes.TrimLeft(head, " \t\r\n")
	if bytes.HasPrefix(text, []byte("[")) || bytes.Contains(text, []byte(`"sentences"`)) {
		return "karpathy", info.Size, nil
	}
	return "coco", info.Size, nil
}

func (s Siblings) addCaption(image, caption string) {
	s[imageNumber(image)] = append(s[imageNumber(image)], caption)
}

// Captions returns the captions of an image.
func (s Siblings) Captions(image string) []string { return s[imageNumber(image)] }

// imageNumber returns the number that all of COCO's names of an image share, such as
// "val2014/COCO_val2014_000000184613.jpg" and "184613": the last run of digits of the file name,
// without leading zeros. A name without digits is returned unchanged.
func imageNumber(image string) string {
	stem := filepath.Base(image)
	stem = strings.TrimSuffix(stem, filepath.Ext(stem))
	begin := strings.LastIndexFunc(stem, func(r rune) bool { return r < '0' || r > '9' }) + 1
	n, err := strconv.ParseUint(stem[begin:], 10, 64)
	if err != nil {
		return image
	}
	return strconv.FormatUint(n, 10)
}
