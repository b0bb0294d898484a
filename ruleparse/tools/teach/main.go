// Command teach writes the training data (lessons) of a teacher of the parser, and the captions that the teacher
// annotates (questions), as JSON lines with a caption each. teach.py trains and runs the teacher.
//
//	go run ./ruleparse/tools/teach -data ../shared/data lessons     lessons of annotated graphs and of rows of FACTUAL
//	go run ./ruleparse/tools/teach -data ../shared/data newest      those lessons whose captions were annotated last
//	go run ./ruleparse/tools/teach -data ../shared/data held-out    the lessons of the development captions and of the held-out rows
//	go run ./ruleparse/tools/teach align                            the lessons of the annotated graphs on standard input
//	go run ./ruleparse/tools/teach -data ../shared/data questions   captions without annotations
//	go run ./ruleparse/tools/teach -data ../shared/data graphs      graphs.jsonl.gz with the captions, for capgraph eval graphs
//	go run ./ruleparse/tools/teach -data ../shared/data pack        graphs.jsonl.gz of the annotated graphs on standard input
//	go run ./ruleparse/tools/teach ask                              the questions about the labelled captions on standard input
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"

	"capgraph/ruleparse/internal/model"
	"capgraph/ruleparse/tools/internal/examples"
	"capgraph/ruleparse/tools/internal/lessons"
)

func main() {
	data := flag.String("data", "", "folder with coco, cc3m, factual, webalt and written")
	flag.Parse()
	if err := runTask(*data, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "teach:", err)
		os.Exit(1)
	}
}

func runTask(data, what string) error {
	m, err := model.Embedded()
	if err != nil {
		return err
	}
	m.Reader.Tagger.Plurals, m.Reader.Tagger.Verbs = nil, nil // unused, as in the trainer, which makes these two models last
	out := bufio.NewWriter(os.Stdout)
	source := &examples.Source{Data: data, Reader: m.Reader}
	switch what {
	case "lessons":
		err = lessons.Write(source, out, false)
	case "newest":
		err = lessons.WriteNewest(source, out)
	case "held-out":
		err = lessons.Write(source, out, true)
	case "align":
		err = lessons.WriteAligned(source, os.Stdin, out)
	case "questions":
		err = lessons.WriteAllQuestions(source, out)
	case "graphs":
		err = source.WriteGraphs(out)
	case "pack":
		err = source.PackGraphs(os.Stdin, out)
	case "ask":
		err = lessons.WriteDecisions(m.Reader, os.Stdin, out)
	default:
		err = fmt.Errorf("%q: want lessons, newest, held-out, align, questions, graphs, pack or ask", what)
	}
	if err != nil {
		return err
	}
	return out.Flush()
}
