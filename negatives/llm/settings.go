// Package llm asks a language model for negatives: for words that replace a part of a caption
// (Proposer), and for whole captions (Author).
package llm

import (
	"fmt"

	"capgraph/llmparse/client"
)

// Settings are the options on which a model's negatives depend. A pass writes them to its plan.
type Settings struct {
	Model     string         `yaml:"model"`
	Prompt    string         `yaml:"prompt"`
	Sampling  map[string]any `yaml:"sampling"`
	MaxTokens int            `yaml:"max_tokens"`
	// Whole is the version of the prompt for whole negatives, or "" if none are asked for.
	Whole string `yaml:"whole,omitempty"`
}

// SettingsOf returns the settings of o. whole says whether whole negatives are asked for.
func SettingsOf(o *client.Options, whole bool) Settings {
	s := Settings{Model: o.Model, Prompt: FillVersion, Sampling: o.SentSampling(), MaxTokens: o.MaxTokens}
	if whole {
		s.Whole = WholeVersion
	}
	return s
}

// Cached returns options that make the same negatives again from a cache, without a model. It returns an error if this
// program has another version of a prompt.
func (s *Settings) Cached(cache string) (client.Options, error) {
	if s.Prompt != FillVersion {
		return client.Options{}, fmt.Errorf("replacements were asked for with the prompt %s, this version of capgraph has %s", s.Prompt, FillVersion)
	}
	if s.Whole != "" && s.Whole != WholeVersion {
		return client.Options{}, fmt.Errorf("whole negatives were asked for with the prompt %s, this version of capgraph has %s", s.Whole, WholeVersion)
	}
	o := client.Defaults()
	o.Model, o.Sampling, o.MaxTokens, o.Cache = s.Model, s.Sampling, s.MaxTokens, cache
	return o, nil
}
