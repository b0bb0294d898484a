// Command train makes the model of ruleparse: the same bytes for the same data.
//
//	go run ./ruleparse/tools/train -data ../shared/data -out ruleparse/internal/model/model.bin
//	go run ./ruleparse/tools/train -data ../shared/data -verbs ruleparse/internal/model/verbs.bin
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"

	"capgraph/ruleparse/tools/internal/train"
)

// silver has the teacher's answers, which `python ruleparse/tools/teach/teach.py` writes.
//
//go:embed silver.bin.gz
var silver []byte

func main() {
	o := train.Options{Log: os.Stderr, Silver: silver}
	flag.StringVar(&o.Data, "data", "", "folder with lex, ud, factual, coco and cc3m")
	flag.IntVar(&o.Holdout, "holdout", 0, "rows of FACTUAL's training part to measure on instead of training")
	out := flag.String("out", "", "file to write the model to")
	verbs := flag.String("verbs", "", "file to write only the model of verbs after subjects to")
	flag.Parse()
	if err := trainModel(o, *out, *verbs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func trainModel(o train.Options, out, verbs string) error {
	if o.Data == "" || (out == "") == (verbs == "") {
		return fmt.Errorf("train: -data and one of -out and -verbs are needed")
	}
	make := train.Model
	if verbs != "" {
		make, out = train.SubjectVerbs, verbs
	}
	b, err := make(o)
	if err != nil {
		return err
	}
	return os.WriteFile(out, b, 0o644)
}
