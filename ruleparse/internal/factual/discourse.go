package factual

import (
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/scenegraph"
)

// Conventions of DiscoSG's annotators (Lin et al. 2025) for texts of several sentences.

var (
	shades      = wordclass.Words("shades")
	halves      = wordclass.Words("halves")
	unannotated = wordclass.Words("unannotated")
	unsaid      = wordclass.Words("unannotated qualities")
	placed      = wordclass.Words("placed")
)

// discourseTriples returns ts as DiscoSG's annotators write them: with shorter names, and with an attribute such as
// "clear blue" as two.
func (w *Rewriter) discourseTriples(ts []scenegraph.Triple) []scenegraph.Triple {
	var out []scenegraph.Triple
	seen := map[scenegraph.Triple]bool{}
	add := func(t scenegraph.Triple) {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	name := func(s string) string {
		s, side := discourseName(s)
		if side != "" {
			add(scenegraph.Triple{Subject: s, Predicate: "is", Object: side})
		}
		return s
	}
	for _, t := range ts {
		isAttribute := t.Predicate == "is"
		if isAttribute && wordclass.Has(unsaid, t.Object) || !isAttribute && isComparison(t.Predicate) ||
			w.isUnannotated(t.Subject) || !isAttribute && w.isUnannotated(t.Object) {
			continue
		}
		t.Subject = name(t.Subject)
		if !isAttribute {
			if t.Predicate != "" {
				t.Object = name(t.Object)
			}
			add(t)
			continue
		}
		for _, a := range splitQuality(t.Object) {
			add(scenegraph.Triple{Subject: t.Subject, Predicate: "is", Object: a})
		}
	}
	return out
}

// isUnannotated reports whether the annotators leave out objects of this name: light, places in the picture, times.
func (w *Rewriter) isUnannotated(name string) bool {
	head := w.singularName(name[strings.LastIndexByte(name, ' ')+1:])
	return wordclass.Has(unannotated, name) || w.lexicon.NounClass(head, linear.Hash(head)) == tokens.ClassTime
}

// isComparison reports whether a predicate compares how things look: "contrast with". DiscoSG's graphs have none.
func isComparison(predicate string) bool {
	verb, rest, _ := strings.Cut(predicate, " ")
	return predicate == "to" || predicate == "match" || verb == "contrast" || verb == "stand" && strings.HasPrefix(rest, "out ")
}

// discourseName returns the short form of a name and the side that it names, if any: "water" for "body of water",
// "hand" and "left" for "left hand".
func discourseName(name string) (short, side string) {
	if rest, ok := strings.CutPrefix(name, "body of "); ok {
		return rest, ""
	}
	if first, rest, ok := strings.Cut(name, " "); ok && wordclass.Has(halves, first) {
		return rest, first
	}
	return name, ""
}

// splitQuality returns the single qualities of an attribute: "clear" and "blue" for "clear blue", but "light blue" as
// one; "white" for "painted white"; "tall" for "standing tall".
func splitQuality(text string) []string {
	first, last, ok := strings.Cut(text, " ")
	switch {
	case !ok:
	case last == "tall" && strings.HasPrefix(first, "st"):
		return []string{last}
	case wordclass.Has(colours, last) && (first == "painted" || strings.HasSuffix(first, "ly")):
		return []string{last}
	case wordclass.Has(colours, last) && !wordclass.Has(shades, first) && !wordclass.Has(colours, first):
		return []string{first, last}
	}
	return []string{text}
}

// discourseForm returns a predicate as DiscoSG's annotators write it: "building with roof" as
// "building have roof", "tree adorned with lights" as "lights adorn tree".
func discourseForm(predicate string) Rewriting {
	verb, rest, _ := strings.Cut(predicate, " ")
	switch {
	case predicate == "with", predicate == "feature", wordclass.Has(" equip top ", verb) && rest == "with":
		return Rewriting{Text: "have"}
	case wordclass.Has(dressed, verb) && (rest == "" || rest == "in"), predicate == "adorn in":
		return Rewriting{Text: "wear"}
	case strings.HasPrefix(predicate, "in heart of"), strings.HasPrefix(predicate, "in midst of"):
		return Rewriting{Text: "in"}
	case predicate == "amidst", rest == "amidst":
		return Rewriting{Text: strings.TrimSuffix(predicate, "amidst") + "among"}
	case wordclass.Has(placed, verb) && rest != "":
		return Rewriting{Text: rest}
	case predicate == "fill with", predicate == "dot with": // "clouds in sky" for "a sky dotted with clouds"
		return Rewriting{Text: "in", Reversed: true}
	case verb == "stand" && strings.HasPrefix(rest, "tall "): // "tall" is an attribute
		return Rewriting{Text: verb + strings.TrimPrefix(rest, "tall")}
	case wordclass.Has(adorned, verb) && (rest == "with" || rest == "by"):
		return Rewriting{Text: verb, Reversed: true}
	}
	return Rewriting{Text: predicate}
}
