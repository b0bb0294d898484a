package negatives

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
	"capgraph/schemas"
)

// judge.tsv has the weights of the judge and a cut for each method, prior.tsv.gz counts of
// captions, which stand beside those of the corpus: both are made by bench/judge.
var (
	//go:embed judge.tsv
	judgeFile string
	//go:embed prior.tsv.gz
	priorFile []byte
)

// judgement are the weights of a logistic regression for each group, the last of which is
// the bias, and the cuts, in log-odds.
type judgement struct {
	weights [groupCount][]float64
	cuts    [len(methodNames)]float64
}

// JudgedMethods are the methods that are judged, those with the same weights together.
func JudgedMethods() [][]Method {
	together := make([][]Method, groupCount)
	for i := range methodNames {
		if m := Method(i); groupOf(m) < groupCount {
			together[groupOf(m)] = append(together[groupOf(m)], m)
		}
	}
	return together
}

// EvidenceNames says what the evidence of Judged is for a method; nil for one that is not
// judged.
func EvidenceNames(m Method) []string {
	if g := groupOf(m); g < groupCount {
		return slices.Clone(evidenceNames[g])
	}
	return nil
}

// ownJudgement is that of judge.tsv.
func ownJudgement() (*judgement, error) { return readJudgement(judgeFile) }

// readJudgement reads lines of a method, a tab, a name of its evidence ("bias", "cut") and a
// number; a group's weights are those of its first method.
func readJudgement(file string) (*judgement, error) {
	j := &judgement{}
	for g := range j.weights {
		j.weights[g] = make([]float64, len(evidenceNames[g])+1)
	}
	for n, line := range strings.Split(strings.TrimSpace(file), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			return nil, fmt.Errorf("judge.tsv, line %d: %d fields, want 3", n+1, len(f))
		}
		m := slices.Index(methodNames[:], f[0])
		x, err := strconv.ParseFloat(f[2], 64)
		if m < 0 || groupOf(Method(m)) == groupCount || err != nil {
			return nil, fmt.Errorf("judge.tsv, line %d: want a method that is judged and a number", n+1)
		}
		g := groupOf(Method(m))
		at := slices.Index(evidenceNames[g], f[1])
		switch {
		case f[1] == "cut":
			j.cuts[m] = x
		case f[1] == "bias":
			j.weights[g][len(evidenceNames[g])] = x
		case at < 0:
			return nil, fmt.Errorf("judge.tsv, line %d: no evidence is called %q", n+1, f[1])
		default:
			j.weights[g][at] = x
		}
	}
	return j, nil
}

// prior are the counts that stand beside those of every corpus.
func prior(lex *lexicon.Lexicon, in *lexicon.Inflector) (*attested, error) {
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
		a.add(lex, in, schemas.Count{Kind: kind, Key: rest[:at], N: count})
	}
}

// judge says whether what a plan claims is plausible enough: with another source than the corpus it is
// not asked.
func (g *Generator) judge(pl *plan) bool {
	if !g.filtered.plausible || g.claimant != pl || g.claim.settled {
		return true
	}
	return g.plausible(pl.method, pl.method.String(), pl.caption, pl.of())
}

// plausible says whether the log-odds that a reader calls the claim and g.text good are no less than the
// cut of a method, or it is not judged. method is the one that made it, of a positive of a caption.
func (g *Generator) plausible(as Method, method string, caption int, positive int16) bool {
	group := groupOf(as)
	if group == groupCount {
		return true
	}
	j := g.vocab.judgement
	g.evidence = g.vocab.attested.evidence(g.evidence[:0], as, &g.claim)
	w := j.weights[group]
	score := w[len(w)-1]
	for i, x := range g.evidence {
		score += float64(w[i] * x)
	}
	if g.drops.Judged != nil {
		g.drops.Judged(Judged{
			Caption: caption, Positive: g.out.Positives[positive].Text, Text: string(g.text), Method: method, As: as, Score: score, Cut: j.cuts[as],
			Evidence: slices.Clone(g.evidence),
		})
	}
	return score >= j.cuts[as]
}
