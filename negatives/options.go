package negatives

import (
	"fmt"
	"slices"
	"strings"

	"capgraph/negatives/methods"
	"capgraph/negatives/whole"
)

// Where replacements come from.
const (
	FromCorpus  = "corpus"  // what the corpus has with the same objects
	FromNGram   = "ngram"   // what the corpus has between the same words
	FromUniform = "uniform" // any object, attribute or relation of the corpus, with equal weights (MosaiCLIP App. B)
	FromFile    = "file"    // any line of a list, with equal weights
	FromLLM     = "llm"     // what a language model proposes; see NewWithProposer
)

// How sub-graphs are put into words.
const (
	TemplatesNatural = "natural" // articles, agreement, several templates for each shape of sub-graph
	TemplatesPlain   = "plain"   // "{N1} {R} {N2}" (MosaiCLIP §3.3)
)

// Options are the settings under negatives: in pipeline.yaml.
type Options struct {
	Methods       []string           `yaml:"methods" doc:"methods of making negatives (docs/negatives.md); all: each that changes one thing, also those that are off by default"`
	Shares        map[string]float64 `yaml:"shares,omitempty" doc:"share of the captions that each method is for, 0 to 1; 1 of those that are not named"`
	Replacements  string             `yaml:"replacements" doc:"where replacements come from: corpus, ngram, uniform, file or llm (the model under parse)"`
	Lists         string             `yaml:"lists" doc:"folder of objects_vocab.txt, attributes_vocab.txt and relations_vocab.txt, for replacements: file"`
	Templates     string             `yaml:"templates" doc:"how sub-graphs are said: natural or plain"`
	Candidates    int                `yaml:"candidates" doc:"replacements made for each word; at least balance.candidates if negatives are balanced"`
	MaxPositives  int                `yaml:"max_positives" doc:"positives kept a caption, the caption among them"`
	Paraphrases   float64            `yaml:"paraphrases,omitempty" doc:"share of the sub-graphs that are said once more in other words, 0 to 1, with templates: natural"`
	MaxNegatives  int                `yaml:"max_negatives" doc:"negatives kept a caption"`
	Mix           Mix                `yaml:"mix,omitempty" doc:"greatest shares of a caption's negatives, 0 to 1, by kind: object, attribute, relation, action, quantity, order, exchange; 1 of those that are not named"`
	MinCount      int64              `yaml:"min_count" doc:"how often the corpus must say a thing for it to be a replacement"`
	MaxKeys       int                `yaml:"max_keys" doc:"the most frequent keys of a kind that are kept"`
	PublicCounts  int64              `yaml:"public_counts" doc:"the counts of public captions are added to those of a corpus that names fewer things than this; 0: to none"`
	UnjudgedSwaps bool               `yaml:"unjudged_swaps,omitempty" doc:"keep swaps of a caption's words that may be true or make no sense, as NegCLIP's are"`

	// MinConfidence is the least confidence of a positive made from a sub-graph, 0 to 1. It is texts.min_confidence of
	// a recipe; Defaults keeps all.
	MinConfidence float64 `yaml:"-"`

	Whole whole.Options `yaml:"whole,omitempty" doc:"whole negatives that the model writes, with replacements: llm"`
}

// shareOf returns the share of captions that a method edits.
func (o *Options) shareOf(method string) float64 {
	if share, ok := o.Shares[method]; ok {
		return share
	}
	return 1
}

// Defaults returns the settings of the papers where these give any. It enables each method that changes one thing,
// except swaps that hardly ever make sense and half-truths, which their length reveals.
func Defaults() Options {
	var on []string
	for m, name := range methods.Names {
		if m := methods.Method(m); m.ChangesOne() && !m.IsRarelyGood() && !m.IsHalfTruth() {
			on = append(on, name)
		}
	}
	return Options{
		Methods: on, Replacements: FromCorpus, Templates: TemplatesNatural,
		Candidates: 1, MaxPositives: 16, Paraphrases: 0.25, MaxNegatives: 32, Mix: defaultMix(), MinCount: 1, PublicCounts: 15000, MaxKeys: 1 << 17,
		Whole: whole.Options{Share: 1, Types: whole.Types()},
	}
}

// Validate returns an error that names an impossible setting by its key under negatives:.
func (o *Options) Validate() error {
	for _, m := range o.Methods {
		if m != methods.All && !slices.Contains(methods.List(), m) {
			return fmt.Errorf("methods: unknown method %q (want some of %s, or %s)", m, strings.Join(methods.List(), ", "), methods.All)
		}
	}
	for m, share := range o.Shares {
		switch {
		case !slices.Contains(methods.List(), m):
			return fmt.Errorf("shares: unknown method %q (want some of %s)", m, strings.Join(methods.List(), ", "))
		case !(share >= 0 && share <= 1):
			return fmt.Errorf("shares.%s: %g is not in 0 to 1", m, share)
		}
	}
	for kind, share := range o.Mix {
		switch {
		case !slices.Contains(MixKinds(), kind):
			return fmt.Errorf("mix: unknown kind %q (want some of %s)", kind, strings.Join(MixKinds(), ", "))
		case !(share >= 0 && share <= 1):
			return fmt.Errorf("mix.%s: %g is not in 0 to 1", kind, share)
		}
	}
	replacements := []string{FromCorpus, FromNGram, FromUniform, FromFile, FromLLM}
	templates := []string{TemplatesNatural, TemplatesPlain}
	switch {
	case !slices.Contains(replacements, o.Replacements):
		return fmt.Errorf("replacements: unknown source %q (want one of %s)", o.Replacements, strings.Join(replacements, ", "))
	case o.Replacements == FromFile && o.Lists == "":
		return fmt.Errorf("lists: replacements: file needs the folder of the lists")
	case !slices.Contains(templates, o.Templates):
		return fmt.Errorf("templates: unknown templates %q (want one of %s)", o.Templates, strings.Join(templates, ", "))
	case o.Candidates < 1 || o.Candidates > 32:
		return fmt.Errorf("candidates: %d is not in 1 to 32", o.Candidates)
	case o.MaxPositives < 1 || o.MaxPositives > 1024:
		return fmt.Errorf("max_positives: %d is not in 1 to 1024", o.MaxPositives)
	case !(o.Paraphrases >= 0 && o.Paraphrases <= 1):
		return fmt.Errorf("paraphrases: %g is not in 0 to 1", o.Paraphrases)
	case o.MaxNegatives < 0 || o.MaxNegatives > 1024:
		return fmt.Errorf("max_negatives: %d is not in 0 to 1024", o.MaxNegatives)
	case o.MinCount < 1:
		return fmt.Errorf("min_count: %d is below 1", o.MinCount)
	case o.PublicCounts < 0:
		return fmt.Errorf("public_counts: %d is below 0", o.PublicCounts)
	case o.MaxKeys < 1:
		return fmt.Errorf("max_keys: %d is below 1", o.MaxKeys)
	}
	return o.Whole.Validate()
}
