package ruleparse

import (
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// sentence is a treebank's tokens with their gold tags.
type sentence struct {
	spans  []span
	tags   []tag
	casing casing
}

// readTreebank reads the tokens and tags of a CoNLL-U file.
func readTreebank(path string, l *lexicon) ([]sentence, error) {
	byName := map[string]tag{}
	for i, n := range tagNames {
		byName[n] = tag(i)
	}
	var out []sentence
	var s sentence
	flush := func() {
		if len(s.spans) > 0 {
			l.look(s.spans)
			s.casing = casingOf(s.spans)
			out = append(out, s)
		}
		s = sentence{}
	}
	err := eachLine(path, func(line string) {
		if strings.HasPrefix(line, "# sent_id") {
			flush()
		}
		f := strings.Split(line, "\t")
		if len(f) != 10 || strings.ContainsAny(f[0], "-.") {
			return
		}
		t, ok := byName[f[4]]
		if !ok {
			t = tagXX
		}
		form := f[1]
		low, _ := lower(form, nil)
		parts := tokenize(form, low, nil)
		sp := span{low: low, kind: letters}
		if len(parts) > 0 {
			sp.kind, sp.capital, sp.capitals = parts[0].kind, parts[0].capital, parts[0].capitals
		}
		if len(parts) == 2 && parts[0].kind == mark && parts[1].kind != mark { // "#1", ":)"
			sp.kind = parts[1].kind
		}
		s.spans = append(s.spans, sp)
		s.tags = append(s.tags, t)
	})
	flush()
	return out, err
}

const (
	tagBits   = 16
	tagEpochs = 8
	tagWidth  = tagCount
)

// trainTagger trains on the treebank's training part and reports on its
// development part.
func trainTagger(ud string, l *lexicon, log io.Writer) ([]byte, error) {
	train, err := readTreebank(filepath.Join(ud, "en_ewt-ud-train.conllu"), l)
	if err != nil {
		return nil, err
	}
	dev, err := readTreebank(filepath.Join(ud, "en_ewt-ud-dev.conllu"), l)
	if err != nil {
		return nil, err
	}
	// Captions have few capitals: half of the sentences are seen without.
	for _, s := range train[:len(train):len(train)] {
		small := sentence{slices.Clone(s.spans), s.tags, uncased}
		for i := range small.spans {
			small.spans[i].capital, small.spans[i].capitals = false, false
		}
		train = append(train, small)
	}
	g := &tagger{seen: seenTags(train, l)}
	common := newFrequent()
	features := func(s *sentence, i int, buf []uint32) []uint32 {
		one, two := tagPeriod, tagPeriod
		if i > 0 {
			one = s.tags[i-1]
		}
		if i > 1 {
			two = s.tags[i-2]
		}
		var rf flags
		var next uint64
		if i+1 < len(s.spans) {
			rf, next = s.spans[i+1].flags, g.seen[s.spans[i+1].hash]
		}
		buf = tagContext(s.spans, i, s.casing, g.seen[s.spans[i].hash], next, buf[:0])
		return tagHistory(&s.spans[i], one, two, rf, buf)
	}
	var buf, kept []uint32
	for k := range train {
		for i := range train[k].spans {
			buf = features(&train[k], i, buf)
			common.count(buf)
		}
	}
	m := newLearner(tagBits, tagWidth, 0.08)
	rnd := noise(1)
	for range tagEpochs {
		for _, k := range shuffle(&rnd, len(train)) {
			s := &train[k]
			for i := range s.spans {
				set, _ := g.allowed(&s.spans[i], s.casing)
				if set&(set-1) == 0 || set>>s.tags[i]&1 == 0 {
					continue
				}
				buf = features(s, i, buf)
				kept = drop(&rnd, common.keep(buf, 3), 0.3, kept)
				m.rows(kept, int(s.tags[i]), nil, set)
			}
		}
	}
	b := appendTagger(m, g.seen)
	g, err = readTagger(string(b))
	if err != nil {
		return nil, err
	}
	right, total := 0, 0
	for _, s := range dev {
		g.run(s.spans)
		for i := range s.spans {
			total++
			if s.spans[i].tag == s.tags[i] {
				right++
			}
		}
	}
	fmt.Fprintf(log, "tagger: %.2f %% of %d tags of the treebank's development part\n", 100*float64(right)/float64(total), total)
	return b, nil
}

// seenTags are the tags of the words that occur three times or more. A word of
// the open classes may also be what the lexicon says.
func seenTags(train []sentence, l *lexicon) map[uint32]uint64 {
	counts := map[uint32]*[tagCount]int{}
	entries := map[uint32]flags{}
	for _, s := range train {
		for i := range s.spans {
			h := s.spans[i].hash
			if counts[h] == nil {
				counts[h] = new([tagCount]int)
			}
			counts[h][s.tags[i]]++
			entries[h] = s.spans[i].flags
		}
	}
	seen := map[uint32]uint64{}
	for h, c := range counts {
		n := 0
		var set, closed uint64
		for t, k := range c {
			n += k
			if k > 0 {
				set |= 1 << t
				closed |= 1 << t &^ openTags
			}
		}
		if n < 6 { // three times, with and without capitals
			continue
		}
		if n > 1000 { // of a very frequent word, what is under 0.3 % is a slip
			for t, k := range c {
				if k*300 < n {
					set &^= 1 << t
				}
			}
		} else if closed == 0 {
			set |= tagsOf(entries[h])
		}
		seen[h] = set
	}
	return seen
}

// tagsOf are the tags that the lexicon allows.
func tagsOf(f flags) uint64 {
	var set uint64
	for _, r := range [...]struct {
		f flags
		t uint64
	}{
		{nounSingular, 1<<tagNN | 1<<tagNNP}, {nounPlural, 1<<tagNNS | 1<<tagNNPS}, {verbBase, 1<<tagVB | 1<<tagVBP}, {verbS, 1 << tagVBZ}, {verbIng, 1 << tagVBG},
		{verbPast, 1 << tagVBD}, {verbParticiple, 1 << tagVBN}, {adjective, 1 << tagJJ}, {adverb, 1 << tagRB},
	} {
		if f&r.f != 0 {
			set |= r.t
		}
	}
	return set
}

func appendTagger(m *learner, seen map[uint32]uint64) []byte {
	keys := make([]uint32, 0, len(seen))
	for k := range seen {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(keys)))
	for _, k := range keys {
		b = binary.LittleEndian.AppendUint32(b, k)
		b = binary.LittleEndian.AppendUint64(b, seen[k])
	}
	return appendWeights(b, m.w, m.width)
}

// readTagger reads the form that appendTagger writes.
func readTagger(s string) (*tagger, error) {
	if len(s) < 4 {
		return nil, fmt.Errorf("tagger: cut off")
	}
	n := int(binary.LittleEndian.Uint32([]byte(s[:4])))
	if len(s)-4 < n*12 {
		return nil, fmt.Errorf("tagger: cut off")
	}
	g := &tagger{seen: make(map[uint32]uint64, n)}
	for i := range n {
		r := []byte(s[4+12*i : 16+12*i])
		g.seen[binary.LittleEndian.Uint32(r)] = binary.LittleEndian.Uint64(r[4:])
	}
	var err error
	g.weights, err = readWeights(s[4+12*n:], tagCount)
	return g, err
}
