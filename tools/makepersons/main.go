// Command makepersons writes persons.txt, the names of persons that the rule parser embeds, from
// the frequent names of the United States' census of 1990 (Census Bureau, "Frequently Occurring
// Surnames from Census 1990": dist.female.first, dist.male.first, dist.all.last) and the word list:
//
//	go run ./tools/makepersons -census DIR -words ../shared/data/lex/scowl/american-english -out ruleparse/internal/tokens/persons.txt
//
// The output has one name per line, sorted: the name in lower case, a space, and its kinds. "g" is a
// given name, "m" a frequent name of men that is also a word ("mark"), "s" a surname that is also a
// word ("brown").
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The smallest shares of persons with a name, in percent, for which the name is kept.
const (
	minGivenShare   = 0.004
	minMenShare     = 0.1
	minSurnameShare = 0.01
)

func main() {
	log.SetFlags(0)
	census := flag.String("census", "", "folder of dist.female.first, dist.male.first and dist.all.last")
	words := flag.String("words", "", "word list, one word a line")
	out := flag.String("out", "persons.txt", "file to write")
	flag.Parse()
	if err := writePersons(*census, *words, *out); err != nil {
		log.Fatal("makepersons: ", err)
	}
}

func writePersons(census, wordList, out string) error {
	words := map[string]bool{}
	err := eachLine(wordList, func(line string) error {
		words[line] = true
		return nil
	})
	if err != nil {
		return err
	}
	kinds := map[string]string{}
	for _, list := range []struct {
		file, kind string
		least      float64
		isWord     bool
	}{
		{"dist.female.first", "g", minGivenShare, false},
		{"dist.male.first", "g", minGivenShare, false},
		{"dist.male.first", "m", minMenShare, true},
		{"dist.all.last", "s", minSurnameShare, true},
	} {
		err := eachLine(filepath.Join(census, list.file), func(line string) error {
			f := strings.Fields(line)
			if len(f) < 2 {
				return fmt.Errorf("%q has no share", line)
			}
			share, err := strconv.ParseFloat(f[1], 64)
			if err != nil {
				return fmt.Errorf("%q: %w", line, err)
			}
			name := strings.ToLower(f[0])
			if share >= list.least && words[name] == list.isWord && !strings.Contains(kinds[name], list.kind) {
				kinds[name] += list.kind
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(&b, "%s %s\n", name, kinds[name])
	}
	return os.WriteFile(out, []byte(b.String()), 0o644)
}

// eachLine calls f with each line of a file.
func eachLine(name string, f func(line string) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		if err := f(lines.Text()); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	return lines.Err()
}
