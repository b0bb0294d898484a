package negatives

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/negatives"
	"capgraph/negatives/methods"
	"capgraph/negatives/slots"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// JudgedPair is a positive, a negative of it, and what a reader said of them.
type JudgedPair struct {
	// Source is the corpus, Replacements where the replacement came from (corpus, uniform).
	Source, Replacements string
	Method               string
	Positive, Negative   string
	// Verdict is Good or what is wrong: implausible, ungrammatical, may_be_true,
	// bad_positive.
	Verdict string
}

// Good is the verdict of a pair with which nothing is wrong.
const Good = "good"

// The parts of judged pairs: to learn from, to set what is learned on, and to measure with.
const (
	PartFit  = "fit"
	PartCut  = "cut"
	PartTest = "test"
)

// Part is the part that a pair belongs to: by the remainder of the pos_id of its positive,
// read without a sign, divided by 5, which is 0, 1 or 2 for fit, 3 for cut and 4 for test.
func (p *JudgedPair) Part() string {
	switch uint64(scenegraph.TextID(p.Positive)) % 5 {
	case 3:
		return PartCut
	case 4:
		return PartTest
	}
	return PartFit
}

// maxJudgedLine bounds a line of a file of judged pairs, in bytes.
const maxJudgedLine = 1 << 20

// ReadJudged reads judged pairs, a JSON object a line with the keys source, replacements,
// method, positive, negative and verdict. name is said in errors.
func ReadJudged(r io.Reader, name string) ([]JudgedPair, error) {
	var pairs []JudgedPair
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxJudgedLine)
	n := 1
	for ; lines.Scan(); n++ {
		var p JudgedPair
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w (want a judged pair as a JSON object)", name, n, err)
		}
		if p.Method == "" || p.Positive == "" || p.Negative == "" || p.Verdict == "" {
			return nil, fmt.Errorf("%s, line %d: want method, positive, negative and verdict", name, n)
		}
		pairs = append(pairs, p)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s, line %d: %w", name, n, err)
	}
	return pairs, nil
}

// isBy holds where a negative of the pair is by a method, or was before that was one of its own.
func (p *JudgedPair) isBy(method string) bool {
	return p.Method == method ||
		method == methods.ReplaceQuantity.String() && p.Method == methods.ReplaceAttribute.String() ||
		method == methods.FillQuantity.String() && p.Method == methods.FillAttribute.String()
}

// Fate is what becomes of a judged pair.
type Fate uint8

const (
	// Unmade is a negative that is no edit of its positive here: the graph is another.
	Unmade Fate = iota
	Dropped
	Kept
)

// Rejudged is a judged pair with its fate.
type Rejudged struct {
	JudgedPair
	Fate   Fate
	Reason negatives.Reason // of one that is dropped
	// Judged is what the judge of plausibility said, of texts that differ by words of templates
	// what it said of the one it thought best of; nil where it was not asked.
	Judged *negatives.Judged
}

// Rejudge makes each negative once more from its positive, which is parsed as a caption of
// its own, and says what becomes of it by the filters of today and what a corpus says: all
// methods are tried, and of replacements the one that the negative has is proposed. It is
// kept where its method makes it, be it after another that makes the same text. The fate of a
// pair does not depend on the others.
func Rejudge(ctx context.Context, pairs []JudgedPair, vocab *negatives.Vocabulary, parse func(text string, out *schemas.Parsed)) ([]Rejudged, error) {
	opts := negatives.Defaults()
	opts.Methods, opts.Candidates = methods.List(), maxProposed
	p := &proposal{inflect: lexicon.NewInflector()}
	g, err := negatives.NewWithProposer(opts, vocab, p, 1, 0)
	if err != nil {
		return nil, err
	}
	all := make([]Rejudged, len(pairs))
	var parsed schemas.Parsed
	for i := range pairs {
		r := &all[i]
		r.JudgedPair = pairs[i]
		p.read(&pairs[i])
		parse(r.Positive, &parsed)
		if err := r.remake(ctx, g, p, &parsed); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// remake says what becomes of a pair.
func (r *Rejudged) remake(ctx context.Context, g *negatives.Generator, p *proposal, parsed *schemas.Parsed) error {
	image := negatives.Image{Key: r.Positive, Captions: []negatives.Caption{{Key: r.Positive, Text: r.Positive, Tokens: parsed.Tokens, Graph: parsed.Graph}}}
	said := func(text string) bool { return sameWords(contentOf(text), p.negative) }
	again := false // its method made what was there already
	drops := negatives.Drops{
		Each: func(d negatives.Dropped) {
			again = again || r.isBy(d.Method) && d.Reason == negatives.ReasonKnownText && said(d.Text)
			if r.Fate == Unmade && r.isBy(d.Method) && (said(d.Text) || p.proposes(d.Text)) && d.Reason != negatives.ReasonNoCandidates {
				r.Fate, r.Reason = Dropped, d.Reason
			}
		},
		Judged: func(j negatives.Judged) {
			if r.isBy(j.Method) && said(j.Text) && (r.Judged == nil || j.Score > r.Judged.Score) {
				r.Judged = &j
			}
		},
	}
	pools := make([]schemas.Pool, 1)
	if err := g.Texts(ctx, &image, pools, &drops); err != nil {
		return err
	}
	for _, n := range pools[0].Negatives {
		if (r.isBy(n.Method) || again) && said(n.Text) {
			r.Fate = Kept
		}
	}
	return nil
}

// maxProposed bounds the replacements that are proposed for a slot.
const maxProposed = 14

// proposal proposes what one negative has in the place of what it lacks.
type proposal struct {
	inflect  *lexicon.Inflector
	negative []string // its content words
	removed  string   // those of the positive that it lacks, between spaces
	words    []string // what may have come for them
}

// read makes p what the negative of a pair proposes.
func (p *proposal) read(pair *JudgedPair) {
	positive := contentOf(pair.Positive)
	p.negative = contentOf(pair.Negative)
	begin, end, to := 0, len(positive), len(p.negative)
	for begin < min(end, to) && positive[begin] == p.negative[begin] {
		begin++
	}
	for end > begin && to > begin && positive[end-1] == p.negative[to-1] {
		end, to = end-1, to-1
	}
	p.removed, p.words = " "+strings.Join(positive[begin:end], " ")+" ", p.words[:0]
	for length := 1; length <= 4; length++ {
		for i := max(0, begin-1); i+length <= min(len(p.negative), to+1) && len(p.words) < maxProposed; i++ {
			if i < max(to, begin+1) && i+length > begin {
				p.words = append(p.words, strings.Join(p.negative[i:i+length], " "))
			}
		}
	}
}

// Propose implements negatives.Proposer.
func (p *proposal) Propose(_ context.Context, all []slots.Slot, out [][]slots.Candidate) error {
	for i := range all {
		out[i] = nil
		if !p.lacks(&all[i]) {
			continue
		}
		for _, w := range p.words {
			out[i] = proposeOnce(out[i], w)
			if all[i].Kind == slots.Object {
				last := strings.LastIndexByte(w, ' ') + 1
				out[i] = proposeOnce(out[i], w[:last]+p.inflect.Singular(w[last:]))
			}
		}
	}
	return nil
}

// lacks holds for a slot whose word, as far as inflection goes, the negative lacks.
func (p *proposal) lacks(s *slots.Slot) bool {
	if s.Kind == slots.Relation {
		return true
	}
	first, _, _ := strings.Cut(s.Text, " ")
	last := s.Text[strings.LastIndexByte(s.Text, ' ')+1:]
	return strings.Contains(p.removed, first) || strings.Contains(p.removed, last[:max(min(len(last), 1), len(last)-2)])
}

func (p *proposal) proposes(word string) bool {
	for _, w := range p.words {
		if w == word || p.inflect.Singular(w) == word {
			return true
		}
	}
	return false
}

// proposeOnce adds a word that is not there, with the weight of every other.
func proposeOnce(list []slots.Candidate, word string) []slots.Candidate {
	for i := range list {
		if list[i].Text == word {
			return list
		}
	}
	return append(list, slots.Candidate{Text: word, Cum: uint64(len(list) + 1)})
}

// unsaid are words by which templates of one sub-graph differ.
const unsaid = " a an the there is are that who be "

// contentOf are the words of a text but for unsaid and punctuation, in lower case.
func contentOf(text string) []string {
	var words []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" .,!?;:\"", r) }) {
		if !strings.Contains(unsaid, " "+w+" ") {
			words = append(words, w)
		}
	}
	return words
}

func sameWords(a, b []string) bool {
	return strings.Join(a, " ") == strings.Join(b, " ")
}
