package negatives

import "strings"

// sorts is a table of exclusions.tsv, with a row for each sort of things of which one is one alone.
var sorts = exclusions["sorts"]

// sortsOf has bit i set where row i has the noun: by its head, or by that and the word before it
// ("football player").
func sortsOf(key string) (rows uint64) {
	before, head := lastWords(key)
	for i := range sorts {
		if r := &sorts[i]; r.others == "" && contains(r.words, head) || contains(r.others, head) && contains(r.words, before) {
			rows |= 1 << i
		}
	}
	return rows
}

// ofOneSort holds where two nouns are of one sort.
func ofOneSort(a, b *noun) bool { return a.sorts&b.sorts != 0 }

// attributesOfSort are those that the corpus has of heads that are of one sort with a head.
func (w *words) attributesOfSort(h *headword) *candidates {
	if h.ofSort != nil {
		return h.ofSort
	}
	var list []entry
	for rows, i := sortsOf(h.text), 0; rows != 0; rows, i = rows>>1, i+1 {
		if rows&1 == 0 {
			continue
		}
		for head := range strings.SplitSeq(sorts[i].words, " ") {
			for word, n := range counted(w.vocab.list(CountAttributeOf, head)) {
				list = append(list, entry{word, int64(n)})
			}
		}
	}
	h.ofSort = w.candidates(SlotAttribute, cumulate(list, maxCandidates))
	return h.ofSort
}
