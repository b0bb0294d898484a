package store

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// maxBraces bounds the number of names that a pattern with braces expands to.
const maxBraces = 1 << 20

// braces matches innermost braces that contain alternatives or a range of numbers.
var braces = regexp.MustCompile(`\{(?:(\d+)\.\.(\d+)|([^{},]*(?:,[^{},]*)+))\}`)

func hasBraces(name string) bool { return braces.MatchString(name) }

// expandBraces returns the patterns that a pattern with braces stands for. {08..10} is a range of
// numbers, with leading zeros if the first has them. Other braces are kept.
func expandBraces(pattern string) ([]string, error) {
	at := braces.FindStringSubmatchIndex(pattern)
	if at == nil {
		return []string{pattern}, nil
	}
	before, after := pattern[:at[0]], pattern[at[1]:]
	var parts []string
	if at[6] >= 0 {
		parts = strings.Split(pattern[at[6]:at[7]], ",")
	} else {
		first, last := pattern[at[2]:at[3]], pattern[at[4]:at[5]]
		from, err := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err != nil || err2 != nil || to < from || to-from >= maxBraces {
			return nil, fmt.Errorf("glob %s: {%s..%s} is no range of up to %d numbers, the smaller one first", pattern, first, last, maxBraces)
		}
		width := 0
		if strings.HasPrefix(first, "0") || strings.HasPrefix(last, "0") {
			width = max(len(first), len(last))
		}
		for n := from; n <= to; n++ {
			parts = append(parts, fmt.Sprintf("%0*d", width, n))
		}
	}
	var all []string
	for _, p := range parts {
		expanded, err := expandBraces(before + p + after)
		if err != nil {
			return nil, err
		}
		if all = append(all, expanded...); len(all) > maxBraces {
			return nil, fmt.Errorf("glob %s: its braces make more than %d names", pattern, maxBraces)
		}
	}
	return all, nil
}
