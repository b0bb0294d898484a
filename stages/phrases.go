package stages

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/internal/phrases"
	"capgraph/internal/text"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// phraseParser is a parser that can take the objects of a text as given.
type phraseParser interface {
	ParseGiven(ctx context.Context, texts []string, given [][]schemas.Phrase, out []schemas.Parsed) error
}

// parse fills out[i] from texts[i]. given may be nil.
func (s *parseStage) parse(ctx context.Context, texts []string, given [][]schemas.Phrase, out []schemas.Parsed) error {
	if given == nil {
		return s.parser.Parse(ctx, texts, out)
	}
	p, ok := s.parser.(phraseParser)
	if !ok {
		return fmt.Errorf("source.columns.phrases: a served model takes no phrases: set parse.parser to auto, encoder or rules")
	}
	return p.ParseGiven(ctx, texts, given, out)
}

// readPhrases returns the phrases that are given with the captions of a batch, with their places in texts, the
// cleaned captions; nil if no caption can have any. faults has the errors of phrases that cannot be read, by row.
func readPhrases(in arrow.Record, texts []string, report *pipeline.Report) (all [][]schemas.Phrase, faults map[int]error, err error) {
	if !in.Schema().HasField(pipeline.ColGivenPhrases) {
		return nil, nil, nil
	}
	cells, err := schemas.Column[*array.String](in, pipeline.ColGivenPhrases)
	if err != nil {
		return nil, nil, err
	}
	captions, err := schemas.Column[*array.String](in, schemas.ColCaption)
	if err != nil {
		return nil, nil, err
	}
	all, faults = make([][]schemas.Phrase, len(texts)), map[int]error{}
	for i := range all {
		if cells.IsNull(i) {
			continue
		}
		list, err := phrases.Parse(strings.Clone(cells.Value(i)), strings.Clone(captions.Value(i)))
		if err != nil {
			faults[i] = err
			continue
		}
		phrases.Move(list, captions.Value(i), texts[i])
		all[i] = list
		report.AddStat(phrasesGiven, int64(len(list)))
	}
	return all, faults, nil
}

// Names of the figures of given phrases.
const (
	phrasesGiven  = "phrases_given"
	phrasesUnused = "phrases_unused_" // and the reason
)

// unusedReasons are the reasons why phrases do not become objects, in the order in which they are printed.
var unusedReasons = []string{schemas.PhraseNotInText, schemas.PhraseInAnother, schemas.PhraseUnresolved}

func countPhrases(p *schemas.Parsed, report *pipeline.Report) {
	for _, u := range p.Unused {
		report.AddStat(phrasesUnused+strings.ReplaceAll(u.Reason, " ", "_"), 1)
	}
}

// formatPhrases returns the figures of the phrases in a line; empty if there are none.
func formatPhrases(stats map[string]int64) string {
	n := stats[phrasesGiven]
	if n == 0 {
		return ""
	}
	line := "phrases: " + text.Thousands(n) + " given"
	for _, reason := range unusedReasons {
		if k := stats[phrasesUnused+strings.ReplaceAll(reason, " ", "_")]; k > 0 {
			line += fmt.Sprintf(", %s %s", text.Thousands(k), reason)
		}
	}
	return line
}
