package verify

import (
	"math"
	"slices"
	"strings"

	"capgraph/negatives/methods"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// checkPositives reports faults of the positives of a row. text is the row's caption.
func (p *poolCheck) checkPositives(text string, bad func(what string, args ...any)) {
	if len(p.pool.Positives) == 0 || p.pool.Positives[0].Text != text {
		bad("its first positive is not its text")
	}
	p.rowIDs = p.rowIDs[:0]
	for i, pos := range p.pool.Positives {
		if fault := describeLineFault(pos.Text); fault != "" {
			bad("the positive %q %s", pos.Text, fault)
		}
		id := p.textID(pos.Text)
		if pos.ID != id {
			bad("the pos_id of %q is %d and should be %d", pos.Text, pos.ID, id)
		}
		if !(pos.Confidence >= 0 && pos.Confidence <= 1) || i == 0 && pos.Confidence != 1 {
			bad("the pos_confidence of %q, positive %d, is %g: want 0 to 1, and 1 of the first", pos.Text, i, pos.Confidence)
		}
		if pos.Count < 1 || !isAscending(pos.Parts) {
			bad("the pos_count of %q, positive %d, is %d, or its pos_parts are not ascending: %d", pos.Text, i, pos.Count, pos.Parts)
		}
		if slices.Contains(p.rowIDs, id) {
			bad("the positive %q says what one before it says", pos.Text)
		}
		p.rowIDs = append(p.rowIDs, id)
		switch pos.Kind {
		case schemas.KindCaption, schemas.KindObject, schemas.KindRelation, schemas.KindParaphrase, schemas.KindSentence:
			if caption := pos.Kind == schemas.KindCaption; caption != (i == 0) {
				bad("the pos_kind of %q, positive %d, is %q: the first and no other is %q", pos.Text, i, pos.Kind, schemas.KindCaption)
			}
			if pos.Kind == schemas.KindParaphrase && i > 0 && p.pool.Positives[i-1].Kind == pos.Kind {
				bad("the paraphrase %q follows another and not what it says again", pos.Text)
			}
		default:
			bad("the pos_kind of %q is %q", pos.Text, pos.Kind)
		}
	}
}

// checkNegatives reports faults of the negatives of a row.
func (p *poolCheck) checkNegatives(bad func(what string, args ...any)) {
	p.rowIDs = p.rowIDs[:0]
	for i := range p.pool.Negatives {
		n := &p.pool.Negatives[i]
		if fault := describeLineFault(n.Text); fault != "" {
			bad("the negative %q %s", n.Text, fault)
		}
		id := p.textID(n.Text)
		if _, said := slices.BinarySearch(p.positiveIDs, id); said {
			bad("the negative %q says what a positive of its image says", n.Text)
		}
		if slices.Contains(p.rowIDs, id) {
			bad("the negative %q says what one before it says", n.Text)
		}
		p.rowIDs = append(p.rowIDs, id)
		if m, known := outputOfMethod(n.Method); !known || !m.fits(n, p.kindOf(n)) {
			bad("the negative %q has neg_of %d, neg_method %q, neg_changed %q, neg_category %q, which do not go together", n.Text, n.Of, n.Method, n.Changed, n.Category)
		}
		if p.changesTooMuch(n) {
			bad("the negative %q differs from %q in more than one place, and its neg_method is %s", n.Text, p.pool.Positives[n.Of].Text, n.Method)
		}
		if !isAscending(n.Parts) {
			bad("the neg_parts of %q are not ascending: %d", n.Text, n.Parts)
		}
		if s := float64(n.Score); math.IsNaN(s) || math.IsInf(s, 0) {
			bad("the neg_score of %q is %v", n.Text, n.Score)
		}
	}
}

// kindOf returns the kind of the positive that a negative changes; "" if there is none.
func (p *poolCheck) kindOf(n *schemas.HardNegative) string {
	if int(n.Of) >= len(p.pool.Positives) {
		return ""
	}
	return p.pool.Positives[n.Of].Kind
}

// isAscending reports whether each hash is greater than the one before it.
func isAscending(parts []int32) bool {
	for i := 1; i < len(parts); i++ {
		if parts[i] <= parts[i-1] {
			return false
		}
	}
	return true
}

// textID returns scenegraph.TextID of a text. It does not allocate.
func (p *poolCheck) textID(text string) int64 {
	p.normal = scenegraph.AppendNormalized(p.normal[:0], text)
	return scenegraph.NormalizedID(p.normal)
}

// changesTooMuch reports whether a negative that should replace one thing in its caption changes
// more. Negatives of sub-graphs may do so, since their texts are not words of the caption.
func (p *poolCheck) changesTooMuch(n *schemas.HardNegative) bool {
	return n.Of == 0 && len(p.pool.Positives) > 0 && methods.ReplacesOne(n.Method) && !methods.ChangesOne(p.pool.Positives[0].Text, n.Text)
}

// describeLineFault returns why a text is not a single line; "" if it is one.
func describeLineFault(text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		return "is empty"
	case strings.IndexByte(text, '\n') >= 0 || strings.IndexByte(text, '\r') >= 0:
		return "is more than one line"
	}
	return ""
}
