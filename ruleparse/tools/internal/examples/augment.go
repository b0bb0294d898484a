package examples

import (
	"slices"
	"strings"

	"capgraph/internal/portable"
	"capgraph/scenegraph"
)

// Augment returns examples made from training captions, with predicate adjectives and with two clauses, which FACTUAL's
// short captions seldom have.
func (s *Source) Augment(captions []string, gold [][]scenegraph.Triple) (out []*Example) {
	rnd := portable.SplitMix64(6)
	last := -1
	var recent []string // names of objects of earlier captions
	for i, c := range captions {
		c = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(c), "."))
		words := strings.Fields(c)
		for _, t := range predicativeForms(words, gold[i], &rnd) {
			out = append(out, s.alignGraph(t, gold[i]))
		}
		if t := relativeClause(words, gold[i], &rnd); t != "" {
			out = append(out, s.alignGraph(t, gold[i]))
		}
		for _, make := range [...]func([]string, []scenegraph.Triple, []string, *portable.SplitMix64) (string, []scenegraph.Triple){extendObjects, extendSubjects} {
			if rnd.IntN(6) == 0 {
				if t, g := make(words, gold[i], recent, &rnd); t != "" {
					if x := s.alignGraph(t, g); x.IsComplete {
						out = append(out, x)
					}
				}
			}
		}
		if len(gold[i]) > 0 && !strings.HasSuffix(gold[i][0].Subject, "s") && !slices.Contains(recent, gold[i][0].Subject) {
			recent = append([]string{gold[i][0].Subject}, recent[:min(2, len(recent))]...)
		}
		if len(words) < 4 || len(words) > 9 || rnd.IntN(5) > 0 {
			continue
		}
		if last >= 0 && !shareObject(gold[last], gold[i]) {
			first := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(captions[last]), "."))
			if j := pickJoiner(strings.Fields(first), words, &rnd); j != "" {
				x := s.alignGraph(first+j+c, append(append([]scenegraph.Triple(nil), gold[last]...), gold[i]...))
				if x.IsComplete {
					out = append(out, x)
				}
			}
		}
		last = i
	}
	return out
}

// predicativeForms returns variants of a caption: "the bus is red" and "a bus that is red" for "a red bus", "the dog is
// black and white" for "black and white dog".
func predicativeForms(words []string, gold []scenegraph.Triple, rnd *portable.SplitMix64) []string {
	var attributes []string
	noun := ""
	for _, t := range gold {
		if t.Predicate != "is" || noun != "" && t.Subject != noun || strings.Contains(t.Object, " ") {
			return nil
		}
		noun = t.Subject
	}
	if len(words) > 0 && (words[0] == "a" || words[0] == "the" || words[0] == "an") {
		words = words[1:]
	}
	name := strings.Fields(noun)
	n := len(words) - len(name)
	if noun == "" || n < 1 || n > 3 || strings.Join(words[n:], " ") != noun {
		return nil
	}
	for _, w := range words[:n] {
		if w == "and" {
			continue
		}
		said := false
		for _, t := range gold {
			said = said || t.Object == w
		}
		if !said {
			return nil
		}
		attributes = append(attributes, w)
	}
	if len(attributes) != len(gold) {
		return nil
	}
	be := " is "
	if strings.HasSuffix(noun, "s") {
		be = " are "
	}
	what := strings.Join(attributes, " and ")
	switch rnd.IntN(3) {
	case 0:
		return []string{"the " + noun + be + what}
	case 1:
		return []string{"a " + noun + " that" + be + what}
	}
	return []string{"the " + noun + be + what + " .", "a " + noun + " which" + be + what}
}

// relativeClause returns "the cake that the woman is cutting" for "a woman cutting a cake", or "".
func relativeClause(words []string, gold []scenegraph.Triple, rnd *portable.SplitMix64) string {
	if len(gold) != 1 || gold[0].Predicate == "is" || gold[0].Predicate == "" || strings.Contains(gold[0].Predicate, " ") {
		return ""
	}
	verb := -1
	for i, w := range words {
		if strings.HasSuffix(w, "ing") && strings.HasPrefix(w, gold[0].Predicate[:min(3, len(gold[0].Predicate))]) {
			verb = i
		}
	}
	subject := strings.Join(words[:max(0, verb)], " ")
	for _, a := range [...]string{"a ", "the ", "an "} {
		subject = strings.TrimPrefix(subject, a)
	}
	if verb < 1 || subject != gold[0].Subject || !strings.HasSuffix(strings.Join(words[verb+1:], " "), gold[0].Object) || len(words)-verb > 4 {
		return ""
	}
	middle := " "
	if rnd.IntN(2) == 0 {
		middle = " that "
	}
	return "the " + gold[0].Object + middle + "the " + subject + " is " + words[verb]
}

// pickJoiner returns words to put between two captions so that their objects stay separate. It returns "and" only
// between clauses.
func pickJoiner(first, second []string, rnd *portable.SplitMix64) string {
	if !isClause(first) || !isClause(second) {
		return " . "
	}
	return [...]string{" and ", " while ", " , ", " , and ", " as ", " . "}[rnd.IntN(6)]
}

// isClause reports whether a caption has a verb near its begin.
func isClause(words []string) bool {
	for i, w := range words {
		if i > 0 && i < 4 && (w == "is" || w == "are" || strings.HasSuffix(w, "ing")) {
			return true
		}
	}
	return false
}

// extendObjects adds objects to a list: "a bowl with a spoon" becomes "a bowl with a spoon , a fork and a knife". more
// are the names of objects to add.
func extendObjects(words []string, gold []scenegraph.Triple, more []string, rnd *portable.SplitMix64) (string, []scenegraph.Triple) {
	if len(gold) != 1 || gold[0].Predicate == "is" || gold[0].Predicate == "" || len(more) < 2 {
		return "", nil
	}
	t := gold[0]
	text := strings.Join(words, " ")
	comma := " , a "
	if rnd.IntN(3) == 0 {
		comma = " , "
	}
	and := [...]string{" and a ", " , and a ", " and "}[rnd.IntN(3)]
	var rest string
	if len(more) == 2 || rnd.IntN(2) == 0 {
		rest, more = and+more[0], more[:1]
	} else {
		rest, more = comma+more[0]+and+more[1], more[:2]
	}
	out := []scenegraph.Triple{t}
	if strings.HasSuffix(text, " "+t.Object) && strings.HasPrefix(strings.TrimPrefix(text, "a "), t.Subject) {
		for _, m := range more {
			out = append(out, scenegraph.Triple{Subject: t.Subject, Predicate: t.Predicate, Object: m})
		}
		return text + rest, out
	}
	return "", nil
}

// extendSubjects adds subjects: "a cat on a bench" becomes "a cat , a dog and a bird on a bench". more are the names of
// objects to add.
func extendSubjects(words []string, gold []scenegraph.Triple, more []string, rnd *portable.SplitMix64) (string, []scenegraph.Triple) {
	if len(gold) != 1 || gold[0].Predicate == "is" || gold[0].Predicate == "" || len(more) == 0 {
		return "", nil
	}
	t := gold[0]
	text := strings.Join(words, " ")
	article := ""
	if strings.HasPrefix(text, "a ") {
		article, text = "a ", text[2:]
	}
	if !strings.HasPrefix(text, t.Subject+" ") || !strings.HasSuffix(text, " "+t.Object) {
		return "", nil
	}
	out := []scenegraph.Triple{t}
	n := 1 + rnd.IntN(len(more))
	before := ""
	for i, m := range more[:n] {
		out = append(out, scenegraph.Triple{Subject: m, Predicate: t.Predicate, Object: t.Object})
		before += article + m
		if i < n-1 {
			before += " , "
		}
	}
	return before + " and " + article + text, out
}

// shareObject reports whether two graphs have objects of the same name.
func shareObject(a, b []scenegraph.Triple) bool {
	names := map[string]bool{}
	for _, t := range a {
		names[t.Subject] = true
		if t.Predicate != "is" {
			names[t.Object] = true
		}
	}
	for _, t := range b {
		if names[t.Subject] || t.Predicate != "is" && t.Object != "" && names[t.Object] {
			return true
		}
	}
	return false
}
