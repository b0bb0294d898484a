package siblings

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"capgraph/negatives/grammar"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
)

// siblings.tsv has, for pairs of relations, the number of pairs of things in an image for which one
// caption has the one relation and another caption the other, and the number expected by chance.
// tools/bench/judge makes it.
//
//go:embed siblings.tsv
var SiblingsFile string

// Counter counts the relations that captions of one image have between the same two things. It is
// not safe for concurrent use.
type Counter struct {
	words   *words.Cache
	between map[[2]string]*sayings
}

// sayings has, for a pair of heads, the number of images in which at least two captions relate
// them; of those with each relation; and of those with each pair of relations in two captions.
type sayings struct {
	images int
	said   map[string]int
	both   map[[2]string]int
}

// NewCounter makes an empty counter.
func NewCounter() (*Counter, error) {
	known, err := words.NewOfLexicon()
	if err != nil {
		return nil, err
	}
	return &Counter{words: known, between: map[[2]string]*sayings{}}, nil
}

// Add counts the relations in the captions of an image.
func (s *Counter) Add(captions []grammar.Caption) {
	if s.words.Kept >= s.words.Bound {
		s.words.Forget()
	}
	all := map[[2]string][]map[string]bool{}
	for i := range captions {
		c := &captions[i]
		said := map[[2]string]map[string]bool{}
		for _, r := range c.Graph.Relations {
			is := s.words.RelationOf(r.Predicate, r.Lemma)
			if called := is.Called(); called != "" {
				pair := [2]string{s.headOf(c, r.Subject), s.headOf(c, r.Object)}
				if said[pair] == nil {
					said[pair] = map[string]bool{}
				}
				said[pair][called] = true
			}
		}
		for pair, relations := range said {
			all[pair] = append(all[pair], relations)
		}
	}
	for pair, captions := range all {
		if len(captions) > 1 {
			s.count(pair, captions)
		}
	}
}

// headOf returns the head of an object, "person" for all people.
func (s *Counter) headOf(c *grammar.Caption, object int32) string {
	n := s.words.Object(&c.Graph.Objects[object]).Noun
	if n.Kind == truth.People {
		return "person"
	}
	return strings.Clone(n.Head)
}

func (s *Counter) count(pair [2]string, captions []map[string]bool) {
	b := s.between[pair]
	if b == nil {
		b = &sayings{said: map[string]int{}, both: map[[2]string]int{}}
		s.between[pair] = b
	}
	b.images++
	said, both := map[string]bool{}, map[[2]string]bool{}
	for i, one := range captions {
		maps.Copy(said, one)
		for j, other := range captions {
			for x := range one {
				for y := range other {
					if i != j && x < y {
						both[[2]string{x, y}] = true
					}
				}
			}
		}
	}
	for x := range said {
		b.said[x]++
	}
	for xy := range both {
		b.both[xy]++
	}
}

// Pairs of relations with a smaller expected count, and pairs of heads in fewer images, are not
// used.
const (
	leastExpected = 3
	leastImages   = 3
)

// Write writes siblings.tsv: lines with two relations, how often both occurred, and how often that
// was expected.
func (s *Counter) Write(w io.Writer) error {
	seen, expected := map[[2]string]int{}, map[[2]string]float64{}
	for _, pair := range slices.SortedFunc(maps.Keys(s.between), comparePairs) { // sorted, since sums of floats depend on their order
		b := s.between[pair]
		if b.images < leastImages {
			continue
		}
		said := slices.Sorted(maps.Keys(b.said))
		for i, x := range said {
			for _, y := range said[i+1:] {
				xy := [2]string{x, y}
				seen[xy] += b.both[xy]
				expected[xy] += float64(b.said[x]) * float64(b.said[y]) / float64(b.images)
			}
		}
	}
	out := bufio.NewWriter(w)
	for _, xy := range slices.SortedFunc(maps.Keys(expected), comparePairs) {
		if expected[xy] >= leastExpected {
			fmt.Fprintf(out, "%s\t%s\t%d\t%.1f\n", xy[0], xy[1], seen[xy], expected[xy])
		}
	}
	return out.Flush()
}

func comparePairs(a, b [2]string) int { return slices.Compare(a[:], b[:]) }

// Table has pairs of relations, and whether captions of one image have both much less often than by
// chance.
type Table map[[2]string]bool

// Own returns the table of siblings.tsv.
func Own() (Table, error) { return Read(SiblingsFile) }

// Read reads a file such as siblings.tsv.
func Read(file string) (Table, error) {
	s := Table{}
	n := 0
	for line := range strings.Lines(file) {
		n++
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 {
			return nil, fmt.Errorf("siblings.tsv, line %d: %d fields, want 4", n, len(f))
		}
		seen, err := strconv.Atoi(f[2])
		expected, err2 := strconv.ParseFloat(f[3], 64)
		if err != nil || err2 != nil {
			return nil, fmt.Errorf("siblings.tsv, line %d: want two numbers", n)
		}
		s[[2]string{f[0], f[1]}] = float64(seen)*seldomSaid <= expected
	}
	return s, nil
}

// Two relations exclude each other if their count is at most the expected count divided by seldomSaid.
const seldomSaid = 3

// Apart reports whether captions of one image seldom have both relations. It is true if the table
// does not have the pair.
func (s Table) Apart(a, b string) bool { return s == nil || s[[2]string{min(a, b), max(a, b)}] }
