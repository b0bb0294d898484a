package config

import (
	"fmt"

	"capgraph/negatives"
)

// Unused says which settings do nothing beside the others: a setting that they
// go with was forgotten, or is turned off for now.
func (c *Config) Unused() []string {
	var unused []string
	for _, s := range []struct {
		path string
		set  bool
	}{{"parse.model", c.Parse.Model != ""}, {"parse.endpoints", len(c.Parse.Endpoints) > 0}} {
		if s.set && !c.AsksModel() {
			unused = append(unused, fmt.Sprintf("%s does nothing, since no model is asked: set parse.parser to %s or %s, or negatives.replacements to %s; or leave it out",
				s.path, ParserLLM, ParserHybrid, negatives.FromLLM))
			break
		}
	}
	if c.Negatives.Lists != "" && c.Negatives.Replacements != negatives.FromFile {
		unused = append(unused, fmt.Sprintf("negatives.lists does nothing, since negatives.replacements is %s: set that to %s, or leave the lists out",
			c.Negatives.Replacements, negatives.FromFile))
	}
	return unused
}
