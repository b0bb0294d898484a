package graphs

import (
	"fmt"
	"io"
)

// Miss is a caption whose graph differs from another.
type Miss struct {
	Caption        string
	Missing, Extra []Triple
}

// missKinds are the kinds of differences; the first that fits counts.
var missKinds = []struct {
	name string
	fits func(m *Miss) bool
}{
	{"objects missing and extra (split, merged or renamed)", func(m *Miss) bool { return hasKind(m.Missing, Object) && hasKind(m.Extra, Object) }},
	{"objects missing", func(m *Miss) bool { return hasKind(m.Missing, Object) }},
	{"objects extra", func(m *Miss) bool { return hasKind(m.Extra, Object) }},
	{"attributes and relations", func(m *Miss) bool {
		return (hasKind(m.Missing, Attribute) || hasKind(m.Extra, Attribute)) && (hasKind(m.Missing, Relation) || hasKind(m.Extra, Relation))
	}},
	{"attributes", func(m *Miss) bool { return hasKind(m.Missing, Attribute) || hasKind(m.Extra, Attribute) }},
	{"relations turned", func(m *Miss) bool {
		return arePaired(m, func(a, b Triple) bool { return a.Subject == b.Object && a.Object == b.Subject })
	}},
	{"predicates", func(m *Miss) bool {
		return arePaired(m, func(a, b Triple) bool { return a.Subject == b.Subject && a.Object == b.Object })
	}},
	{"relations between other objects", func(m *Miss) bool { return hasKind(m.Missing, Relation) && hasKind(m.Extra, Relation) }},
	{"relations missing", func(m *Miss) bool { return hasKind(m.Missing, Relation) }},
	{"relations extra", func(*Miss) bool { return true }},
}

func hasKind(ts []Triple, kind int) bool {
	for _, t := range ts {
		if kindOf(t) == kind {
			return true
		}
	}
	return false
}

// arePaired reports whether there are as many missing as extra tuples, and for each missing one
// there is an extra one for which same returns true.
func arePaired(m *Miss, same func(a, b Triple) bool) bool {
	if len(m.Missing) == 0 || len(m.Missing) != len(m.Extra) {
		return false
	}
	for _, a := range m.Missing {
		found := false
		for _, b := range m.Extra {
			found = found || same(a, b)
		}
		if !found {
			return false
		}
	}
	return true
}

// Misses counts misses by kind and keeps the first of each.
type Misses struct {
	most   int
	byKind []missesOfKind
}

type missesOfKind struct {
	n     int
	first []Miss
}

// NewMisses keeps at most most misses of each kind, or all if most is 0.
func NewMisses(most int) *Misses {
	return &Misses{most: most, byKind: make([]missesOfKind, len(missKinds))}
}

// Add counts m under its kind; a miss without a difference is ignored.
func (s *Misses) Add(m Miss) {
	if len(m.Missing)+len(m.Extra) == 0 {
		return
	}
	for k := range missKinds {
		if !missKinds[k].fits(&m) {
			continue
		}
		of := &s.byKind[k]
		of.n++
		if s.most == 0 || len(of.first) < s.most {
			of.first = append(of.first, m)
		}
		return
	}
}

// Write lists the misses kind by kind. minus and plus label the missing and the extra tuples.
func (s *Misses) Write(w io.Writer, minus, plus string) error {
	for k, of := range s.byKind {
		if of.n == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s: %d\n", missKinds[k].name, of.n)
		for _, m := range of.first {
			fmt.Fprintf(w, "  %s\n", m.Caption)
			writeTuples(w, minus, m.Missing)
			writeTuples(w, plus, m.Extra)
		}
		if more := of.n - len(of.first); more > 0 {
			fmt.Fprintf(w, "  … and %d more\n", more)
		}
	}
	return nil
}

func writeTuples(w io.Writer, whose string, ts []Triple) {
	if len(ts) == 0 {
		return
	}
	fmt.Fprintf(w, "    %s:", whose)
	for _, t := range ts {
		switch kindOf(t) {
		case Object:
			fmt.Fprintf(w, " ( %s )", t.Subject)
		default:
			fmt.Fprintf(w, " ( %s , %s , %s )", t.Subject, t.Predicate, t.Object)
		}
	}
	fmt.Fprintln(w)
}
