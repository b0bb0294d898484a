// Package config reads pipeline.yaml, the recipe of a run.
//
//	cfg, err := config.Load("pipeline.yaml", []string{"parse.parser=hybrid"})
//
// Each section holds the options of one package. Unknown keys and values of a wrong type or range
// are errors with their place and, for a key, the nearest valid one: no mistake becomes a setting
// that does nothing.
package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"capgraph/clean"
	"capgraph/clean/curate"
	"capgraph/internal/strictyaml"
	"capgraph/llmparse/client"
	"capgraph/negatives"
	"capgraph/negatives/balance"
	"capgraph/negatives/whole"
	"capgraph/pipeline"
	"capgraph/ruleparse"
	"capgraph/sources"
	"capgraph/store/objectstore"
)

// Config is the whole recipe. Each section has the options of one package.
type Config struct {
	Seed      uint64               `yaml:"seed" doc:"the seed of all choices: the same input, settings and seed give the same bytes"`
	Source    Source               `yaml:"source" doc:"where captions come from"`
	Output    pipeline.Output      `yaml:"output" doc:"where shards go"`
	Clean     clean.Options        `yaml:"clean" doc:"what is done to captions, and which are dropped"`
	Filter    curate.Options       `yaml:"filter" doc:"which captions are not worth training on"`
	Dedupe    string               `yaml:"dedupe" doc:"which captions that repeat an earlier one are left out of texts/: off, exact or near"`
	Exclude   curate.Exclude       `yaml:"exclude" doc:"which rows are left out, by lists of their keys"`
	Parse     Parse                `yaml:"parse" doc:"how captions become scene graphs"`
	Texts     Texts                `yaml:"texts" doc:"which positive texts are kept"`
	Negatives Negatives            `yaml:"negatives" doc:"how graphs become positive and hard-negative texts"`
	Store     objectstore.Settings `yaml:"store" doc:"where object stores are, for the names that begin with s3://; gs:// and azblob:// take all from the environment"`
}

// Source has the options of the reader of captions, and what is done with broken files.
type Source struct {
	sources.Options `yaml:",inline"`
	Licence         string  `yaml:"licence" doc:"the licence of the captions, such as cc-by-sa-4.0; empty: that of the dataset card beside the captions"`
	OnBadFile       string  `yaml:"on_bad_file" doc:"fail: the run ends with an error once all other shards are parsed; skip: it goes on without the file"`
	MaxBadFiles     float64 `yaml:"max_bad_files" doc:"on_bad_file: skip leaves out at most this share of the files, or one file if that is more; 0: none"`
	MaxRejected     float64 `yaml:"max_rejected" doc:"greatest share of the rows that may be rejected before the run fails, such as 0.05; 0: any"`
}

// Texts has the options that decide which positives are kept.
type Texts struct {
	MinConfidence float64 `yaml:"min_confidence" doc:"least probability that a reader calls a positive of a sub-graph good, 0 to 1; nine tenths of it for a negative"`
}

// Negatives has the options of the generator of negatives, and of the choice among the candidates
// that it makes.
type Negatives struct {
	negatives.Options `yaml:",inline"`
	Balance           balance.Options `yaml:"balance" doc:"which candidates are dropped: those that a classifier tells from positives by their words, without the image"`
}

// Generator returns the options of the generator: with balancing enabled, it makes at least
// Balance.Candidates candidates, since some of them are dropped later.
func (n *Negatives) Generator() negatives.Options {
	o := n.Options
	if n.Balance.Enabled {
		o.Candidates = max(o.Candidates, n.Balance.Candidates)
	}
	return o
}

// Planned returns the settings that the texts depend on. Without replacements from a model, the
// options of whole negatives have no effect and are cleared.
func (n Negatives) Planned() *Negatives {
	if n.Replacements != negatives.FromLLM || !n.Whole.Enabled() {
		n.Whole = whole.Options{}
	}
	return &n
}

// Balanced returns the settings that the balancing classifier depends on: those that make
// candidates, without those that choose among them.
func (n Negatives) Balanced() *Negatives {
	p := n.Planned()
	p.MaxNegatives, p.Mix = 0, nil
	return p
}

// AsksWhole reports whether a model is asked to write whole negatives of a text.
func (n *Negatives) AsksWhole(seed uint64, text string) bool {
	return n.Replacements == negatives.FromLLM && n.Whole.Selects(seed, text)
}

// The values of Source.OnBadFile.
const (
	BadFileFail = "fail"
	BadFileSkip = "skip"
)

// Parse has the name of the parser that turns captions into graphs, and the options of a served
// model.
type Parse struct {
	Parser         string `yaml:"parser" doc:"rules: a linear model; auto: an encoder too, where that is unsure; encoder: always; llm: a served language model; hybrid: the model where the parser is unsure"`
	Device         string `yaml:"device" jsonschema:"pattern=^(cpu|cuda(:[0-9]+)?)$" doc:"what the encoder computes on: cpu; cuda, an NVIDIA GPU; cuda:1, one by its number (docs/gpu.md). Graphs are the same"`
	client.Options `yaml:",inline"`
}

// The values of Parse.Parser.
const (
	ParserRules   = ruleparse.Fast
	ParserAuto    = ruleparse.Auto
	ParserEncoder = ruleparse.Encoder
	ParserLLM     = "llm"
	ParserHybrid  = "hybrid"
)

// AsksModel reports whether a served model makes graphs.
func (p *Parse) AsksModel() bool { return p.Parser == ParserLLM || p.Parser == ParserHybrid }

// Reader returns the name of the reader for [ruleparse.NewReader]. Beside a served model it is the default
// one.
func (p *Parse) Reader() string {
	if p.AsksModel() {
		return ruleparse.DefaultReader
	}
	return p.Parser
}

// Defaults returns the settings of an empty recipe.
func Defaults() Config {
	c := Config{
		Seed:      7,
		Source:    Source{OnBadFile: BadFileFail, MaxBadFiles: 0.01},
		Output:    pipeline.Output{Shards: pipeline.ShardsAuto, ShardRows: 122880},
		Clean:     clean.Defaults(),
		Filter:    curate.Defaults(),
		Dedupe:    curate.DedupeOff,
		Exclude:   curate.NothingExcluded(),
		Parse:     Parse{ruleparse.DefaultReader, ruleparse.CPU, client.Defaults()},
		Texts:     Texts{MinConfidence: 0.7},
		Negatives: Negatives{negatives.Defaults(), balance.Defaults()},
		Store:     objectstore.Defaults(),
	}
	c.copyShared()
	return c
}

// copyShared copies into sections the settings of other sections that they need.
func (c *Config) copyShared() { c.Negatives.MinConfidence = c.Texts.MinConfidence }

// Load returns the defaults, changed by the YAML file at path ("" for none) and then by sets, each of
// the form key.path=value. An unknown key or an invalid value is a *strictyaml.Error that names the
// place and, for a key, the nearest valid one.
func Load(path string, sets []string) (*Config, error) {
	form := strictyaml.Form[Config]{File: "pipeline.yaml", Make: "'capgraph init FILE' writes one for your captions", Example: "source.format=karpathy", Defaults: Defaults, Check: (*Config).validate}
	return form.Load(path, sets)
}

// AsksModel reports whether graphs or replacements come from a served model.
func (c *Config) AsksModel() bool {
	return c.Parse.AsksModel() || c.Negatives.Replacements == negatives.FromLLM
}

// maxLicence bounds the name of a licence, in bytes.
const maxLicence = 200

// validate returns an error for the first invalid value.
func (c *Config) validate() error {
	c.copyShared()
	switch {
	case len(c.Source.Paths) == 0:
		return strictyaml.At("source.paths", fmt.Errorf("no file is named: set it to a path, a glob or a list of them"))
	case !(c.Source.MaxBadFiles >= 0 && c.Source.MaxBadFiles <= 1):
		return strictyaml.At("source.max_bad_files", fmt.Errorf("%g is not in 0 to 1", c.Source.MaxBadFiles))
	case !(c.Source.MaxRejected >= 0 && c.Source.MaxRejected <= 1):
		return strictyaml.At("source.max_rejected", fmt.Errorf("%g is not in 0 to 1", c.Source.MaxRejected))
	case len(c.Source.Licence) > maxLicence || strings.ContainsFunc(c.Source.Licence, unicode.IsControl):
		return strictyaml.At("source.licence", fmt.Errorf("want a name in one line of at most %d bytes, such as cc-by-sa-4.0", maxLicence))
	case c.Source.HasPhrases() && c.Parse.AsksModel():
		return strictyaml.At("parse.parser", fmt.Errorf("%s takes no phrases, which source.columns.phrases or the format gives: set auto, encoder or rules", c.Parse.Parser))
	case c.Output.Dir == "":
		return strictyaml.At("output.dir", fmt.Errorf("no folder is named"))
	case !(c.Texts.MinConfidence >= 0 && c.Texts.MinConfidence <= 1):
		return strictyaml.At("texts.min_confidence", fmt.Errorf("%g is not in 0 to 1", c.Texts.MinConfidence))
	case c.Output.ShardRows < 1:
		return strictyaml.At("output.shard_rows", fmt.Errorf("%d is less than 1", c.Output.ShardRows))
	}
	enums := []struct {
		path, value string
		values      []string
	}{
		{"source.on_bad_file", c.Source.OnBadFile, []string{BadFileFail, BadFileSkip}},
		{"output.shards", c.Output.Shards, []string{pipeline.ShardsAuto, pipeline.ShardsPerSource, pipeline.ShardsBlocks}},
		{"dedupe", c.Dedupe, []string{curate.DedupeOff, curate.DedupeExact, curate.DedupeNear}},
		{"parse.parser", c.Parse.Parser, []string{ParserRules, ParserAuto, ParserEncoder, ParserLLM, ParserHybrid}},
	}
	for _, e := range enums {
		if !slices.Contains(e.values, e.value) {
			return strictyaml.At(e.path, fmt.Errorf("%q is none of %s", e.value, strings.Join(e.values, ", ")))
		}
	}
	if err := ruleparse.CheckDevice(c.Parse.Device); err != nil {
		return strictyaml.At("parse.device", err)
	}
	parse := c.Parse.Options.Check
	if c.AsksModel() {
		parse = c.Parse.Options.Validate
	}
	sections := []struct {
		name string
		err  error
	}{
		{"source", c.Source.Check()},
		{"clean", c.Clean.Validate()},
		{"parse", parse()},
		{"filter", c.Filter.Validate()},
		{"exclude", c.Exclude.Validate()},
		{"negatives", c.Negatives.Options.Validate()},
		{"negatives.balance", c.Negatives.Balance.Validate()},
		{"store", c.Store.Validate()},
	}
	for _, s := range sections {
		if s.err != nil {
			return strictyaml.In(s.name, s.err)
		}
	}
	return nil
}
