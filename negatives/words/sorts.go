package words

import (
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
)

// sorts is the table of exclusions.tsv with a row for each sort of things that exclude each other.
var sorts = truth.Exclusions["sorts"]

// sortsOf returns the rows of sorts that have a noun, as bits. A row has its head, or its head and
// the word before it ("football player").
func sortsOf(key string) (rows uint64) {
	before, head := grammar.LastWords(key)
	for i := range sorts {
		if r := &sorts[i]; r.Others == "" && wordclass.Has(r.Words, head) || wordclass.Has(r.Others, head) && wordclass.Has(r.Words, before) {
			rows |= 1 << i
		}
	}
	return rows
}

// MayReplaceAlone reports whether a noun may replace another that has no relation: both are of one
// sort or of one class of implements ("a camera" for "a clock").
func MayReplaceAlone(a, b *Noun) bool { return OfOneSort(a, b) || a.Implements&b.Implements != 0 }

// AttributesOfKind returns the attributes of a dimension that the corpus has mainly with things of
// a kind.
func (w *Cache) AttributesOfKind(dimension string, kind truth.Kind) *Candidates {
	id := dimensionOfKind{dimension, kind}
	l, ok := w.ofKind[id]
	if !ok {
		list := vocabulary.Filter(w.Vocab.List(vocabulary.Attribute, dimension), func(text string, _ uint64) bool {
			_, kinds := w.HeadsOf(w.Property(text))
			return kinds>>kind&1 != 0
		})
		l = w.Candidates(slots.Attribute, list)
		w.ofKind[id] = l
	}
	return l
}

// AttributesOfSort returns the attributes that the corpus has with the heads of the same sorts.
func (w *Cache) AttributesOfSort(h *Headword) *Candidates {
	if h.ofSort != nil {
		return h.ofSort
	}
	var list []vocabulary.Entry
	for rows, i := sortsOf(h.Text), 0; rows != 0; rows, i = rows>>1, i+1 {
		if rows&1 == 0 {
			continue
		}
		for head := range strings.SplitSeq(sorts[i].Words, " ") {
			for word, n := range vocabulary.Counted(w.Vocab.List(vocabulary.AttributeOf, head)) {
				list = append(list, vocabulary.Entry{Text: word, N: int64(n)})
			}
		}
	}
	h.ofSort = w.Candidates(slots.Attribute, vocabulary.Cumulate(list, vocabulary.MaxCandidates))
	return h.ofSort
}
