package words

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

//go:embed concrete.tsv.gz
var concreteFile []byte

// concreteness has, for each noun of concrete.tsv.gz, ten times its concreteness: from 10 ("essence") to 70.
// tools/makeconcrete makes the table.
var concreteness = sync.OnceValues(func() (map[string]uint8, error) {
	z, err := gzip.NewReader(bytes.NewReader(concreteFile))
	if err != nil {
		return nil, fmt.Errorf("concrete.tsv.gz: %w", err)
	}
	return readConcreteness(z)
})

// readConcreteness reads lines of a noun, a tab and a number.
func readConcreteness(r io.Reader) (map[string]uint8, error) {
	all := make(map[string]uint8, 16<<10)
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		word, value, _ := strings.Cut(lines.Text(), "\t")
		x, err := strconv.ParseUint(value, 10, 8)
		if err != nil {
			return nil, fmt.Errorf("concrete.tsv.gz, line %d: want a noun and a number", n)
		}
		all[word] = uint8(x)
	}
	return all, lines.Err()
}

// usualConcreteness is the concreteness of nouns that the table does not have.
const usualConcreteness = 50

// concretenessOf returns the concreteness of a noun, or of its head if the table does not have the noun. known reports
// whether it has either.
func concretenessOf(key, head string) (c uint8, known bool) {
	table, _ := concreteness()
	if c, known = table[key]; !known {
		if c, known = table[head]; !known {
			c = usualConcreteness
		}
	}
	return c, known
}
