package main

import kongcompletion "github.com/jotaen/kong-completion"

const description = `From caption corpora to scene graphs and to positive and hard-negative texts.

capgraph reads captions (CC12M, CC3M, COCO, Karpathy's splits, img2dataset, Parquet, JSON lines) and parses each into a
scene graph, or reads graphs parsed elsewhere, takes the graphs apart into positive texts, perturbs them into hard
negatives, and writes Parquet shards that a trainer reads.

Start with 'capgraph init FILE', which writes a pipeline.yaml for your captions, and 'capgraph run'.`

// cli is the table of subcommands: one field and one file each.
type cli struct {
	Init       initCommand               `cmd:"" help:"Look into captions and write a recipe for them."`
	Run        runCmd                    `cmd:"" help:"Run the passes of a recipe."`
	Plan       planCmd                   `cmd:"" help:"Show what a recipe would run, and what is done."`
	Parse      parseCommand              `cmd:"" help:"Parse captions, one a line of standard input, into scene graphs."`
	Show       showCmd                   `cmd:"" help:"Show one row in full: graph, positives and negatives."`
	Why        whyCmd                    `cmd:"" help:"Explain what happened to one row and to each candidate negative."`
	Sample     sampleCmd                 `cmd:"" help:"Show random pairs of positive and negative, with the difference marked."`
	Report     reportCmd                 `cmd:"" help:"Write an HTML page about a folder."`
	Serve      serveCmd                  `cmd:"" help:"Search a folder in a browser, or judge it blindly against another."`
	Vocab      vocabCmd                  `cmd:"" help:"Show the most frequent objects, attributes and relations of a corpus."`
	Verify     verifyCmd                 `cmd:"" help:"Check a finished folder: hashes, rows and figures."`
	Stats      statsCmd                  `cmd:"" help:"Print the rows and figures of each shard and in total."`
	Rejects    rejectsCmd                `cmd:"" help:"Show and count the rows that were rejected, with reasons."`
	Eval       evalCommand               `cmd:"" help:"Measure texts, graphs and models."`
	Embed      embedCommand              `cmd:"" help:"Write the features of images or texts."`
	Neighbours neighboursCommand         `cmd:"" help:"Find the images that are most like each image."`
	Doctor     doctorCommand             `cmd:"" help:"Tell what a training can compute on, and check it."`
	Version    versionCommand            `cmd:"" help:"Print the version, or the licences."`
	Train      trainCommand              `cmd:"" help:"Train a CLIP model on texts and images."`
	Synth      synthCommand              `cmd:"" help:"Render a world of scenes with captions, to train on and to be asked about."`
	Draw       drawCommand               `cmd:"" help:"Write out what an epoch takes of the texts."`
	Export     exportCommand             `cmd:"" help:"Write texts in the form of another trainer."`
	LLM        llmCommand                `cmd:"" name:"llm" help:"Ask a model offline, through batch files."`
	Cache      cacheCommand              `cmd:"" help:"Look at and tidy a folder of replies."`
	Completion kongcompletion.Completion `cmd:"" help:"Print how to switch completion on in bash, zsh or fish."`
	Cat        catCmd                    `cmd:"" help:"Print Parquet files as JSON lines."`
}
