// Package capgraph has the parts that the whole program carries with it: its version, its recipe
// and its licence. The command is in cmd/capgraph; docs/ explains how the packages fit together.
package capgraph

import _ "embed"

// Version is the version of the program and of the files that it writes.
const Version = "0.1.0"

// Recipe is pipeline.yaml: every key with what it does, over the sample corpus.
//
//go:embed pipeline.yaml
var Recipe string

// TrainRecipe is docs/recipes/train.finetune.yaml: the recipe to fine-tune a published model.
//
//go:embed docs/recipes/train.finetune.yaml
var TrainRecipe string

// Licence is the text of the licence of capgraph.
//
//go:embed LICENSE
var Licence string

// Notice says what is derived from data of others, and under which licence.
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
