// Command teach gives a teacher of the parser what it learns from and asks it
// what it is to annotate; teach.py is that teacher, student.py
// trains the network that labels tokens. Output is JSON, a line a caption.
//
//	go run ./ruleparse/teach -data ../shared/data lessons     annotated graphs, and rows of FACTUAL with the annotators' answers
//	go run ./ruleparse/teach -data ../shared/data held-out    the same of the development part and the rows kept apart to measure on
//	go run ./ruleparse/teach -data ../shared/data questions   captions that nobody has annotated
//	go run ./ruleparse/teach ask                              what is to be decided about the labelled captions on standard input
//	go run ./ruleparse/teach inputs                           what the network that labels tokens sees of the captions on standard input
//	go run ./ruleparse/teach words                            the words of the lexicon, a JSON string a line
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"

	"capgraph/ruleparse/internal/examples"
	"capgraph/ruleparse/internal/lessons"
	"capgraph/ruleparse/internal/model"
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
	out := bufio.NewWriter(os.Stdout)
	source := &examples.Source{Data: data, Reader: m.Reader}
	switch what {
	case "lessons":
		err = lessons.Write(source, out, false)
	case "held-out":
		err = lessons.Write(source, out, true)
	case "questions":
		err = lessons.WriteAllQuestions(source, out)
	case "ask":
		err = lessons.WriteDecisions(m.Reader, os.Stdin, out)
	case "inputs":
		err = lessons.WriteInputs(m.Reader, os.Stdin, out)
	case "words":
		err = lessons.WriteWords(m.Reader, out)
	default:
		err = fmt.Errorf("%q: want lessons, held-out, questions, ask, inputs or words", what)
	}
	if err != nil {
		return err
	}
	return out.Flush()
}
