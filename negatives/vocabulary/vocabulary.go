package vocabulary

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/lexicon"
	"capgraph/internal/portable"
	"capgraph/negatives/grammar"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/schemas"
)

// MaxCandidates is the most candidates that are kept for one context, the most frequent first.
// Lists without a context are limited by Options.MaxKeys alone.
const MaxCandidates = 512

// MaxObjects is the most objects of the corpus that are used if a context has few.
const MaxObjects = 4096

// Vocabulary has the words of the corpus and their counts. It is immutable.
type Vocabulary struct {
	Lexicon *lexicon.Lexicon
	Inflect *lexicon.Inflector
	Kinds   truth.Kinds
	Usage   map[string]Uses
	// elsewhere has how other captions use nouns.
	elsewhere map[string]Uses
	// bareness is how many times as often the corpus omits articles as other captions do, at least
	// 1.
	bareness int64
	// lists hold candidates by kind and context: "attribute_of\tbus".
	lists map[string][]slots.Candidate
	// Objects are the most frequent objects of the corpus.
	Objects []slots.Candidate
	// Partners are the heads that occur in relations with each head.
	Partners pairs
	// Actions is the sum of the counts of kind ActionOf, numbers that of quantities that are
	// numbers, and singles that of nouns with "a".
	Actions          int64
	numbers, singles uint64
	// floor has, for each kind of which rare counts were dropped, the highest count that may have
	// been dropped.
	floor map[string]int64
	// exclusive has, for each attribute, those that exclude it by counts; sideBySide has, for each
	// head, those of other things beside it.
	exclusive, sideBySide map[string]map[string]bool
	// heads, attributes and names have the count of each, and things the sum of names.
	heads, attributes, names map[string]uint64
	things                   uint64
	// times has the kept counts of objects, attributes of heads and relations between heads, by a hash
	// of kind and key.
	times map[uint64]int64
	// hear is called with every count that is kept.
	hear func(schemas.Count)
}

// Limits limit the counts of each kind: the least count, the number of the most frequent keys, and
// whether counts of kind Context are kept.
type Limits struct {
	Min      int64
	Keys     int
	Contexts bool
}

// Read makes a vocabulary of merged counts, which are sorted by kind and, with equal counts, by
// key. It skips unknown kinds. hear is called with every count that is kept.
func Read(counts iter.Seq[schemas.Count], lex *lexicon.Lexicon, in *lexicon.Inflector, limits Limits, hear func(schemas.Count)) (*Vocabulary, error) {
	v := &Vocabulary{Lexicon: lex, Inflect: in, Kinds: truth.NewKinds(lex), Usage: map[string]Uses{}, bareness: 1, lists: map[string][]slots.Candidate{}, floor: map[string]int64{}, times: map[uint64]int64{}, hear: hear}
	kind := ""
	top := topCounts{limit: limits.Keys}
	words := map[string]string{}
	for c := range counts {
		if c.Kind != kind {
			kept, cut := top.takeCounts()
			if err := v.takeKind(kept, cut, words); err != nil {
				return nil, err
			}
			kind = c.Kind
		}
		_, known := contextParts[c.Kind]
		if known && c.N >= limits.Min && (c.Kind != Context || limits.Contexts) {
			top.add(c)
		}
	}
	kept, cut := top.takeCounts()
	if err := v.takeKind(kept, cut, words); err != nil {
		return nil, err
	}
	v.Objects = v.List(Object)
	v.relateAttributes(limits.Min)
	v.Objects = v.Objects[:min(len(v.Objects), MaxObjects)]
	return v, nil
}

// takeKind adds all counts of one kind, which are sorted by key. cut reports whether counts of the
// kind were dropped. words has one copy of each word.
func (v *Vocabulary) takeKind(counts []schemas.Count, cut bool, words map[string]string) error {
	if len(counts) > 0 && cut {
		v.floor[counts[0].Kind] = slices.MinFunc(counts, func(a, b schemas.Count) int { return cmp.Compare(a.N, b.N) }).N
	}
	if len(counts) > 0 && counts[0].Kind == Between {
		v.Partners = newPairs(v.Lexicon, v.Inflect, counts)
	}
	var list []Entry // of one context
	wide := map[string][]Entry{}
	for i, c := range counts {
		context, word, err := CutKey(c)
		if err != nil {
			return err
		}
		v.hear(c)
		switch c.Kind {
		case Object, AttributeOf, Between:
			v.times[xxhash.Sum64String(c.Kind+"\t"+c.Key)] = c.N
		}
		word = intern(words, word)
		if c.Kind == Usage {
			v.addUse(intern(words, context), word, c.N)
			continue
		}
		v.addToWiderContexts(c, context, word, words, wide)
		list = append(list, Entry{word, c.N})
		if i+1 < len(counts) {
			if next, _, err := CutKey(counts[i+1]); err == nil && next == context {
				continue
			}
		}
		k, limit := c.Kind, len(list)
		if context != "" {
			k, limit = c.Kind+"\t"+context, MaxCandidates
		}
		if err := v.storeList(k, list, limit); err != nil {
			return err
		}
		list = list[:0]
	}
	for context, list := range wide {
		if err := v.storeList(context, list, MaxCandidates); err != nil {
			return err
		}
	}
	return nil
}

// CutKey returns the context and the word of a key: the word is its last part.
func CutKey(c schemas.Count) (context, word string, err error) {
	if n, want := strings.Count(c.Key, "\t"), contextParts[c.Kind]; n != want {
		return "", "", fmt.Errorf("count of kind %q has the key %q with %d parts, want %d", c.Kind, c.Key, n+1, want+1)
	}
	last := strings.LastIndexByte(c.Key, '\t')
	return c.Key[:max(last, 0)], c.Key[last+1:], nil
}

// storeList stores the list of a context, cut to limit candidates.
func (v *Vocabulary) storeList(context string, list []Entry, limit int) error {
	if v.lists[context] != nil {
		return fmt.Errorf("counts of kind %q are not one after the other", strings.Split(context, "\t")[0])
	}
	v.lists[context] = Cumulate(list, limit)
	return nil
}

// contextParts is the number of parts of a kind's key that are the context: all but the last.
var contextParts = map[string]int{
	Object: 0, Attribute: 0, Relation: 0, Quantity: 0, Action: 1, Usage: 1, AttributeOf: 1,
	SubjectOf: 1, ObjectOf: 1, Together: 1, SideBySide: 1, Between: 2, ActionOf: 3, Context: 3,
}

// Lists that are derived from counts of another kind: the relations that a noun is the object of,
// those that it is the subject of, and the heads with an attribute.
const (
	RelationTo   = "relation_to"
	RelationFrom = "relation_from"
	HeadsOf      = "heads_of"
)

// Entry is a word with its count in a context.
type Entry struct {
	Text string
	N    int64
}

// AddUsage adds counts of how other captions use nouns. It also measures how many times as often
// the corpus omits articles, as titles do.
func (v *Vocabulary) AddUsage(counts []schemas.Count) error {
	v.elsewhere = map[string]Uses{}
	for _, c := range counts {
		noun, form, err := CutKey(c)
		if err != nil {
			return err
		}
		u := v.elsewhere[noun]
		u.countForm(form, c.N)
		v.elsewhere[noun] = u
	}
	v.bareness = measureBareness(v.Usage, v.elsewhere)
	return nil
}

// UsageOf returns how the corpus and other captions together use a noun.
func (v *Vocabulary) UsageOf(noun string) Uses {
	u, other := v.Usage[noun], v.elsewhere[noun]
	return Uses{u.A + other.A, u.The + other.The, u.Bare + other.Bare, u.Plural + other.Plural, u.First, u.Names}
}

// UsageOfThing is as UsageOf, for a noun of a countable thing. If the corpus omits articles, its
// uses without an article count less.
func (v *Vocabulary) UsageOfThing(noun string) Uses {
	u, own := v.UsageOf(noun), v.Usage[noun]
	u.Bare += own.Bare/v.bareness - own.Bare
	u.First /= v.bareness
	return u
}

// DropsArticles reports whether the corpus omits articles at least twice as often as other
// captions.
func (v *Vocabulary) DropsArticles() bool { return v.bareness > 1 }

// addUse adds a count to the usage of a noun.
func (v *Vocabulary) addUse(noun, form string, n int64) {
	u := v.Usage[noun]
	u.countForm(form, n)
	v.Usage[noun] = u
	if form == "a" {
		v.singles += uint64(n)
	}
}

// addToWiderContexts adds a count to the lists of wider contexts, which are used if the own context has few
// words.
func (v *Vocabulary) addToWiderContexts(c schemas.Count, context, word string, words map[string]string, wide map[string][]Entry) {
	file := func(parts ...string) {
		k := strings.Join(parts, "\t")
		wide[k] = append(wide[k], Entry{word, c.N})
	}
	switch c.Kind {
	case Context:
		parts := strings.Split(context, "\t")
		file(c.Kind, parts[0], parts[1], "")
		file(c.Kind, parts[0], "", parts[2])
	case Quantity:
		if len(v.Lexicon.Values(word)) > 0 {
			v.numbers += uint64(c.N)
		}
	case Attribute:
		for _, x := range v.Lexicon.Values(word) {
			file(Attribute, v.Lexicon.Dimension(x))
		}
	case ActionOf:
		parts := strings.Split(context, "\t")
		file(c.Kind, parts[0], "", parts[2])
		if parts[2] != grammar.Direct {
			file(c.Kind, parts[0], parts[1], "")
		}
		v.Actions += c.N
	case AttributeOf:
		k := HeadsOf + "\t" + word
		wide[k] = append(wide[k], Entry{intern(words, context), c.N})
	case ObjectOf, SubjectOf:
		k := RelationTo + "\t" + word
		if c.Kind == SubjectOf {
			k = RelationFrom + "\t" + word
		}
		wide[k] = append(wide[k], Entry{intern(words, context), c.N})
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

// Cumulate returns the candidates of a list, at most limit: equal words are merged and sorted by
// count, then by bytes.
func Cumulate(list []Entry, limit int) []slots.Candidate {
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Text, b.Text) })
	merged := list[:0]
	for _, e := range list {
		if n := len(merged); n > 0 && merged[n-1].Text == e.Text {
			merged[n-1].N += e.N
			continue
		}
		merged = append(merged, e)
	}
	slices.SortStableFunc(merged, func(a, b Entry) int { return cmp.Compare(b.N, a.N) })
	merged = merged[:min(len(merged), limit)]
	out := make([]slots.Candidate, len(merged))
	var cum uint64
	for i, e := range merged {
		cum += uint64(e.N)
		out[i] = slots.Candidate{Text: e.Text, Cum: cum}
	}
	return out
}

// topCounts keeps the limit most frequent counts; equal counts are ordered by key. It holds at most
// twice as many in memory.
type topCounts struct {
	limit  int
	counts []schemas.Count
	wasCut bool
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
	t.wasCut = true
	clear(t.counts[t.limit:])
	t.counts = t.counts[:t.limit]
}

// takeCounts returns and removes the counts, sorted by key. cut reports whether others were
// dropped.
func (t *topCounts) takeCounts() (kept []schemas.Count, cut bool) {
	t.cut()
	counts := t.counts
	slices.SortFunc(counts, func(a, b schemas.Count) int { return strings.Compare(a.Key, b.Key) })
	cut, t.wasCut = t.wasCut, false
	t.counts = t.counts[:0]
	return counts, cut
}

// KeepsOne reports at random whether the number one is not to be replaced. So several things
// replace one as often as the corpus has numbers, and the number alone does not reveal a negative.
func (v *Vocabulary) KeepsOne(r *portable.SplitMix64) bool {
	return v.singles > v.numbers && r.Next()%v.singles >= v.numbers
}
