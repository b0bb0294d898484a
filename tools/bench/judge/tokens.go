package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"capgraph/negatives"
	"capgraph/negatives/quality"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// writeTokens writes judged texts with the tokens of the caption that they say, and as answer the
// log-odds of the model of hashed features: ruleparse/tools/quality learns from these. The linear model
// parses the captions, as it did when the texts were judged. A text also counts as found if today's
// differs only in words of templates.
func writeTokens(judgedFile, out string, runs []string) error {
	judged, err := readTexts(judgedFile)
	if err != nil {
		return err
	}
	parser, err := ruleparse.NewReader(ruleparse.Fast)
	if err != nil {
		return err
	}
	var found []saidText
	for _, arg := range runs {
		source, dir, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q: want SOURCE=RUN", arg)
		}
		g, err := newGenerator(dir)
		if err != nil {
			return err
		}
		for i := range judged {
			t := &judged[i]
			if t.Source != source {
				continue
			}
			if err := findTokens(g, parser, t); err != nil {
				return err
			}
			if len(t.Tokens) == 0 {
				continue
			}
			found = append(found, *t)
		}
	}
	return encodeTexts(out, found)
}

// findTokens sets the tokens and the answer of a judged text, if the caption still yields it.
func findTokens(g *negatives.Generator, parser *ruleparse.Parser, t *saidText) error {
	var parsed schemas.Parsed
	parser.ParseText(t.Caption, &parsed)
	image := negatives.Image{Key: t.Key, Captions: []negatives.Caption{{Key: t.Key, Text: t.Caption, Tokens: parsed.Tokens, Graph: parsed.Graph}}}
	c := &image.Captions[0]
	want := contentWords(t.Text)
	drops := negatives.Drops{Said: func(s negatives.SaidPart) {
		if t.Tokens != nil || !slices.Equal(contentWords(s.Text), want) {
			return
		}
		var features quality.Features
		features.Collect(c, s.Part, s.Text)
		for i, said := range features.Said() {
			if said {
				t.Tokens = append(t.Tokens, i)
			}
		}
		t.Answer = math.Log(s.Quality / (1 - s.Quality))
	}}
	return g.Texts(context.Background(), &image, make([]schemas.Pool, 1), &drops)
}

// contentWords returns the words of a text that are not words of templates.
func contentWords(text string) []string {
	return slices.DeleteFunc(strings.Fields(strings.ToLower(text)), func(w string) bool {
		return strings.Contains(" a an the there is are some that who which ", " "+w+" ")
	})
}
