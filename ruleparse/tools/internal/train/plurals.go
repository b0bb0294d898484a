package train

import (
	"fmt"
	"io"
	"slices"

	"capgraph/internal/portable"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

const (
	pluralBits   = 14
	pluralEpochs = 6
	// number of second subjects for each caption
	pluralVariants = 2
)

// trainPluralVerbs trains the model that tells verbs of coordinated subjects from nouns, on sentences made from
// captions. From "a boy running past a shop" and another caption's "dog" it makes "a boy and his dog run past a shop",
// with a verb; from "a coffee table in a room" and "dog" it makes "a dog and a coffee table in a room", with a noun.
// Nouns at such places in unchanged captions are examples too.
func trainPluralVerbs(r *tokens.Reader, captions []string, log io.Writer) []byte {
	rnd := portable.SplitMix64(11)
	var subjects []tokens.Token
	var verbs, nouns [][]uint32
	read := make([][]tokens.Token, len(captions))
	for k, c := range captions {
		read[k] = readTagged(r, c)
		if verb := findSubjectVerb(read[k]); verb >= 0 {
			subjects = append(subjects, read[k][verb-1])
		}
	}
	for _, ts := range read {
		if verb := findSubjectVerb(ts); verb >= 0 {
			for range pluralVariants {
				other := &subjects[rnd.IntN(len(subjects))]
				if words, at := coordinateSubject(r, ts, verb, other, &rnd); at >= 0 {
					verbs = append(verbs, tokens.AppendPluralContext(words, at, nil))
				}
			}
		}
		for i := range ts {
			if canBePlural(r, ts, i) {
				nouns = append(nouns, tokens.AppendPluralContext(ts, i, nil))
			} else if i > 1 && ts[i].Tag == penn.NN && ts[i-1].Tag == penn.NN && ts[i-2].Tag == penn.DT {
				other := &subjects[rnd.IntN(len(subjects))]
				if words, at := coordinateCompound(r, ts, i, other); at >= 0 {
					nouns = append(nouns, tokens.AppendPluralContext(words, at, nil))
				}
			}
		}
	}
	features := append(verbs, nouns...)
	common := newFeatureCounts()
	for _, f := range features {
		common.countFeatures(f)
	}
	m := newLearner(pluralBits, 1, 0.1)
	var kept []uint32
	for range pluralEpochs {
		for _, k := range permutation(&rnd, len(features)) {
			kept = dropFeatures(&rnd, common.keepFrequent(slices.Clone(features[k]), 2), 0.2, kept)
			gold := 1
			if k < len(verbs) {
				gold = 0
			}
			m.learnChoice([][]uint32{kept, nil}, gold, nil)
		}
		m.addToAverage()
	}
	m.useAverage()
	fmt.Fprintf(log, "plurals: %d verbs, %d nouns\n", len(verbs), len(nouns))
	return appendWeights(nil, m.w, 1)
}

// readTagged returns the tagged tokens of a caption.
func readTagged(r *tokens.Reader, caption string) []tokens.Token {
	var t tokens.Text
	r.Read(&t, caption)
	return t.Tokens
}

// findSubjectVerb returns the index of a verb in -ing right after a singular noun phrase that begins the caption, or
// -1.
func findSubjectVerb(ts []tokens.Token) int {
	for i := range min(len(ts), 6) {
		switch tag := ts[i].Tag; {
		case i == 0 && tag != penn.DT:
			return -1
		case tag == penn.VBG && i > 1 && ts[i-1].Tag == penn.NN && ts[i].Entry >= 0:
			return i
		case i > 0 && tag != penn.NN && tag != penn.JJ:
			return -1
		}
	}
	return -1
}

// coordinateSubject adds a second subject before the verb of ts, and puts the verb into the plural. at is the verb's
// new index, or -1 if the tagger cannot take it for a noun.
func coordinateSubject(r *tokens.Reader, ts []tokens.Token, verb int, second *tokens.Token, rnd *portable.SplitMix64) (words []tokens.Token, at int) {
	base := r.Lexicon.BaseForm(ts[verb].Low, ts[verb].Entry, 1)
	openers := [...]string{"a", "his", "her", "the", "another", "their"}
	words = slices.Concat(ts[:verb], makeTokens("and", openers[rnd.IntN(len(openers))], second.Low, base), ts[verb+1:])
	return words, annotateSentence(r, words, verb, verb+3)
}

// coordinateCompound adds a noun phrase and "and" before the compound that ends at word i of ts. at is the index of the
// compound's last noun, or -1 if it cannot be a verb.
func coordinateCompound(r *tokens.Reader, ts []tokens.Token, i int, first *tokens.Token) (words []tokens.Token, at int) {
	words = slices.Concat(makeTokens("a", first.Low, "and"), ts[i-2:])
	words[1].Tag = penn.NN
	return words, annotateSentence(r, words, 2, 5)
}

// makeTokens returns words as tokens.
func makeTokens(words ...string) (ts []tokens.Token) {
	for _, w := range words {
		ts = append(ts, tokens.Token{Low: w, Kind: tokens.Letters, Tag: penn.DT})
	}
	return ts
}

// annotateSentence sets the lexicon's properties of the words of a made sentence. It returns at, the index of a word
// after the conjunction and, or -1 if that word cannot be both a noun and a verb.
func annotateSentence(r *tokens.Reader, words []tokens.Token, and, at int) int {
	r.Lexicon.Annotate(words)
	words[and].Tag, words[at-1].Tag, words[at].Tag = penn.CC, penn.NN, penn.NN
	if words[at].Flags&tokens.NounSingular == 0 || !canBePlural(r, words, at) {
		return -1
	}
	return at
}

func canBePlural(r *tokens.Reader, ts []tokens.Token, i int) bool {
	set, _ := r.Tagger.AllowedTags(&ts[i], tokens.Uncased)
	return tokens.CanBePluralVerb(ts, i, set)
}
