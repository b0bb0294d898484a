// Package capgraph holds what every binary embeds: the version, the sample recipes and the
// licences. The command is in cmd/capgraph; docs/ explains how the packages fit together.
package capgraph

import _ "embed"

// Version is the version of the program and of the files that it writes.
const Version = "0.1.0"

// Recipe is the text of pipeline.yaml: the recipe of the sample corpus, which explains every key.
//
//go:embed pipeline.yaml
var Recipe string

// TrainRecipe is the text of docs/recipes/train.finetune.yaml: the recipe to fine-tune a published
// model.
//
//go:embed docs/recipes/train.finetune.yaml
var TrainRecipe string

// Licence is the text of the licence of capgraph.
//
//go:embed LICENSE
var Licence string

// Notice is the text that lists what is derived from other projects' data, with their licences.
//
//go:embed NOTICE
var Notice string

// WordNetLicence is the licence of WordNet, which must accompany its data.
//
//go:embed internal/lexicon/wordnet.LICENSE
var WordNetLicence string

// CLIPLicence is the licence of CLIP, which must accompany its vocabulary.
//
//go:embed train/tokenizer/bpe_simple_vocab_16e6.LICENSE
var CLIPLicence string
