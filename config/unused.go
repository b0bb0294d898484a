package config

import (
	"fmt"

	"capgraph/negatives"
	"capgraph/ruleparse"
)

// Unused returns messages about settings that have no effect beside the others. Each names the settings that
// it needs.
func (c *Config) Unused() []string {
	var unused []string
	ofModel := ""
	switch {
	case c.AsksModel():
	case c.Parse.Model != "":
		ofModel = "parse.model"
	case len(c.Parse.Endpoints) > 0:
		ofModel = "parse.endpoints"
	}
	if ofModel != "" {
		unused = append(unused, fmt.Sprintf("%s does nothing, since no model is asked: set parse.parser to %s or %s, or negatives.replacements to %s; or leave it out",
			ofModel, ParserLLM, ParserHybrid, negatives.FromLLM))
	}
	if c.Parse.Device != ruleparse.CPU && c.Parse.Parser != ParserAuto && c.Parse.Parser != ParserEncoder {
		unused = append(unused, fmt.Sprintf("parse.device does nothing, since parse.parser is %s: set that to %s or %s, or leave the device out", c.Parse.Parser, ParserAuto, ParserEncoder))
	}
	if c.Negatives.Lists != "" && c.Negatives.Replacements != negatives.FromFile {
		unused = append(unused, fmt.Sprintf("negatives.lists does nothing, since negatives.replacements is %s: set that to %s, or leave the lists out",
			c.Negatives.Replacements, negatives.FromFile))
	}
	return unused
}
