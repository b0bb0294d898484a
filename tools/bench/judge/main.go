// Command judge makes the data files of the judge of plausibility (docs/negatives.md#the-judge):
//
//	go run ./tools/bench/judge prior -out negatives/plausible/prior.tsv.gz RUN...
//	go run ./tools/bench/judge siblings -out negatives/siblings/siblings.tsv RUN...
//	python tools/bench/judge/vectors.py ruleparse/internal/model/encoder.bin negatives/plausible/prior.tsv.gz negatives/plausible/vectors.bin
//	go run ./tools/bench/judge fit -pairs a.jsonl,b.jsonl -out negatives/plausible/judge.tsv coco=RUN cc3m=RUN web=RUN
//	go run ./tools/bench/judge verdicts -pairs a.jsonl,b.jsonl -out tools/bench/judge/verdicts.tsv.gz
//	go run ./tools/bench/judge COMMAND …   parts, judged, texts, positives, tokens, measure: ruleparse/tools/README.md
//
// prior adds up the counts of runs. siblings counts which relations captions of one image state of the same things.
// fit learns the weights and the cut from judged pairs, and prints results by cross-validation over captions; for each
// source, name a run over its corpus. A pair that two readers judged is in two files. verdicts writes the verdicts of
// readers without the texts.
package main

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"os"
	"strings"

	evalnegatives "capgraph/eval/negatives"
	"capgraph/folder"
	"capgraph/negatives"
	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/store"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("want prior, siblings or fit")
	}
	flags := flag.NewFlagSet(args[0], flag.ExitOnError)
	out := flags.String("out", "", "the file to write")
	pairs := flags.String("pairs", "", "files of judged pairs, a JSON object a line, with commas between")
	gold := flags.String("gold", "", "annotated graphs, a JSON object a line")
	answers := flags.String("answers", "", "texts with a teacher's answers, a JSON object a line")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	switch args[0] {
	case "prior":
		return writePrior(*out, flags.Args())
	case "siblings":
		return writeSiblings(*out, flags.Args())
	case "parts":
		return writeParts(*gold, *pairs, *out, flags.Args())
	case "judged":
		return writeJudged(*pairs, *out)
	case "texts":
		return writeTexts(*out, flags.Args())
	case "tokens":
		return writeTokens(*pairs, *out, flags.Args())
	case "measure":
		return measureQuality(*pairs, flags.Args(), os.Stdout)
	case "positives":
		return fitQuality(*pairs, *answers, *out, flags.Args(), os.Stdout)
	case "verdicts":
		return writeVerdicts(*pairs, *out)
	case "fit":
		return fitJudge(*pairs, *out, flags.Args(), os.Stdout)
	}
	return fmt.Errorf("%q is not prior, siblings or fit", args[0])
}

// countsOf returns the counts that a run made of its corpus.
func countsOf(dir string) (iter.Seq2[schemas.Count, error], error) {
	return folder.Folder{Store: store.Local{}, Dir: dir}.ReadCounts(folder.Vocabulary)
}

func readPairs(file string) ([]evalnegatives.JudgedPair, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return evalnegatives.ReadJudged(f, file)
}

// rejudgePairs returns the outcome of the pairs of each source, with the counts of the run that args name for the
// source.
func rejudgePairs(files string, args []string) ([]evalnegatives.Rejudged, error) {
	var pairs []evalnegatives.JudgedPair
	for file := range strings.SplitSeq(files, ",") {
		some, err := readPairs(file)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, some...)
	}
	parser, err := ruleparse.New()
	if err != nil {
		return nil, err
	}
	var all []evalnegatives.Rejudged
	for _, arg := range args {
		source, dir, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, fmt.Errorf("%q: want SOURCE=RUN", arg)
		}
		rows, err := countsOf(dir)
		if err != nil {
			return nil, err
		}
		vocab, err := negatives.ReadVocabulary(rows, negatives.Defaults())
		if err != nil {
			return nil, err
		}
		var of []evalnegatives.JudgedPair
		for _, p := range pairs {
			if p.Source == source {
				of = append(of, p)
			}
		}
		some, err := evalnegatives.Rejudge(context.Background(), of, vocab, parser.ParseText)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}
