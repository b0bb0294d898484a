package words

import (
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
)

// HasForm reports whether a verb has the form that a part-of-speech tag requires: "nuzzle" is no
// VBN.
func (w *Cache) HasForm(tag, form string) bool {
	base := w.base(form)
	switch tag {
	case "VBG":
		return form != base && strings.HasSuffix(form, "ing")
	case "VBZ":
		return form == w.Inflect.ThirdPerson(base)
	case "VBD", "VBN":
		return form != base || form == w.Inflect.Past(base)
	}
	return form == base
}

// Action is a verb in the inflected form in which a caption has it.
type Action struct {
	*Verb
	Id      uint32
	Form    string
	Sayable bool
}

// Action returns the action of an inflected verb.
func (w *Cache) Action(form string) *Action {
	return rememberWord(w, w.actions, form, (*Cache).describeAction)
}

func (w *Cache) describeAction(form string) *Action {
	v := w.Verb(w.base(form))
	return &Action{v, w.nextID(), form, grammar.Sayable(form) && v.isKnown() && !wordclass.Has(grammar.Misspelt, form)}
}

// base returns the base form of an inflected verb.
func (w *Cache) base(form string) string {
	if w.Lexicon.VerbSenses(form) != nil && !strings.HasSuffix(form, "ing") && !strings.HasSuffix(form, "ed") {
		if _, irregular := w.Inflect.IrregularBase(form); !irregular {
			return form
		}
	}
	if b, ok := grammar.BaseForm(w.Lexicon, w.Inflect, form); ok {
		return b
	}
	for _, b := range []string{w.Inflect.Singular(form), strings.TrimSuffix(form, "es")} { // "sits", "goes"
		if w.Lexicon.VerbSenses(b) != nil {
			return b
		}
	}
	return strings.TrimSuffix(form, "s")
}
