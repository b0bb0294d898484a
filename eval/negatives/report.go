package negatives

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"capgraph/internal/ngrams"
	"capgraph/internal/text"
	"capgraph/negatives/textonly"
)

// Report is the outcome of an evaluation. Shares are in percent.
type Report struct {
	Captions int     `json:"captions"`
	Images   int     `json:"images"`
	Groups   []Group `json:"groups"`
}

// Group has the measures of all negatives, or of one method or one changed-class.
// docs/evaluation.md defines them.
type Group struct {
	Name           string  `json:"name"`
	Negatives      int     `json:"negatives"`
	Equal          float64 `json:"equal_to_positives"`
	Repeated       float64 `json:"duplicates"`
	StraySpaces    float64 `json:"stray_spaces"`
	ArticleErrors  float64 `json:"article_errors"`
	PositiveErrors float64 `json:"article_errors_of_positives"`
	DoubledWords   float64 `json:"doubled_words"`
	// Elsewhere is the share of negatives with a replaced word or phrase that differ from their positives
	// in further places.
	Elsewhere      float64 `json:"multiple_changes"`
	LengthBias     float64 `json:"length_bias_words"`
	LengthAccuracy float64 `json:"length_accuracy"`
	// SameWords is the share of negatives that have the words of their positive in another order.
	// BagOfWords is the best accuracy of a model that ignores the order of words, and so guesses these.
	SameWords       float64 `json:"same_words"`
	BagOfWords      float64 `json:"bag_of_words_ceiling"`
	TextOnlyPairs   int     `json:"text_only_pairs"`
	TextOnly        float64 `json:"text_only_accuracy"`
	TextOnlyPerText float64 `json:"text_only_accuracy_per_text"`
	TextOnlyWritten float64 `json:"text_only_accuracy_as_written"`
	// Truth is nil without held-out captions.
	Truth *Truth `json:"false_negatives,omitempty"`
	// Tables is nil without Options.Tables, and Likelihood without Options.Likelihood.
	Tables     *TableTruth `json:"by_tables,omitempty"`
	Likelihood *Likelihood `json:"likelihood,omitempty"`
}

// TableTruth is the share of negatives that may be true, among those whose words the tables of exclusions
// have.
type TableTruth struct {
	Known   int     `json:"negatives"`
	MayHold float64 `json:"may_be_true"`
}

// Likelihood is the share of pairs whose negative is less likely than the positive.
type Likelihood struct {
	Pairs    int     `json:"pairs"`
	Unlikely float64 `json:"less_likely"`
}

// Truth is the false-negative estimate over the negatives that replace content words.
type Truth struct {
	Judged   int     `json:"negatives"`
	Said     float64 `json:"said_by_sibling"`
	Chance   float64 `json:"said_by_other_image"`
	Original float64 `json:"original_said_by_sibling"`
}

func (e *evaluation) newReport() *Report {
	r := &Report{Captions: e.captions, Images: e.images}
	names := make([]string, 0, len(e.groups))
	for name := range e.groups {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if (a == totalName) != (b == totalName) {
			if a == totalName {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		r.Groups = append(r.Groups, e.groups[name].newGroup(name))
	}
	return r
}

func (t *tally) newGroup(name string) Group {
	n := t.negatives
	equalLength := n - t.longer - t.shorter
	g := Group{
		Name: name, Negatives: n,
		Equal: percentOf(t.equal, n), Repeated: percentOf(t.repeated, n), StraySpaces: percentOf(t.stray, n),
		ArticleErrors: percentOf(t.article, n), PositiveErrors: percentOf(t.positiveArticle, n), DoubledWords: percentOf(t.doubled, n),
		Elsewhere:      percentOf(t.changesMore, t.replacements),
		LengthBias:     float64(t.words) / float64(max(n, 1)),
		LengthAccuracy: percentOf(max(t.longer, t.shorter), n) + percentOf(equalLength, n)/2,
		TextOnlyPairs:  t.pairs,
		SameWords:      percentOf(t.sameWords, n),
		BagOfWords:     100 - percentOf(t.sameWords, n)/2,
	}
	if t.pairs > 0 {
		scale := 100 / float64(t.pairs)
		g.TextOnly, g.TextOnlyPerText, g.TextOnlyWritten = t.pairTold*scale, t.textTold*scale, t.writtenTold*scale
	}
	if t.judged > 0 {
		g.Truth = &Truth{Judged: t.judged, Said: percentOf(t.said, t.judged), Chance: percentOf(t.chance, t.judged), Original: percentOf(t.original, t.judged)}
	}
	if t.known > 0 {
		g.Tables = &TableTruth{Known: t.known, MayHold: percentOf(t.mayHold, t.known)}
	}
	if t.compared > 0 {
		g.Likelihood = &Likelihood{Pairs: t.compared, Unlikely: 100 * t.unlikely / float64(t.compared)}
	}
	return g
}

func percentOf(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// WriteTable writes the report as a table for people.
func (r *Report) WriteTable(w io.Writer) error {
	fmt.Fprintf(w, "%d %s of %d %s; shares in %%\n\n", r.Captions, text.Plural(r.Captions, "caption", "captions"), r.Images, text.Plural(r.Images, "image", "images"))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tnegatives\tequal\trepeated\tstray\ta/an\t(of pos)\tdoubled\tplaces\tlength\tby length\ttext-only\tper text\tas written\tjudged\tsaid\t(chance)\t(original)\t")
	for _, g := range r.Groups {
		fmt.Fprintf(t, "%s\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%+.2f\t%.1f\t%.1f\t%.1f\t%.1f\t", g.Name, g.Negatives, g.Equal, g.Repeated,
			g.StraySpaces, g.ArticleErrors, g.PositiveErrors, g.DoubledWords, g.Elsewhere, g.LengthBias, g.LengthAccuracy,
			g.TextOnly, g.TextOnlyPerText, g.TextOnlyWritten)
		if g.Truth == nil {
			fmt.Fprint(t, "0\t–\t–\t–\t\n")
			continue
		}
		fmt.Fprintf(t, "%d\t%.1f\t%.1f\t%.1f\t\n", g.Truth.Judged, g.Truth.Said, g.Truth.Chance, g.Truth.Original)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s", Legend)
	return err
}

// Legend explains the columns of the table.
const Legend = `equal       equal to a positive or another caption of the image; should be 0
repeated    a negative that the image already has; should be 0
stray       with more misplaced spaces than the positive; should be 0
a/an        with "a" before a vowel sound, or the reverse; should be as in positives, (of pos)
doubled     with a word twice in a row that the positive does not have; should be 0
places      of replacements: changed in more than one place; should be 0
length      mean number of words more than in the positive; should be 0
by length   identified as the negative by length alone; 50 is chance
text-only   identified as the negative by a classifier that does not see the image. 50 is chance; above
            it, words give negatives away. Below it is as good: balance has seen these captions
per text    text-only, for each text by itself
as written  text-only, with case and punctuation
judged      number of negatives that other captions of the image can judge (--siblings)
said        of those: may be true, since another caption says it; should be near (chance), which is
            for captions of another image. (original): the same of the words that were replaced
`

// finding has the measures of one negative.
type finding struct {
	equal, repeated, stray, article, positiveArticle, doubled bool
	sameWords                                                 bool // in another order
	longer                                                    int  // words more than the positive
	judged, said, chance, original                            bool
	isReplacement, changesMore                                bool // replaces one thing by another; also changes more than that
	known, mayHold                                            bool // known to the tables; both may be true
}

// measureSurface compares the spelling, spaces, articles and words of a negative with those of its
// positive.
func measureSurface(positive, negative string) finding {
	var buf [2][64]ngrams.Token
	p := ngrams.AppendTokens(buf[0][:0], positive)
	n := ngrams.AppendTokens(buf[1][:0], negative)
	return finding{
		stray:           straySpaces(negative, n) > straySpaces(positive, p),
		doubled:         doubledWords(negative, n) > doubledWords(positive, p),
		article:         articleErrors(negative, n) > 0,
		positiveArticle: articleErrors(positive, p) > 0,
		longer:          countWords(n) - countWords(p),
		sameWords:       slices.Equal(sortedWords(negative, n), sortedWords(positive, p)),
	}
}

// judgeTruth sets said and original: whether a held-out caption of the image has the replacing words, or
// the replaced ones. chance is whether a caption of another image has the replacing words.
func (f *finding) judgeTruth(positive, negative string, siblings, others [][]string) {
	if len(siblings) == 0 || len(others) == 0 {
		return
	}
	p, n := contentWords(positive), contentWords(negative)
	in, out := subtractWords(n, p), subtractWords(p, n)
	if len(in) == 0 || len(out) == 0 {
		return
	}
	f.judged = true
	f.said, f.chance, f.original = isSaidByAny(in, siblings), isSaidByAny(in, others), isSaidByAny(out, siblings)
}

// tally sums findings.
type tally struct {
	negatives, equal, repeated, stray, article, positiveArticle, doubled int
	longer, shorter, words, sameWords                                    int
	judged, said, chance, original                                       int
	pairs                                                                int
	replacements, changesMore                                            int
	known, mayHold, compared                                             int
	unlikely                                                             float64
	pairTold, textTold, writtenTold                                      float64
}

func (t *tally) addFinding(f finding) {
	t.negatives++
	for _, c := range []struct {
		count *int
		holds bool
	}{
		{&t.equal, f.equal}, {&t.sameWords, f.sameWords}, {&t.repeated, f.repeated}, {&t.stray, f.stray}, {&t.article, f.article},
		{&t.positiveArticle, f.positiveArticle}, {&t.doubled, f.doubled},
		{&t.longer, f.longer > 0}, {&t.shorter, f.longer < 0},
		{&t.replacements, f.isReplacement}, {&t.changesMore, f.changesMore},
		{&t.judged, f.judged}, {&t.said, f.said}, {&t.chance, f.chance}, {&t.original, f.original},
		{&t.known, f.known}, {&t.mayHold, f.mayHold},
	} {
		if c.holds {
			*c.count++
		}
	}
	t.words += f.longer
}

func (t *tally) addPrediction(words, written textonly.Prediction) {
	t.pairs++
	t.pairTold += words.Pair
	t.textTold += words.Text
	t.writtenTold += written.Pair
}
