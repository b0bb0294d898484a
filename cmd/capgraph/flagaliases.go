package main

import (
	"slices"
	"strings"
)

// renamedFlag is a flag of a command that had another name in the version before this one.
type renamedFlag struct {
	command  string // such as "eval clip"
	old, new string
}

// renamedFlags are accepted under their old names for one version, and shown in no help.
var renamedFlags = []renamedFlag{
	{"doctor", "card", "gpu"},
	{"embed", "log", "progress"},
	{"embed", "of", "from"},
	{"embed", "what", "encode"},
	{"eval clip", "log", "progress"},
	{"eval clip", "on", "benchmark"},
	{"eval clip", "page", "html"},
	{"eval graphs", "part", "split"},
	{"eval negatives", "pairs", "max-pairs"},
	{"eval negatives", "part", "split"},
	{"llm import", "questions", "requests"},
	{"neighbours", "log", "progress"},
	{"plan", "claim", "volume-claim"},
	{"rejects", "n", "limit"},
	{"run", "log", "progress"},
	{"sample", "n", "limit"},
	{"synth", "n", "scenes"},
	{"synth", "side", "image-size"},
	{"train", "log", "progress"},
	{"verify", "whole", "cross-shard"},
	{"vocab", "n", "limit"},
}

// replaceOldFlags returns args with old names of flags replaced by the present ones. Arguments
// after "--" are not flags.
func replaceOldFlags(args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == "--" {
			break
		}
		name, isLong := strings.CutPrefix(arg, "--")
		if !isLong {
			continue
		}
		name, value, hasValue := strings.Cut(name, "=")
		for _, r := range renamedFlags {
			if r.old != name || !isCommand(args, r.command) {
				continue
			}
			args[i] = "--" + r.new
			if hasValue {
				args[i] += "=" + value
			}
		}
	}
	return args
}

// isCommand reports whether args call a command, such as "eval clip".
func isCommand(args []string, command string) bool {
	words := strings.Fields(command)
	return len(args) >= len(words) && slices.Equal(args[:len(words)], words)
}
