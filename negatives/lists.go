package negatives

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/clean"
	"capgraph/negatives/grammar"
	"capgraph/negatives/slots"
)

// candidateLists are the candidates that the files in Options.Lists have, and a hash of the files.
type candidateLists struct {
	objects, attributes, relations []slots.Candidate
	hash                           uint64
}

// ListsVersion returns a hash of the lists that the settings name, or "" if they name none. An
// error says which list is wrong, and why.
func ListsVersion(o *Options) (string, error) {
	if o.Replacements != FromFile {
		return "", nil
	}
	l, err := readLists(o.Lists)
	return fmt.Sprintf("%016x", l.hash), err
}

// readLists reads those of objects_vocab.txt, attributes_vocab.txt and relations_vocab.txt that
// exist in a folder.
func readLists(dir string) (l candidateLists, err error) {
	found := false
	for _, file := range []struct {
		name string
		list *[]slots.Candidate
	}{
		{"objects_vocab.txt", &l.objects}, {"attributes_vocab.txt", &l.attributes}, {"relations_vocab.txt", &l.relations},
	} {
		name := filepath.Join(dir, file.name)
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return l, fmt.Errorf("negatives.lists: %w", err)
		}
		text, err := clean.PlainLines(data)
		if err != nil {
			return l, fmt.Errorf("negatives.lists: %s: %w", name, err)
		}
		*file.list, found = readList(text), true
		l.hash = grammar.Mixed(l.hash ^ xxhash.Sum64String(file.name) ^ grammar.Mixed(xxhash.Sum64(data)))
	}
	if !found {
		return l, fmt.Errorf("negatives.lists: no objects_vocab.txt, attributes_vocab.txt or relations_vocab.txt in %s: name the folder that has them", dir)
	}
	return l, nil
}

// readList returns a candidate for each line: the text before its first comma. The rest of the
// line, synonyms, is ignored.
func readList(text string) (list []slots.Candidate) {
	for line := range strings.Lines(text) {
		first, _, _ := strings.Cut(line, ",")
		if first = strings.ToLower(strings.TrimSpace(first)); first != "" {
			list = append(list, slots.Candidate{Text: first, Cum: uint64(len(list) + 1)})
		}
	}
	return list
}
