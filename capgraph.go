// Package capgraph is what the whole program carries with it: its version, its
// recipe and its licences. The command is in cmd/capgraph; docs/ says how the packages fit
// together.
package capgraph

import "embed"

// Version is the version of the program and of the files that it writes.
const Version = "0.1.0-dev"

// Recipe is pipeline.yaml: every key with what it does, over the sample corpus.
//
//go:embed pipeline.yaml
var Recipe string

// Licence is the text of the licence of capgraph.
//
//go:embed LICENSE
var Licence string

// Notice says what is derived from data of others, and under which licence.
//
//go:embed NOTICE
var Notice string

// Licences holds the licences of others: those of the Go modules that the
// program links, one folder a module, as .ci/licences writes them, and those of
// data whose licence has to go with it.
//
//go:embed all:third_party internal/lexicon/wordnet.LICENSE
var Licences embed.FS
