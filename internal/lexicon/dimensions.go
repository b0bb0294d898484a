package lexicon

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed dimensions.txt
var dimensionRows string

// Value is one value of a dimension. Both are numbered by their positions in dimensions.txt.
type Value struct{ Dimension, Value int16 }

// readDimensions parses dimensions.txt. A test checks that file, so no error is returned.
func readDimensions() (values map[string][]Value, dimensions []string) {
	values = map[string][]Value{}
	for line := range strings.Lines(dimensionRows) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if strings.HasPrefix(line, "#") || len(fields) != 3 {
			continue
		}
		for v, words := range strings.Split(fields[2], ";") {
			for w := range strings.SplitSeq(words, ",") {
				w = strings.TrimSpace(w)
				values[w] = append(values[w], Value{int16(len(dimensions)), int16(v)})
			}
		}
		dimensions = append(dimensions, strings.TrimSpace(fields[0]))
	}
	return values, dimensions
}

// Values returns the dimensions of an attribute with its value in each, or nil.
func (l *Lexicon) Values(attribute string) []Value { return l.values[attribute] }

// Dimension returns the name of a dimension.
func (l *Lexicon) Dimension(v Value) string { return l.dimensions[v.Dimension] }

// AreExclusive reports whether two attributes cannot both be true of one thing: they share a
// dimension and no value.
func (l *Lexicon) AreExclusive(a, b string) bool { return ValuesAreExclusive(l.values[a], l.values[b]) }

// ValuesAreExclusive is AreExclusive for the values of two attributes.
func ValuesAreExclusive(a, b []Value) bool {
	common := false
	for _, x := range a {
		if slices.Contains(b, x) {
			return false
		}
		for _, y := range b {
			common = common || x.Dimension == y.Dimension
		}
	}
	return common
}

// AttributeRank orders attributes before their noun ("two big old round red Italian wooden
// tables"): those with a smaller rank come first. An attribute without a dimension ranks between
// opinion and size.
func (l *Lexicon) AttributeRank(attribute string) int {
	v := l.values[attribute]
	if len(v) == 0 {
		return attributeRanks["opinion"] + 1
	}
	if r, ok := attributeRanks[l.dimensions[v[0].Dimension]]; ok {
		return r
	}
	return attributeRanks["newness"] + 1
}

var attributeRanks = map[string]int{
	"number": 0, "opinion": 2, "size": 4, "height": 4, "length": 4, "width": 4, "thickness": 4, "weight": 4, "build": 4,
	"age": 6, "newness": 6, "shape": 8, "colour": 10, "hair colour": 10, "pattern": 11, "origin": 12, "material": 14,
}

// OpenAttributes returns a lexicon that knows the dimensions of attributes and no word. It opens at
// once.
func OpenAttributes() *Lexicon {
	l := new(Lexicon)
	l.values, l.dimensions = readDimensions()
	return l
}
