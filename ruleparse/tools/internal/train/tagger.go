package train

import (
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"capgraph/internal/portable"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// taggedSentence is a sentence of the treebank with its gold tags.
type taggedSentence struct {
	spans  []tokens.Token
	tags   []penn.Tag
	casing tokens.Casing
}

// readTreebank returns the sentences in a CoNLL-U file.
func readTreebank(path string, l *tokens.Lexicon) ([]taggedSentence, error) {
	byName := map[string]penn.Tag{}
	for i, n := range penn.Names {
		byName[n] = penn.Tag(i)
	}
	var out []taggedSentence
	var s taggedSentence
	flush := func() {
		if len(s.spans) > 0 {
			l.Annotate(s.spans)
			s.casing = tokens.CasingOf(s.spans)
			out = append(out, s)
		}
		s = taggedSentence{}
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
			t = penn.XX
		}
		form := f[1]
		low, _ := tokens.ToLower(form, nil)
		parts := tokens.Tokenize(form, low, nil)
		sp := tokens.Token{Low: low, Kind: tokens.Letters}
		if len(parts) > 0 {
			sp.Kind, sp.Capital, sp.Capitals = parts[0].Kind, parts[0].Capital, parts[0].Capitals
		}
		if len(parts) == 2 && parts[0].Kind == tokens.Mark && parts[1].Kind != tokens.Mark { // "#1" counts as digits
			sp.Kind = parts[1].Kind
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
	tagWidth  = penn.Count
)

// trainTagger trains the tagger on the treebank's training part, and writes its accuracy on the
// development part to log.
func trainTagger(ud string, l *tokens.Lexicon, log io.Writer) ([]byte, error) {
	train, err := readTreebank(filepath.Join(ud, "en_ewt-ud-train.conllu"), l)
	if err != nil {
		return nil, err
	}
	dev, err := readTreebank(filepath.Join(ud, "en_ewt-ud-dev.conllu"), l)
	if err != nil {
		return nil, err
	}
	// Captions have few capitals: each sentence is added once more in lower case.
	for _, s := range train[:len(train):len(train)] {
		small := taggedSentence{slices.Clone(s.spans), s.tags, tokens.Uncased}
		for i := range small.spans {
			small.spans[i].Capital, small.spans[i].Capitals = false, false
		}
		train = append(train, small)
	}
	g := &tokens.Tagger{Seen: seenTags(train, l)}
	common := newFeatureCounts()
	features := func(s *taggedSentence, i int, buf []uint32) []uint32 {
		one, two := penn.Period, penn.Period
		if i > 0 {
			one = s.tags[i-1]
		}
		if i > 1 {
			two = s.tags[i-2]
		}
		var rf tokens.Flags
		var next uint64
		if i+1 < len(s.spans) {
			rf, next = s.spans[i+1].Flags, g.Seen[s.spans[i+1].Hash]
		}
		buf = tokens.AppendTagContext(s.spans, i, s.casing, g.Seen[s.spans[i].Hash], next, buf[:0])
		return tokens.AppendTagHistory(&s.spans[i], one, two, rf, buf)
	}
	var buf, kept []uint32
	for k := range train {
		for i := range train[k].spans {
			buf = features(&train[k], i, buf)
			common.countFeatures(buf)
		}
	}
	m := newLearner(tagBits, tagWidth, 0.08)
	rnd := portable.SplitMix64(1)
	for range tagEpochs {
		for _, k := range permutation(&rnd, len(train)) {
			s := &train[k]
			for i := range s.spans {
				set, _ := g.AllowedTags(&s.spans[i], s.casing)
				if set&(set-1) == 0 || set>>s.tags[i]&1 == 0 {
					continue
				}
				buf = features(s, i, buf)
				kept = dropFeatures(&rnd, common.keepFrequent(buf, 3), 0.3, kept)
				m.learnRow(kept, int(s.tags[i]), nil, set)
			}
		}
	}
	b := appendTagger(m, g.Seen)
	g, err = tokens.ReadTagger(string(b))
	if err != nil {
		return nil, err
	}
	right, total := 0, 0
	for _, s := range dev {
		g.Tag(s.spans)
		for i := range s.spans {
			total++
			if s.spans[i].Tag == s.tags[i] {
				right++
			}
		}
	}
	fmt.Fprintf(log, "tagger: %.2f %% of %d tags of the treebank's development part\n", 100*float64(right)/float64(total), total)
	return b, nil
}

// seenTags returns the sets of tags of the words that occur three times or more in the treebank.
// Words of the open classes may also have the tags that the lexicon allows.
func seenTags(train []taggedSentence, l *tokens.Lexicon) map[uint32]uint64 {
	counts := map[uint32]*[penn.Count]int{}
	entries := map[uint32]tokens.Flags{}
	for _, s := range train {
		for i := range s.spans {
			h := s.spans[i].Hash
			if counts[h] == nil {
				counts[h] = new([penn.Count]int)
			}
			counts[h][s.tags[i]]++
			entries[h] = s.spans[i].Flags
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
				closed |= 1 << t &^ tokens.OpenTags
			}
		}
		if n < 6 { // three times, each with and without capitals
			continue
		}
		if n > 1000 { // rare tags of very frequent words, below 0.3 %, are annotation errors
			for t, k := range c {
				if k*300 < n {
					set &^= 1 << t
				}
			}
		} else if closed == 0 {
			set |= allowedTags(entries[h])
		}
		seen[h] = set
	}
	return seen
}

// allowedTags returns the set of tags that the lexicon allows for flags f.
func allowedTags(f tokens.Flags) uint64 {
	var set uint64
	for _, r := range [...]struct {
		f tokens.Flags
		t uint64
	}{
		{tokens.NounSingular, 1<<penn.NN | 1<<penn.NNP}, {tokens.NounPlural, 1<<penn.NNS | 1<<penn.NNPS}, {tokens.VerbBase, 1<<penn.VB | 1<<penn.VBP}, {tokens.VerbS, 1 << penn.VBZ}, {tokens.VerbIng, 1 << penn.VBG},
		{tokens.VerbPast, 1 << penn.VBD}, {tokens.VerbParticiple, 1 << penn.VBN}, {tokens.Adjective, 1 << penn.JJ}, {tokens.Adverb, 1 << penn.RB},
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
