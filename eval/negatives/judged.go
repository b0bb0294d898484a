package negatives

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"capgraph/internal/lexicon"
	"capgraph/negatives"
	"capgraph/negatives/methods"
	"capgraph/negatives/slots"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// JudgedPair is a positive, a negative of it, and a reader's verdict.
type JudgedPair struct {
	// Source is the corpus, Key names the caption in it, Replacements is the source of the replacement (corpus, uniform).
	Source, Key, Replacements string
	Method                    string
	Positive, Negative        string
	// Verdict is Good or a fault: implausible, ungrammatical, may_be_true, bad_positive.
	Verdict string
}

// Good is the verdict of a pair without a fault.
const Good = "good"

// The parts of judged pairs: to learn weights from, to choose thresholds with, and to measure with.
const (
	PartFit  = "fit"
	PartCut  = "cut"
	PartTest = "test"
)

// Part returns the part of a pair. It is decided by the pos_id of its positive, as an unsigned
// number, modulo 5: 0, 1 or 2 is fit, 3 is cut and 4 is test.
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

// ReadJudged reads judged pairs, one JSON object a line with the keys source, replacements (corpus if
// it is left out), method, positive, negative and verdict. name is the file's name in errors.
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
		if p.Replacements == "" {
			p.Replacements = negatives.FromCorpus
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

// isMadeBy reports whether a method made the pair's negative. For a method that was split off from another one, this
// includes negatives of the other.
func (p *JudgedPair) isMadeBy(method string) bool {
	return p.Method == method ||
		method == methods.ReplaceQuantity.String() && p.Method == methods.ReplaceAttribute.String() ||
		method == methods.FillQuantity.String() && p.Method == methods.FillAttribute.String()
}

// Outcome is the outcome of a filter for a judged pair.
type Outcome uint8

const (
	// Unmade is a negative that cannot be made from its positive here: the graph differs.
	Unmade Outcome = iota
	Dropped
	Kept
)

// Rejudged is a judged pair with its outcome.
type Rejudged struct {
	JudgedPair
	Outcome Outcome
	Reason  negatives.Reason // of a dropped one
	// Judged is the verdict of the judge of plausibility; nil if it was not asked. If several generated texts differ
	// from the negative only in templateWords, it is the best verdict on them.
	Judged *negatives.Judged
}

// Rejudge makes each negative once more from its positive and returns what today's filters do with it.
//
// The positive is parsed as a caption of its own, and vocab has the counts of a corpus. All methods are tried, and the
// negative's own replacement is proposed. A pair is kept if its method makes the negative, even if another one made the
// same text before. The outcome of a pair does not depend on the others.
func Rejudge(ctx context.Context, pairs []JudgedPair, vocab *negatives.Vocabulary, parse func(text string, out *schemas.Parsed)) ([]Rejudged, error) {
	opts := negatives.Defaults()
	opts.Methods, opts.Candidates = methods.List(), maxProposed
	p := &replayProposer{inflect: lexicon.NewInflector()}
	g, err := negatives.NewWithProposer(opts, vocab, p, 1, 0)
	if err != nil {
		return nil, err
	}
	all := make([]Rejudged, len(pairs))
	var parsed schemas.Parsed
	for i := range pairs {
		r := &all[i]
		r.JudgedPair = pairs[i]
		p.loadPair(&pairs[i])
		parse(r.Positive, &parsed)
		if err := r.regenerate(ctx, g, p, &parsed); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// regenerate makes the negatives of a pair's positive and sets the outcome of the pair.
func (r *Rejudged) regenerate(ctx context.Context, g *negatives.Generator, p *replayProposer, parsed *schemas.Parsed) error {
	image := negatives.Image{Key: r.Positive, Captions: []negatives.Caption{{Key: r.Positive, Text: r.Positive, Tokens: parsed.Tokens, Graph: parsed.Graph}}}
	said := func(text string) bool { return areEqualWords(normalisedWords(text), p.negative) }
	again := false // whether its method made a text that another method had made before
	drops := negatives.Drops{
		Each: func(d negatives.Dropped) {
			again = again || r.isMadeBy(d.Method) && d.Reason == negatives.ReasonKnownText && said(d.Text)
			if r.Outcome == Unmade && r.isMadeBy(d.Method) && (said(d.Text) || p.isProposed(d.Text)) && d.Reason != negatives.ReasonNoCandidates {
				r.Outcome, r.Reason = Dropped, d.Reason
			}
		},
		Judged: func(j negatives.Judged) {
			if r.isMadeBy(j.Method) && said(j.Text) && (r.Judged == nil || j.Score > r.Judged.Score) {
				r.Judged = &j
			}
		},
	}
	pools := make([]schemas.Pool, 1)
	if err := g.Texts(ctx, &image, pools, &drops); err != nil {
		return err
	}
	for _, n := range pools[0].Negatives {
		if (r.isMadeBy(n.Method) || again) && said(n.Text) {
			r.Outcome = Kept
		}
	}
	return nil
}

// maxProposed bounds the replacements that are proposed for a slot.
const maxProposed = 14

// replayProposer proposes the replacement of one negative: for the words that only its positive has, words of the
// negative.
type replayProposer struct {
	inflect  *lexicon.Inflector
	negative []string // its content words
	removed  string   // the words that only the positive has, between spaces
	words    []string // candidates for what replaced them
}

// loadPair makes p propose the words of a pair's negative.
func (p *replayProposer) loadPair(pair *JudgedPair) {
	positive := normalisedWords(pair.Positive)
	p.negative = normalisedWords(pair.Negative)
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
func (p *replayProposer) Propose(_ context.Context, all []slots.Slot, out [][]slots.Candidate) error {
	for i := range all {
		out[i] = nil
		if !p.lacksSlotWord(&all[i]) {
			continue
		}
		for _, w := range p.words {
			out[i] = appendUnique(out[i], w)
			if all[i].Kind == slots.Object {
				last := strings.LastIndexByte(w, ' ') + 1
				out[i] = appendUnique(out[i], w[:last]+p.inflect.Singular(w[last:]))
			}
		}
	}
	return nil
}

// lacksSlotWord reports whether the negative lacks the slot's word, apart from inflection.
func (p *replayProposer) lacksSlotWord(s *slots.Slot) bool {
	if s.Kind == slots.Relation {
		return true
	}
	first, _, _ := strings.Cut(s.Text, " ")
	last := s.Text[strings.LastIndexByte(s.Text, ' ')+1:]
	return strings.Contains(p.removed, first) || strings.Contains(p.removed, last[:max(min(len(last), 1), len(last)-2)])
}

func (p *replayProposer) isProposed(word string) bool {
	for _, w := range p.words {
		if w == word || p.inflect.Singular(w) == word {
			return true
		}
	}
	return false
}

// appendUnique appends a word that is not in the list, with the weight of every other.
func appendUnique(list []slots.Candidate, word string) []slots.Candidate {
	for i := range list {
		if list[i].Text == word {
			return list
		}
	}
	return append(list, slots.Candidate{Text: word, Cum: uint64(len(list) + 1)})
}

// templateWords are the words in which the texts of two templates for the same sub-graph may differ.
const templateWords = " a an the there is are that who be "

// normalisedWords returns the words of a text in lower case, without templateWords and punctuation.
func normalisedWords(text string) []string {
	var words []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" .,!?;:\"", r) }) {
		if !strings.Contains(templateWords, " "+w+" ") {
			words = append(words, w)
		}
	}
	return words
}

func areEqualWords(a, b []string) bool {
	return strings.Join(a, " ") == strings.Join(b, " ")
}

// JudgedRow counts the outcomes of a group of judged pairs.
type JudgedRow struct {
	// Name is a method, or OnByDefault.
	Name string `json:"name"`
	// The good and the bad pairs that can be made here, and how many of them are kept.
	Good     int `json:"good"`
	GoodKept int `json:"good_kept"`
	Bad      int `json:"bad"`
	BadKept  int `json:"bad_kept"`
	// Unmade are pairs that cannot be made here.
	Unmade int `json:"not_generated"`
}

// OnByDefault is the row of all methods that are on by default.
const OnByDefault = "on by default"

// TabulateJudged counts pairs by method, and the pairs of the methods that are on by default.
func TabulateJudged(all []Rejudged) []JudgedRow {
	on := negatives.Defaults().Methods
	rows := []JudgedRow{{Name: OnByDefault}}
	for _, m := range methods.List() {
		rows = append(rows, JudgedRow{Name: m})
	}
	for i := range all {
		r := &all[i]
		for j := range rows {
			if row := &rows[j]; row.Name == r.Method || row.Name == OnByDefault && slices.Contains(on, r.Method) {
				row.addPair(r)
			}
		}
	}
	return slices.DeleteFunc(rows, func(r JudgedRow) bool { return r.Name != OnByDefault && r.Good+r.Bad+r.Unmade == 0 })
}

func (row *JudgedRow) addPair(r *Rejudged) {
	switch kept := r.Outcome == Kept; {
	case r.Outcome == Unmade:
		row.Unmade++
	case r.Verdict == Good:
		row.Good++
		if kept {
			row.GoodKept++
		}
	default:
		row.Bad++
		if kept {
			row.BadKept++
		}
	}
}

// WriteJudged writes rows as a table: shares in percent with intervals of 95 % (Wilson 1927).
func WriteJudged(w io.Writer, rows []JudgedRow) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "method\tgood\tkept, %\tbad\tdropped, %\tnot made")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%d\t%s\t%d\t%s\t%d\n", r.Name, r.Good, shareWithInterval(r.GoodKept, r.Good), r.Bad, shareWithInterval(r.Bad-r.BadKept, r.Bad), r.Unmade)
	}
	return t.Flush()
}

func shareWithInterval(k, n int) string {
	if n == 0 {
		return "–"
	}
	low, high := wilsonInterval(k, n)
	return fmt.Sprintf("%.0f (%.0f to %.0f)", 100*float64(k)/float64(n), 100*low, 100*high)
}

// wilsonInterval returns the interval of 95 % of a share of k in n, which is not 0.
func wilsonInterval(k, n int) (low, high float64) {
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, middle-half), min(1, middle+half)
}
