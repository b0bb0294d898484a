package train

import (
	"fmt"
	"slices"

	"capgraph/internal/lexicon"
	"capgraph/internal/portable"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/model"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/ruleparse/tools/internal/examples"
)

const (
	verbBits   = 15
	verbEpochs = 6
	// number of sentences made from each caption
	verbVariants = 4
)

// SubjectVerbs trains the model that tells verbs from nouns where a subject may end, on sentences made from captions.
// From "a boy running past a shop" and another caption's "with a kite" it makes sentences with a verb: "a boy in red
// runs past a shop", "a boy with a kite runs past a shop", `a boy that reads "kite" runs past a shop`. With another
// caption's "shorts" it makes one with a noun: "a boy in red shorts running past a shop". Words at such places in
// annotated captions are examples too.
//
// The captions are those of COCO and CC3M, of FACTUAL, and those that the teacher annotated.
func SubjectVerbs(o Options) ([]byte, error) {
	embedded, err := model.Embedded()
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	r := embedded.Reader
	r.Tagger.Plurals, r.Tagger.Verbs = nil, nil // unused: the questions to the teacher were tagged without them
	s := &examples.Source{Data: o.Data, Reader: r}
	captions, gold, err := s.ReadFactual()
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	written, _, err := s.ReadAnnotated(examples.FirstGraphs)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	silver, err := readSilverExamples(s, o)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	plain, err := s.ReadPlainCaptions()
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	m := verbMaker{reader: r, inflect: lexicon.NewInflector(), rnd: portable.SplitMix64(12)}
	m.readAnnotated(append(s.AlignAll(captions, gold), written...))
	m.readSilver(silver)
	for _, c := range plain {
		m.collect(readTagged(r, c))
	}
	for _, ts := range m.captions {
		for range verbVariants {
			m.makeVerb(ts)
			m.makeNoun(ts)
		}
	}
	fmt.Fprintf(o.Log, "verbs: %d verbs, %d nouns\n", len(m.verbs), len(m.nouns))
	return m.train(), nil
}

// verbMaker makes training examples of verbs and of nouns.
type verbMaker struct {
	reader       *tokens.Reader
	inflect      *lexicon.Inflector
	rnd          portable.SplitMix64
	captions     [][]tokens.Token // captions that begin with a subject and a verb in "-ing"
	phrases      [][]tokens.Token // modifiers of nouns: "with a hat", "on a stormy sea"
	words        []string         // nouns of captions, quoted as the text of a sign: `that reads "kite"`
	worn         []string         // plural nouns that follow a colour, such as "shorts"
	verbs, nouns [][]uint32       // features
}

// readAnnotated adds words that annotators have as verbs or as nouns.
func (m *verbMaker) readAnnotated(xs []*examples.Example) {
	for _, x := range xs {
		ts, labels := x.Tokens, x.Labels()
		isPredicate := make([]bool, len(ts))
		for _, e := range x.Edges {
			for _, w := range e.Candidate.Words[:e.Candidate.N] {
				isPredicate[w] = true
			}
		}
		for i := range ts {
			if labels[i] != analysis.Outside && i > 0 && ts[i].Tag == penn.NNS && ts[i-1].Tag == penn.JJ && ts[i].Flags&tokens.VerbS != 0 && ts[i].Class == tokens.ClassArtifact {
				m.worn = append(m.worn, ts[i].Low)
			}
			if !m.canBeVerb(ts, i) {
				continue
			}
			switch f := tokens.AppendSubjectContext(ts, i, nil); {
			case labels[i] != analysis.Outside:
				m.nouns = append(m.nouns, f)
			case isPredicate[i]:
				m.verbs = append(m.verbs, f)
			}
		}
	}
}

// readSilver adds words whose label the teacher is sure of.
func (m *verbMaker) readSilver(xs []*examples.Example) {
	for _, x := range xs {
		for i := range x.Tokens {
			if !m.canBeVerb(x.Tokens, i) {
				continue
			}
			switch p := x.SoftLabels[i][analysis.Outside]; {
			case p < 1-sureOfLabel:
				m.nouns = append(m.nouns, tokens.AppendSubjectContext(x.Tokens, i, nil))
			case p > sureOfLabel:
				m.verbs = append(m.verbs, tokens.AppendSubjectContext(x.Tokens, i, nil))
			}
		}
	}
}

// sureOfLabel is the least probability of a teacher's label that readSilver uses.
const sureOfLabel = 0.9

// collect takes from a caption what made sentences consist of: the caption itself, words and phrases.
func (m *verbMaker) collect(ts []tokens.Token) {
	if findSubjectVerb(ts) >= 0 {
		m.captions = append(m.captions, ts)
	}
	for i := range ts {
		if penn.IsNoun(ts[i].Tag) && ts[i].Entry >= 0 {
			m.words = append(m.words, ts[i].Low)
		}
		if i == 0 || ts[i].Tag != penn.IN || !penn.IsNoun(ts[i-1].Tag) || !ts[i].IsOneOf(" at beside from in near of on under with ") {
			continue
		}
		to := i + 1
		for to < len(ts) && to < i+4 && (ts[to].Tag == penn.DT || ts[to].Tag == penn.JJ || ts[to].Tag == penn.PRPS) {
			to++
		}
		if to < len(ts) && to > i+1 && ts[to].Tag == penn.NN && (to+1 == len(ts) || !penn.IsNoun(ts[to+1].Tag)) {
			m.phrases = append(m.phrases, ts[i:to+1])
		}
	}
}

// canBeVerb reports whether the tagger would ask the model about word i.
func (m *verbMaker) canBeVerb(ts []tokens.Token, i int) bool {
	set, _ := m.reader.Tagger.AllowedTags(&ts[i], tokens.Uncased)
	_, ok := tokens.VerbTag(ts, i, set)
	return ok
}

// makeVerb adds a verb: that of a sentence made from caption ts, whose subject gets a modifier and whose verb is put
// into the present.
func (m *verbMaker) makeVerb(ts []tokens.Token) {
	verb := findSubjectVerb(ts)
	base := m.reader.Lexicon.BaseForm(ts[verb].Low, ts[verb].Entry, 1)
	subject, form, tag := slices.Clone(ts[:verb]), m.inflect.ThirdPerson(base), penn.NNS
	if m.rnd.IntN(4) == 0 { // plural, such as "two boys in red run"
		subject[0], form, tag = makeTokens("two")[0], base, penn.NN
		subject[0].Tag = penn.CD
		last := &subject[verb-1]
		last.Low, last.Tag = m.inflect.Plural(last.Low), penn.NNS
	}
	m.addExample(slices.Concat(subject, m.makeModifier(), taggedToken(tag, form), ts[verb+1:]), len(subject), tag, &m.verbs)
}

// makeNoun adds a noun: a garment after a colour, in a sentence made from caption ts.
func (m *verbMaker) makeNoun(ts []tokens.Token) {
	verb := findSubjectVerb(ts)
	if len(m.worn) == 0 {
		return
	}
	rest := ts[verb:]
	if m.rnd.IntN(2) == 0 {
		base := m.reader.Lexicon.BaseForm(ts[verb].Low, ts[verb].Entry, 1)
		rest = slices.Concat(taggedToken(penn.VBZ, m.inflect.ThirdPerson(base)), ts[verb+1:])
	}
	m.addExample(slices.Concat(ts[:verb], m.makeColour(), taggedToken(penn.NNS, m.worn[m.rnd.IntN(len(m.worn))]), rest), verb, penn.NNS, &m.nouns)
}

// addExample adds to examples the first word from index place on that has the tag, if it may be a verb.
func (m *verbMaker) addExample(words []tokens.Token, place int, tag penn.Tag, to *[][]uint32) {
	tags := make([]penn.Tag, len(words))
	for i := range words {
		tags[i] = words[i].Tag
	}
	m.reader.Lexicon.Annotate(words)
	for i := range words {
		words[i].Tag, words[i].IsBe = tags[i], words[i].Low == "is"
	}
	for i := place; i < len(words); i++ {
		if words[i].Tag == tag && m.canBeVerb(words, i) {
			*to = append(*to, tokens.AppendSubjectContext(words, i, nil))
			return
		}
	}
}

// makeModifier returns words that may stand between a subject and its verb, perhaps none.
func (m *verbMaker) makeModifier() []tokens.Token {
	switch m.rnd.IntN(8) {
	case 0, 1, 2:
		return m.makeColour()
	case 3:
		mark := taggedToken(penn.Open, `"`)
		openers := [...][]tokens.Token{
			slices.Concat(taggedToken(penn.WDT, "that"), taggedToken(penn.VBZ, "reads")), slices.Concat(taggedToken(penn.WDT, "that"), taggedToken(penn.VBZ, "says")),
			slices.Concat(taggedToken(penn.IN, "with"), taggedToken(penn.DT, "the"), taggedToken(penn.NNS, "words")), taggedToken(penn.VBN, "labelled"),
		}
		return slices.Concat(openers[m.rnd.IntN(len(openers))], mark, taggedToken(penn.NN, m.words[m.rnd.IntN(len(m.words))]), mark)
	case 4:
		sides := [...]string{"left", "right", "center"}
		return slices.Concat(taggedToken(penn.LRB, "("), taggedToken(penn.NN, sides[m.rnd.IntN(len(sides))]), taggedToken(penn.RRB, ")"))
	case 5:
		return slices.Concat(m.anyPhrase(), m.anyPhrase())
	case 6:
		return nil
	}
	return m.anyPhrase()
}

func (m *verbMaker) anyPhrase() []tokens.Token { return m.phrases[m.rnd.IntN(len(m.phrases))] }

// makeColour returns a phrase such as "in red" or "painted red and white".
func (m *verbMaker) makeColour() []tokens.Token {
	names := [...]string{"blue", "red", "white", "black", "green", "yellow", "orange", "pink", "purple", "brown", "gray", "grey", "navy", "gold"}
	colour := func() []tokens.Token { return taggedToken(penn.JJ, names[m.rnd.IntN(len(names))]) }
	openers := [...][]tokens.Token{
		taggedToken(penn.IN, "in"), taggedToken(penn.IN, "in"), taggedToken(penn.IN, "in"), taggedToken(penn.VBG, "wearing"), taggedToken(penn.VBN, "painted"),
		slices.Concat(taggedToken(penn.VBN, "dressed"), taggedToken(penn.IN, "in")), slices.Concat(taggedToken(penn.VBN, "painted"), taggedToken(penn.IN, "in")),
	}
	out := slices.Concat(openers[m.rnd.IntN(len(openers))], colour())
	if m.rnd.IntN(4) == 0 {
		out = slices.Concat(out, taggedToken(penn.CC, "and"), colour())
	}
	return out
}

// taggedToken returns a word as a token with a tag.
func taggedToken(tag penn.Tag, word string) []tokens.Token {
	ts := makeTokens(word)
	if ts[0].Tag = tag; tag == penn.Open || tag == penn.LRB || tag == penn.RRB {
		ts[0].Kind = tokens.Mark
	}
	return ts
}

// train returns the weights of a model trained on the examples.
func (m *verbMaker) train() []byte {
	features := append(m.verbs, m.nouns...)
	common := newFeatureCounts()
	for _, f := range features {
		common.countFeatures(f)
	}
	l := newLearner(verbBits, 1, 0.1)
	var kept []uint32
	for range verbEpochs {
		for _, k := range permutation(&m.rnd, len(features)) {
			kept = dropFeatures(&m.rnd, common.keepFrequent(slices.Clone(features[k]), 2), 0.25, kept)
			gold := 1
			if k < len(m.verbs) {
				gold = 0
			}
			l.learnChoice([][]uint32{kept, nil}, gold, nil)
		}
		l.addToAverage()
	}
	l.useAverage()
	return appendWeights(nil, l.w, 1)
}
