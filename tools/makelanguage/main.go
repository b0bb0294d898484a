// Command makelanguage writes english.bin, the model by which captions that are not English are
// recognised, from lists of frequent words and from English captions:
//
//	pip download --no-deps wordfreq==3.1.1 && unzip wordfreq-3.1.1-py3-none-any.whl
//	go run ./tools/makelanguage -words wordfreq/data -out clean/language/english.bin RUN...
//
// Each RUN is an output folder of capgraph, made of English captions, of which every other is used:
// cc3m, coco/karpathy_val_minus_val2017 and webalt/train_* of the data. Captions are skipped if a first
// model, made of the word lists alone, finds another language.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"strings"

	"capgraph/clean/language"
	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/store"
)

func main() {
	log.SetFlags(0)
	words := flag.String("words", "", "folder of the word lists of wordfreq")
	out := flag.String("out", "english.bin", "file to write")
	flag.Parse()
	if err := writeModel(*words, *out, flag.Args()); err != nil {
		log.Fatal("makelanguage: ", err)
	}
}

func writeModel(words, out string, runs []string) error {
	lists, err := readLists(words)
	if err != nil {
		return err
	}
	var captions []string
	for _, dir := range runs {
		if captions, err = appendTexts(captions, dir); err != nil {
			return err
		}
	}
	first := trainModel(lists, nil)
	var english []string
	for _, text := range captions {
		if language.Score(first, text) <= language.Threshold {
			english = append(english, text)
		}
	}
	fmt.Printf("%d of %d captions are English\n", len(english), len(captions))
	return os.WriteFile(out, []byte(trainModel(lists, english)), 0o644)
}

// appendTexts appends every other text of a run. The remaining ones are for measuring.
func appendTexts(texts []string, dir string) ([]string, error) {
	f := folder.Folder{Store: store.Local{}, Dir: dir}
	x, err := f.ReadIndex()
	if err != nil {
		return nil, err
	}
	n := 0
	for _, s := range x.Shards {
		for row, err := range inspect.ReadTexts(f, s.Name, 0) {
			if err != nil {
				return nil, err
			}
			if n++; n%2 == 1 {
				texts = append(texts, strings.Clone(row.Text))
			}
		}
	}
	return texts, nil
}
