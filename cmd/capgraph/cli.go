package main

import kongcompletion "github.com/jotaen/kong-completion"

const description = `From caption corpora to scene graphs and to positive and hard-negative texts.

capgraph reads captions (CC12M, CC3M, COCO, Karpathy's splits, img2dataset, Parquet, JSON lines) and parses each into a
scene graph, or reads graphs parsed elsewhere. It makes positive texts of parts of the graphs and hard negatives of their
perturbations, and writes Parquet shards for training.

Start with 'capgraph init FILE', which writes a pipeline.yaml for your captions, and 'capgraph run'.`

// cli is the table of subcommands: one field and one file each.
type cli struct {
	Init       initCommand               `cmd:"" help:"Detect the format of caption files and write a recipe for them."`
	Run        runCommand                `cmd:"" help:"Run the passes of a recipe."`
	Plan       planCommand               `cmd:"" help:"Show what a recipe would run, and what is done."`
	Parse      parseCommand              `cmd:"" help:"Parse captions, one a line of standard input, into scene graphs."`
	Texts      textsCommand              `cmd:"" help:"Make the texts of captions, one a line of standard input."`
	Show       showCommand               `cmd:"" help:"Show one row in full: graph, positives and negatives."`
	Why        whyCommand                `cmd:"" help:"Explain what happened to one row and to each candidate negative."`
	Sample     sampleCommand             `cmd:"" help:"Show random pairs of positive and negative, with the difference marked."`
	Report     reportCommand             `cmd:"" help:"Write an HTML page about a folder."`
	Serve      serveCommand              `cmd:"" help:"Search a folder in a browser, or judge it blindly against another."`
	Vocab      vocabCommand              `cmd:"" help:"Show the most frequent objects, attributes and relations of a corpus."`
	Verify     verifyCommand             `cmd:"" help:"Check a finished folder: hashes, rows and figures."`
	Stats      statsCommand              `cmd:"" help:"Print the rows and figures of each shard and in total."`
	Rejects    rejectsCommand            `cmd:"" help:"Show and count the rows that were rejected, with reasons."`
	Eval       evalCommand               `cmd:"" help:"Measure texts, graphs and models."`
	Audit      auditCommand              `cmd:"" help:"Measure hard negatives of any tool by text alone, by tables and by grammar."`
	Embed      embedCommand              `cmd:"" help:"Write the features of images or texts."`
	Neighbours neighboursCommand         `cmd:"" help:"Find the most similar images of each image."`
	Doctor     doctorCommand             `cmd:"" help:"List the devices that a training can use, and check their arithmetic."`
	Version    versionCommand            `cmd:"" help:"Print the version, or the licences."`
	Train      trainCommand              `cmd:"" help:"Train a CLIP model on texts and images."`
	Synth      synthCommand              `cmd:"" help:"Render scenes of shapes with captions, and tests of them."`
	Draw       drawCommand               `cmd:"" help:"Write the texts that a training draws in an epoch."`
	Export     exportCommand             `cmd:"" help:"Convert texts to the format of another trainer."`
	Join       joinCommand               `cmd:"" help:"Join texts with the samples of tars by URL, hash or key."`
	LLM        llmCommand                `cmd:"" name:"llm" help:"Check a model server, or call a model offline, through batch files."`
	Cache      cacheCommand              `cmd:"" help:"Inspect and clean a cache of model replies."`
	Worker     workerCommand             `cmd:"" help:"Answer the requests of the Python package, over standard input and output."`
	Completion kongcompletion.Completion `cmd:"" help:"Print how to enable completion in bash, zsh or fish."`
	Cat        catCommand                `cmd:"" help:"Print Parquet files as JSON lines."`
}
