package sources

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/schemas"
)

// describeGraph returns a text that says what is in a graph of one relation or up to three objects,
// such as "a brown chair near two lamps". It sets the graph's offsets to those in the text.
func (w *sceneWords) describeGraph(g *schemas.SceneGraph) string {
	s := textBuilder{words: w}
	if len(g.Relations) == 0 {
		for i := range g.Objects {
			if i > 0 {
				s.text += ","
			}
			s.addObject(&g.Objects[i], false)
		}
		return s.text
	}
	r := &g.Relations[0]
	from, to := &g.Objects[r.Subject], &g.Objects[r.Object]
	s.addObject(from, false)
	r.Begin, r.End = s.addWords(r.Predicate)
	s.addObject(to, from.Name == to.Name && len(from.Attributes)+len(to.Attributes) == 0)
	return s.text
}

// textBuilder builds a text word by word.
type textBuilder struct {
	words *sceneWords
	text  string
}

// addWords appends a space and words, and returns the offsets of the words.
func (s *textBuilder) addWords(words string) (begin, end int32) {
	if s.text != "" {
		s.text += " "
	}
	begin = int32(len(s.text))
	s.text += words
	return begin, int32(len(s.text))
}

// addObject appends an object with its attributes. If another is set, it is called "another", since one of
// the same name came before.
func (s *textBuilder) addObject(o *schemas.Object, another bool) {
	first := o.Name
	for i := range o.Attributes {
		if o.Attributes[i].Form == schemas.Pre {
			first = o.Attributes[i].Text
			break
		}
	}
	switch {
	case o.Quantity != "":
		s.addWords(o.Quantity)
	case s.words.isPlural(o) || slices.Contains(nounsWithoutArticle, o.Head):
	case slices.Contains(nounsWithThe, o.Name):
		s.addWords("the")
	case another:
		s.addWords("another")
	default:
		s.addWords(lexicon.Article(first))
	}
	each := func(form, between string, rest string) {
		for i := range o.Attributes {
			a := &o.Attributes[i]
			if a.Form != form {
				continue
			}
			if between != "" {
				s.addWords(between)
			}
			a.Begin, a.End = s.addWords(a.Text)
			between = rest
		}
	}
	each(schemas.Pre, "", "")
	o.Begin, o.End = s.addWords(o.Name)
	each(schemas.Post, "", "and")
}

// isPlural reports whether an object's name is plural, as "dogs" is and "glass" is not.
func (w *sceneWords) isPlural(o *schemas.Object) bool {
	head := o.Name[strings.LastIndexByte(o.Name, ' ')+1:]
	return o.Head != head || w.inflector.IsPluralOnly(o.Name)
}

// maxAnchored bounds the text that is searched for words, in bytes. A region's phrase has about thirty.
const maxAnchored = 4096

// setOffsets sets the offsets of the words of a graph that occur exactly once in a text. It places
// longer words first, so that no others match within them.
func setOffsets(g *schemas.SceneGraph, text string) {
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
		at, ok := findOnce(low, p.what)
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

// findOnce returns the offset of words that occur exactly once in a text. It returns false if they do not.
func findOnce(text, words string) (int, bool) {
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

// asciiLower returns s with its ASCII letters in lower case and all other bytes as they are, so that offsets stay the same.
func asciiLower(s string) string {
	low := []byte(s)
	for i, c := range low {
		if 'A' <= c && c <= 'Z' {
			low[i] += 'a' - 'A'
		}
	}
	return string(low)
}
