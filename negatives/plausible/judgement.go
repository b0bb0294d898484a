package plausible

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/negatives/methods"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// judge.tsv has the weights of the judge and a cut for each method. prior.tsv.gz has counts of
// captions, which are added to those of the corpus. tools/bench/judge makes both.
var (
	//go:embed judge.tsv
	JudgeFile string
	//go:embed prior.tsv.gz
	priorFile []byte
)

// Judgement has the weights of a logistic regression for each group, the bias last, and the cuts of
// the methods, in log-odds.
type Judgement struct {
	Weights [GroupCount][]float64
	Cuts    [len(methods.Names)]float64
}

// JudgedMethods returns the methods that are judged. Those that share weights are together.
func JudgedMethods() [][]methods.Method {
	together := make([][]methods.Method, GroupCount)
	for i := range methods.Names {
		if m := methods.Method(i); GroupOf(m) < GroupCount {
			together[GroupOf(m)] = append(together[GroupOf(m)], m)
		}
	}
	return together
}

// EvidenceNames returns the names of Judged.Evidence for a method; nil for one that is not judged.
func EvidenceNames(m methods.Method) []string {
	if g := GroupOf(m); g < GroupCount {
		return slices.Clone(evidenceNames[g])
	}
	return nil
}

// Own returns the embedded judgement (judge.tsv).
func Own() (*Judgement, error) { return ReadJudgement(JudgeFile) }

// ReadJudgement reads lines with a method, the name of a feature ("bias" and "cut" among them) and
// a number, with tabs between. A group's weights are listed under its first method.
func ReadJudgement(file string) (*Judgement, error) {
	j := &Judgement{}
	for g := range j.Weights {
		j.Weights[g] = make([]float64, len(evidenceNames[g])+1)
	}
	for n, line := range strings.Split(strings.TrimSpace(file), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			return nil, fmt.Errorf("judge.tsv, line %d: %d fields, want 3", n+1, len(f))
		}
		m := slices.Index(methods.Names[:], f[0])
		x, err := strconv.ParseFloat(f[2], 64)
		if m < 0 || GroupOf(methods.Method(m)) == GroupCount || err != nil {
			return nil, fmt.Errorf("judge.tsv, line %d: want a method that is judged and a number", n+1)
		}
		g := GroupOf(methods.Method(m))
		at := slices.Index(evidenceNames[g], f[1])
		switch {
		case f[1] == "cut":
			j.Cuts[m] = x
		case f[1] == "bias":
			j.Weights[g][len(evidenceNames[g])] = x
		case at < 0:
			return nil, fmt.Errorf("judge.tsv, line %d: no evidence is called %q", n+1, f[1])
		default:
			j.Weights[g][at] = x
		}
	}
	return j, nil
}

// Prior returns the counts of prior.tsv.gz, which are added to those of any corpus. use is called
// with the counts of how nouns are used.
func Prior(lex *lexicon.Lexicon, in *lexicon.Inflector, use func(schemas.Count)) (*Attested, error) {
	z, err := gzip.NewReader(bytes.NewReader(priorFile))
	if err != nil {
		return nil, fmt.Errorf("prior.tsv.gz: %w", err)
	}
	a := newAttested()
	lines := bufio.NewReader(z)
	for n := 1; ; n++ {
		line, err := lines.ReadString('\n')
		if err == io.EOF && line == "" {
			return a, nil
		}
		if err != nil {
			return nil, fmt.Errorf("prior.tsv.gz, line %d: %w", n, err)
		}
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		at := strings.LastIndexByte(rest, '\t')
		count, err := strconv.ParseInt(rest[at+1:], 10, 64)
		if at < 0 || err != nil {
			return nil, fmt.Errorf("prior.tsv.gz, line %d: want a kind, a key and a count", n)
		}
		if c := (schemas.Count{Kind: kind, Key: rest[:at], N: count}); kind == vocabulary.Usage {
			use(c)
		} else {
			a.Add(lex, in, c)
		}
	}
}
