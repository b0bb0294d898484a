// Package text puts numbers, nouns and names into messages:
//
//	text.Counted(1200, "row", "rows")  // "1,200 rows"
//	text.Plural(1, "is", "are")        // "is"
//	text.List(names)                   // "a, b, c and 12 more"
//	"rm -r " + text.Quote(dir)         // a name as one word of a shell
package text

import (
	"fmt"
	"strings"
)

// Plural returns one if n is 1, else many: "1 shard is", "0 shards are".
func Plural[N int | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Thousands returns n with a comma between thousands: "1,234,567".
func Thousands[N int | int64](n N) string {
	s := fmt.Sprint(n)
	first := 0 // digit
	if n < 0 {
		first = 1
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Counted returns n and its noun: "1,200 rows".
func Counted[N int | int64](n N, one, many string) string {
	return Thousands(n) + " " + Plural(n, one, many)
}

// MaxListed is the largest number of names that List returns.
const MaxListed = 10

// List returns the first names, separated by commas, and how many more there are.
func List(names []string) string {
	if len(names) > MaxListed {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:MaxListed], ", "), len(names)-MaxListed)
	}
	return strings.Join(names, ", ")
}
