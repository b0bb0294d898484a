package plural

import (
	"fmt"
	"strings"
)

// MostNamed is how many of many an error names.
const MostNamed = 10

// Some names the first of many.
func Some(names []string) string {
	if len(names) > MostNamed {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:MostNamed], ", "), len(names)-MostNamed)
	}
	return strings.Join(names, ", ")
}
