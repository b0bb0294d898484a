// Command language measures how captions that are not English are recognised, and writes the
// Markdown of docs/measurements/parser.md to standard output:
//
//	go run ./tools/bench/language -gold WEB RUN...
//
// WEB and each RUN are output folders of capgraph with clean.language: any. WEB is made from
// webalt/test_1000.parquet. gold.tsv has, for 330 random rows of it, the language according to one
// reader, or "mixed" if there are words of English and of another language, or only names.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"log"
	"path/filepath"
	"strings"
	"time"

	"capgraph/clean/language"
	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/store"
)

//go:embed gold.tsv
var gold string

func main() {
	log.SetFlags(0)
	web := flag.String("gold", "", "folder of the rows that gold.tsv labels")
	flag.Parse()
	if err := measureLanguages(*web, flag.Args()); err != nil {
		log.Fatal("language: ", err)
	}
}

func measureLanguages(web string, runs []string) error {
	fmt.Print("| captions | rows | not English | µs a row |\n|---|---|---|---|\n")
	for _, dir := range append([]string{web}, runs...) {
		n, foreign := 0, 0
		var spent time.Duration
		err := eachText(dir, func(_ int64, text string) {
			begin := time.Now()
			isEnglish := language.IsEnglish(text)
			spent += time.Since(begin)
			n++
			if !isEnglish {
				foreign++
			}
		})
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %d | %d (%.2f %%) | %.1f |\n", filepath.Base(dir), n, foreign, 100*float64(foreign)/float64(n), float64(spent.Microseconds())/float64(n))
	}
	labels := map[int64]string{}
	for line := range strings.Lines(gold) {
		var row int64
		var label string
		if _, err := fmt.Sscanf(line, "%d\t%s", &row, &label); err != nil {
			return fmt.Errorf("gold.tsv: %q: %w", line, err)
		}
		labels[row] = label
	}
	type count struct{ english, foreign int }
	counts := map[string]*count{"en": {}, "mixed": {}, "other": {}}
	err := eachText(web, func(row int64, text string) {
		label, labelled := labels[row]
		if !labelled {
			return
		}
		if label != "en" && label != "mixed" {
			label = "other"
		}
		if language.IsEnglish(text) {
			counts[label].english++
		} else {
			counts[label].foreign++
		}
	})
	if err != nil {
		return err
	}
	fmt.Print("\n| read as | kept | rejected |\n|---|---|---|\n")
	for _, label := range []string{"en", "mixed", "other"} {
		fmt.Printf("| %s | %d | %d |\n", label, counts[label].english, counts[label].foreign)
	}
	return nil
}

func eachText(dir string, yield func(row int64, text string)) error {
	f := folder.Folder{Store: store.Local{}, Dir: dir}
	x, err := f.ReadIndex()
	if err != nil {
		return err
	}
	for _, s := range x.Shards {
		for row, err := range inspect.ReadGraphs(f, s.Name, 0) {
			if err != nil {
				return err
			}
			yield(row.SourceRow, row.Text)
		}
	}
	return nil
}
