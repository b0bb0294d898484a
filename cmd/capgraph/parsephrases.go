package main

import (
	"fmt"
	"strings"

	"capgraph/internal/phrases"
	"capgraph/schemas"
)

// phraseReader reads the phrases that are given with captions; unless it is on, it reads captions alone.
type phraseReader struct {
	on    bool
	lines int                // so far
	given [][]schemas.Phrase // of the captions that will be parsed next
}

// readLine returns the caption of a line, and keeps its phrases: those marked in it, or the list after a tab.
func (r *phraseReader) readLine(line string) (caption string, err error) {
	r.lines++
	if !r.on {
		return line, nil
	}
	caption, cell, hasList := strings.Cut(line, "\t")
	var list []schemas.Phrase
	switch {
	case hasList:
		list, err = phrases.Parse(cell, caption)
	case phrases.AreMarked(line):
		caption, list, err = phrases.Unmark(line)
	}
	if err != nil {
		r.lines--
		return "", fmt.Errorf("parse: line %d: the phrases: %w", r.lines+1, err)
	}
	r.given = append(r.given, list)
	return caption, nil
}

// takePhrases returns the phrases of the captions that are parsed now; nil if none are given.
func (r *phraseReader) takePhrases() [][]schemas.Phrase {
	given := r.given
	r.given = nil
	return given
}
