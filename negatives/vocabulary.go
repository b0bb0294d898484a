package negatives

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/schemas"
)

// maxCandidates bounds the candidates kept for one context, the most frequent
// first. Those of no context are bounded by Options.MaxKeys alone.
const maxCandidates = 512

// maxObjects bounds the objects that are asked where a context has few.
const maxObjects = 4096

// vocabulary is what the corpus says. It is immutable once it was read.
type vocabulary struct {
	lexicon *lexicon.Lexicon
	inflect *lexicon.Inflector
	kinds   kindsOf
	usage   map[string]usage
	// lists hold candidates by kind and context: "attribute_of\tbus".
	lists map[string][]Candidate
	// objects are the most frequent ones.
	objects []Candidate
	// partners are what goes with what.
	partners pairs
	// actions is the summed count of CountActionOf, numbers that of quantities that are numbers,
	// singles that of nouns with "a".
	actions          int64
	numbers, singles uint64
	// hear hears of each count that is kept.
	hear func(schemas.Count)
}

// limits are those of what a vocabulary keeps of each kind: what was counted min times at least, and
// the most frequent keys; the words between others only where they are asked for.
type limits struct {
	min      int64
	keys     int
	contexts bool
}

// readCounts reads merged counts, those of a kind one after the other, ties by bytes. Kinds that it
// does not know are left out.
func readCounts(counts iter.Seq[schemas.Count], lex *lexicon.Lexicon, in *lexicon.Inflector, limits limits, hear func(schemas.Count)) (*vocabulary, error) {
	v := &vocabulary{lexicon: lex, inflect: in, kinds: newKinds(lex), usage: map[string]usage{}, lists: map[string][]Candidate{}, hear: hear}
	kind := ""
	top := topCounts{limit: limits.keys}
	words := map[string]string{}
	for c := range counts {
		if c.Kind != kind {
			if err := v.takeKind(top.take(), words); err != nil {
				return nil, err
			}
			kind = c.Kind
		}
		_, known := contextParts[c.Kind]
		if known && c.N >= limits.min && (c.Kind != CountContext || limits.contexts) {
			top.add(c)
		}
	}
	if err := v.takeKind(top.take(), words); err != nil {
		return nil, err
	}
	v.objects = v.list(CountObject)
	v.objects = v.objects[:min(len(v.objects), maxObjects)]
	return v, nil
}

// takeKind files all counts of one kind, which are sorted by key; words has one
// copy of each word.
func (v *vocabulary) takeKind(counts []schemas.Count, words map[string]string) error {
	if len(counts) > 0 && counts[0].Kind == CountBetween {
		v.partners = newPairs(v.lexicon, v.inflect, counts)
	}
	var list []entry // of one context
	wide := map[string][]entry{}
	for i, c := range counts {
		context, word, err := cutKey(c)
		if err != nil {
			return err
		}
		v.hear(c)
		word = intern(words, word)
		if c.Kind == CountUsage {
			v.use(intern(words, context), word, c.N)
			continue
		}
		v.widen(c, context, word, words, wide)
		list = append(list, entry{word, c.N})
		if i+1 < len(counts) {
			if next, _, err := cutKey(counts[i+1]); err == nil && next == context {
				continue
			}
		}
		k, limit := c.Kind, len(list)
		if context != "" {
			k, limit = c.Kind+"\t"+context, maxCandidates
		}
		if err := v.keep(k, list, limit); err != nil {
			return err
		}
		list = list[:0]
	}
	for context, list := range wide {
		if err := v.keep(context, list, maxCandidates); err != nil {
			return err
		}
	}
	return nil
}

// cutKey cuts a key before its last part, which is the word.
func cutKey(c schemas.Count) (context, word string, err error) {
	if n, want := strings.Count(c.Key, "\t"), contextParts[c.Kind]; n != want {
		return "", "", fmt.Errorf("count of kind %q has the key %q with %d parts, want %d", c.Kind, c.Key, n+1, want+1)
	}
	last := strings.LastIndexByte(c.Key, '\t')
	return c.Key[:max(last, 0)], c.Key[last+1:], nil
}

// keep makes the list of a context.
func (v *vocabulary) keep(context string, list []entry, limit int) error {
	if v.lists[context] != nil {
		return fmt.Errorf("counts of kind %q are not one after the other", strings.Split(context, "\t")[0])
	}
	v.lists[context] = cumulate(list, limit)
	return nil
}

// contextParts says how many leading parts of a kind's key are the context, and
// so its number of parts less one.
var contextParts = map[string]int{
	CountObject: 0, CountAttribute: 0, CountRelation: 0, CountQuantity: 0, CountAction: 1, CountUsage: 1, CountAttributeOf: 1,
	CountSubjectOf: 1, CountObjectOf: 1, CountBetween: 2, CountActionOf: 3, CountContext: 3,
}

// Lists that are made of counts of another kind: the relations of an object,
// those of a subject, and the heads of an attribute.
const (
	relationTo   = "relation_to"
	relationFrom = "relation_from"
	headsOf      = "heads_of"
)

// entry is a word with its count in one context.
type entry struct {
	text string
	n    int64
}

// use counts how a noun is used.
func (v *vocabulary) use(noun, form string, n int64) {
	u := v.usage[noun]
	switch form {
	case "a":
		u.a += n
		v.singles += uint64(n)
	case "the":
		u.the += n
	case "bare":
		u.bare += n
	case "first":
		u.first += n
	case "name":
		u.names += n
	case "plural":
		u.plural += n
	}
	v.usage[noun] = u
}

// widen files a count under the wider contexts that are asked where its own knows
// nothing.
func (v *vocabulary) widen(c schemas.Count, context, word string, words map[string]string, wide map[string][]entry) {
	file := func(parts ...string) {
		k := strings.Join(parts, "\t")
		wide[k] = append(wide[k], entry{word, c.N})
	}
	switch c.Kind {
	case CountContext:
		parts := strings.Split(context, "\t")
		file(c.Kind, parts[0], parts[1], "")
		file(c.Kind, parts[0], "", parts[2])
	case CountQuantity:
		if len(v.lexicon.Values(word)) > 0 {
			v.numbers += uint64(c.N)
		}
	case CountAttribute:
		for _, x := range v.lexicon.Values(word) {
			file(CountAttribute, v.lexicon.Dimension(x))
		}
	case CountActionOf:
		parts := strings.Split(context, "\t")
		file(c.Kind, parts[0], "", parts[2])
		if parts[2] != direct {
			file(c.Kind, parts[0], parts[1], "")
		}
		v.actions += c.N
	case CountAttributeOf:
		k := headsOf + "\t" + word
		wide[k] = append(wide[k], entry{intern(words, context), c.N})
	case CountObjectOf, CountSubjectOf:
		k := relationTo + "\t" + word
		if c.Kind == CountSubjectOf {
			k = relationFrom + "\t" + word
		}
		wide[k] = append(wide[k], entry{intern(words, context), c.N})
	}
}

func intern(words map[string]string, word string) string {
	if same, ok := words[word]; ok {
		return same
	}
	word = strings.Clone(word)
	words[word] = word
	return word
}

// cumulate sums equal words, orders by count and then bytes, and makes the
// candidates, limit of them at most.
func cumulate(list []entry, limit int) []Candidate {
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.text, b.text) })
	merged := list[:0]
	for _, e := range list {
		if n := len(merged); n > 0 && merged[n-1].text == e.text {
			merged[n-1].n += e.n
			continue
		}
		merged = append(merged, e)
	}
	slices.SortStableFunc(merged, func(a, b entry) int { return cmp.Compare(b.n, a.n) })
	merged = merged[:min(len(merged), limit)]
	out := make([]Candidate, len(merged))
	var cum uint64
	for i, e := range merged {
		cum += uint64(e.n)
		out[i] = Candidate{e.text, cum}
	}
	return out
}

// topCounts keeps the limit most frequent counts, ties by bytes, in memory for
// twice as many.
type topCounts struct {
	limit  int
	counts []schemas.Count
}

func (t *topCounts) add(c schemas.Count) {
	c.Key = strings.Clone(c.Key)
	t.counts = append(t.counts, c)
	if len(t.counts) >= 2*t.limit {
		t.cut()
	}
}

func (t *topCounts) cut() {
	if len(t.counts) <= t.limit {
		return
	}
	slices.SortFunc(t.counts, func(a, b schemas.Count) int {
		return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Key, b.Key))
	})
	clear(t.counts[t.limit:])
	t.counts = t.counts[:t.limit]
}

// take gives the counts, sorted by key, until the next add.
func (t *topCounts) take() []schemas.Count {
	t.cut()
	counts := t.counts
	slices.SortFunc(counts, func(a, b schemas.Count) int { return strings.Compare(a.Key, b.Key) })
	t.counts = t.counts[:0]
	return counts
}
