package sources

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/schemas"
)

// say is a graph in words, one relation or up to three objects, and makes its offsets
// those of that text: "a brown chair near two lamps".
func (w *sceneWords) say(g *schemas.SceneGraph) string {
	s := sayer{words: w}
	if len(g.Relations) == 0 {
		for i := range g.Objects {
			if i > 0 {
				s.text += ","
			}
			s.object(&g.Objects[i], false)
		}
		return s.text
	}
	r := &g.Relations[0]
	from, to := &g.Objects[r.Subject], &g.Objects[r.Object]
	s.object(from, false)
	r.Begin, r.End = s.put(r.Predicate)
	s.object(to, from.Name == to.Name && len(from.Attributes)+len(to.Attributes) == 0)
	return s.text
}

// sayer is a text that is being said.
type sayer struct {
	words *sceneWords
	text  string
}

// put says words after a space, and returns where they stand.
func (s *sayer) put(words string) (begin, end int32) {
	if s.text != "" {
		s.text += " "
	}
	begin = int32(len(s.text))
	s.text += words
	return begin, int32(len(s.text))
}

// object says an object with what is said of it; another tells it from one of the
// same name.
func (s *sayer) object(o *schemas.Object, another bool) {
	first := o.Name
	for i := range o.Attributes {
		if o.Attributes[i].Form == schemas.Pre {
			first = o.Attributes[i].Text
			break
		}
	}
	switch {
	case o.Quantity != "":
		s.put(o.Quantity)
	case s.words.plural(o) || slices.Contains(bare, o.Head):
	case slices.Contains(fixed, o.Name):
		s.put("the")
	case another:
		s.put("another")
	default:
		s.put(lexicon.Article(first))
	}
	each := func(form, between string, rest string) {
		for i := range o.Attributes {
			a := &o.Attributes[i]
			if a.Form != form {
				continue
			}
			if between != "" {
				s.put(between)
			}
			a.Begin, a.End = s.put(a.Text)
			between = rest
		}
	}
	each(schemas.Pre, "", "")
	o.Begin, o.End = s.put(o.Name)
	each(schemas.Post, "", "and")
}

// plural tells whether a name is of several: "dogs", not "glass".
func (w *sceneWords) plural(o *schemas.Object) bool {
	head := o.Name[strings.LastIndexByte(o.Name, ' ')+1:]
	return o.Head != head || w.inflector.IsPluralOnly(o.Name)
}

// maxAnchored bounds the text whose words are looked for, in bytes; a phrase has some
// thirty.
const maxAnchored = 4096

// anchor gives a graph the offsets of what stands in a text once, as words of its
// own: longer names first, of which a part is no other's name.
func anchor(g *schemas.SceneGraph, text string) {
	low := asciiLower(text)
	taken := make([]bool, len(text))
	type place struct {
		what       string
		begin, end *int32
		placed     func()
	}
	var all []place
	for i := range g.Objects {
		o := &g.Objects[i]
		all = append(all, place{o.Name, &o.Begin, &o.End, func() {}})
		for j := range o.Attributes {
			a := &o.Attributes[j]
			all = append(all, place{a.Text, &a.Begin, &a.End, func() {
				if o.Begin >= 0 && a.End <= o.Begin {
					a.Form = schemas.Pre
				} else if o.Begin >= 0 {
					a.Form = schemas.Post
				}
			}})
		}
	}
	for i := range g.Relations {
		r := &g.Relations[i]
		all = append(all, place{r.Predicate, &r.Begin, &r.End, func() {}})
	}
	same := map[string]int{}
	for _, p := range all {
		same[p.what]++
	}
	slices.SortStableFunc(all, func(a, b place) int { return len(b.what) - len(a.what) })
	for _, p := range all {
		at, ok := only(low, p.what)
		if !ok || same[p.what] > 1 || slices.Contains(taken[at:at+len(p.what)], true) {
			continue
		}
		for i := range p.what {
			taken[at+i] = true
		}
		*p.begin, *p.end = int32(at), int32(at+len(p.what))
	}
	for _, p := range all {
		if *p.begin >= 0 {
			p.placed()
		}
	}
}

// only finds the words that stand in a text once.
func only(text, words string) (int, bool) {
	found := -1
	for from := 0; from+len(words) <= len(text) && words != ""; {
		i := strings.Index(text[from:], words)
		if i < 0 {
			break
		}
		i += from
		end := i + len(words)
		if (i == 0 || text[i-1] == ' ') && (end == len(text) || strings.IndexByte(" .,;:!?", text[end]) >= 0) {
			if found >= 0 {
				return -1, false
			}
			found = i
		}
		from = i + 1
	}
	return found, found >= 0
}

// asciiLower lowers what keeps its length.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
