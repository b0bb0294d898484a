package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/internal/usage"
	"capgraph/llmparse"
	"capgraph/llmparse/client"
	"capgraph/llmparse/replies"
	"capgraph/look/inspect"
	"capgraph/negatives"
	"capgraph/negatives/llm"
	"capgraph/ruleparse"
	"capgraph/store"
)

// llmCommand has the commands that check a model's server, and write and read batch files.
type llmCommand struct {
	Check  llmCheckCommand  `cmd:"" help:"Ask a server for ten graphs, and say what it can do and what a corpus would take."`
	Export llmExportCommand `cmd:"" help:"Write the requests to a model as a batch file."`
	Import llmImportCommand `cmd:"" help:"Import the responses to a batch file into the cache."`
}

// batchRecipe has the flags of a recipe, whose section parse names the model, the prompt and the
// cache.
type batchRecipe struct {
	Recipe string   `help:"The recipe (default pipeline.yaml; if there is none, the keys that are set)."`
	Set    []string `placeholder:"KEY=VALUE" sep:"none" help:"Set a key of the recipe, such as parse.model=NAME."`
}

// openBatch reads the recipe and opens its cache.
func (c batchRecipe) openBatch(ctx context.Context, std streams) (*config.Config, *client.Batch, error) {
	cfg, err := recipe(c).loadConfig(ctx, std)
	if err != nil {
		return nil, nil, err
	}
	b, err := client.NewBatch(cfg.Parse.Options)
	if err != nil {
		return nil, nil, &usage.Error{Text: "parse." + err.Error()}
	}
	return cfg, b, nil
}

type llmExportCommand struct {
	batchRecipe `embed:""`
	Dir         string `arg:"" help:"Output folder of a run with any parser."`
	Output      string `short:"o" default:"-" help:"The batch file, which must not exist; - is standard output."`
}

// Help returns the text below the usage.
func (llmExportCommand) Help() string {
	return `Writes a request for each text of DIR/graphs without a reply in the cache. With parser: hybrid, it leaves out texts whose
confidence is high enough. With negatives.replacements: llm, it also writes requests for whole negatives, with
parser: rules only these; single replacements need a server. vLLM's run-batch and OpenAI's batch API read the file.

  capgraph run --set parse.parser=rules --set output.dir=out/rules --only index
  capgraph run --set parse.parser=rules --set output.dir=out/rules --only parse
  capgraph llm export out/rules -o questions.jsonl
  vllm run-batch -i questions.jsonl -o answers.jsonl --model NAME
  capgraph llm import answers.jsonl --requests questions.jsonl
  capgraph run --set parse.endpoints=[]`
}

// Run implements the command.
func (c *llmExportCommand) Run(ctx context.Context, std streams) (err error) {
	cfg, batch, err := c.openBatch(ctx, std)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, batch.Close()) }()
	rules, err := ruleparse.NewReader(cfg.Parse.Reader())
	if err != nil {
		return err
	}
	parser, author := llmparse.NewParser(batch.Client, rules), llm.NewAuthor(batch.Client, cfg.Negatives.Whole.Types)
	out, err := createOutput(c.Output, std)
	if err != nil {
		return err
	}
	defer out.discard()
	rows, written, whole := 0, 0, 0
	put := func(n *int, line []byte, err error) error {
		if err != nil || line == nil {
			return err
		}
		*n++
		_, err = out.Write(append(line, '\n'))
		return err
	}
	from := folder.Folder{Store: std.files, Dir: c.Dir}
	shards, err := inspect.FinishedShards(from, folder.PassParse)
	if err != nil {
		return err
	}
	for _, s := range shards {
		for row, err := range inspect.ReadGraphs(from, s.Shard, 0) {
			if err := errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			rows++
			if needsGraph(cfg, row.Confidence) {
				line, err := batch.Line(parser.Question(row.Text))
				if err := put(&written, line, err); err != nil {
					return err
				}
			}
			if cfg.Negatives.AsksWhole(cfg.Seed, row.Text) {
				line, err := batch.Line(author.Question(row.Text))
				if err := put(&whole, line, err); err != nil {
					return err
				}
			}
		}
	}
	if err := out.publish(); err != nil {
		return err
	}
	fmt.Fprintf(std.err, "%d %s, %d %s", rows, text.Plural(rows, "row", "rows"), written+whole, text.Plural(written+whole, "request", "requests"))
	if whole > 0 {
		fmt.Fprintf(std.err, ", %d of them for whole negatives", whole)
	}
	fmt.Fprintln(std.err)
	return nil
}

// needsGraph reports whether the model is asked for the graph of a row for which the rule parser has
// the given confidence. It returns false if the recipe asks only for negatives.
func needsGraph(c *config.Config, confidence float32) bool {
	switch c.Parse.Parser {
	case config.ParserHybrid:
		return float64(confidence) < c.Parse.Threshold
	case config.ParserRules, config.ParserAuto, config.ParserEncoder:
		return c.Negatives.Replacements != negatives.FromLLM
	}
	return true
}

type llmImportCommand struct {
	batchRecipe `embed:""`
	Answers     []string `arg:"" help:"Files of the model's responses."`
	Requests    string   `placeholder:"FILE" help:"The batch file: report requests without a complete reply."`
	Missing     string   `placeholder:"FILE" help:"Write the requests without a complete reply to this file, which must not exist; needs --requests."`
}

// Help returns the text below the usage.
func (llmImportCommand) Help() string {
	return `Responses may be in any order and in several files. Failed and unreadable ones are listed with file and line. --missing writes
the requests to send again, with more tokens if the reply was cut off. Exit code 1 if there is no reply in any response.`
}

// Validate refuses invalid flags.
func (c *llmImportCommand) Validate() error {
	if c.Missing != "" && c.Requests == "" {
		return errors.New("--missing needs --requests")
	}
	return nil
}

// Run implements the command.
func (c *llmImportCommand) Run(ctx context.Context, std streams) (err error) {
	_, batch, err := c.openBatch(ctx, std)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, batch.Close()) }()
	stored := 0
	out := &batchFile{Writer: bufio.NewWriter(io.Discard)}
	if c.Missing != "" {
		if out, err = createOutput(c.Missing, std); err != nil {
			return err
		}
		defer out.discard()
	}
	asked, err := c.readRequests(std)
	if err != nil {
		return err
	}
	for _, name := range c.Answers {
		n, err := c.importFile(batch, asked, name, std)
		if err != nil {
			return err
		}
		stored += n
	}
	if c.Requests != "" {
		if err := c.reportMissing(batch, out, std); err != nil {
			return err
		}
	}
	if stored == 0 {
		return fmt.Errorf("%s: no reply to store: see why the requests failed, and send them again", strings.Join(c.Answers, ", "))
	}
	return nil
}

// readRequests returns the requests of the batch file, or nil if none is named.
func (c *llmImportCommand) readRequests(std streams) (map[replies.Key]int, error) {
	if c.Requests == "" {
		return nil, nil
	}
	questions, err := std.files.Open(c.Requests)
	if err != nil {
		return nil, err
	}
	defer questions.Close()
	asked, err := replies.ReadRequests(questions)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Requests, err)
	}
	return asked, nil
}

// reportMissing prints how many requests have no reply, and writes them to out.
func (c *llmImportCommand) reportMissing(batch *client.Batch, out *batchFile, std streams) error {
	questions, err := std.files.Open(c.Requests)
	if err != nil {
		return err
	}
	defer questions.Close()
	missing, all, err := batch.WriteMissing(questions, out)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Requests, err)
	}
	if err := out.publish(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.out, "%d of %d %s %s no complete reply\n", missing, all, text.Plural(all, "request", "requests"), text.Plural(missing, "has", "have"))
	return err
}

// importFile imports one file of responses into the cache, and returns the number of stored replies.
func (c *llmImportCommand) importFile(batch *client.Batch, asked map[replies.Key]int, name string, std streams) (int, error) {
	f, err := std.files.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	importer := batch.NewImporter()
	importer.PromptOf, importer.Usable = guessPrompt, usableReply
	importer.Warn = func(line int, why error) { fmt.Fprintf(std.err, "%s:%d: %v\n", name, line, why) }
	n, err := importer.Import(f, asked)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	failed := 0
	for _, k := range n.Failed {
		failed += k
	}
	w := inspect.NewPrinter(std.out)
	fmt.Fprintf(w, "%s: %d %s stored, %d %s failed, %d %s not readable\n", name, n.Stored, text.Plural(n.Stored, "reply", "replies"),
		failed, text.Plural(failed, "request", "requests"), n.Malformed, text.Plural(n.Malformed, "line is", "lines are"))
	if n.Unusable > 0 {
		fmt.Fprintf(w, "  %10d of the replies cannot be read: 'capgraph cache prune DIR --unusable' removes them\n", n.Unusable)
	}
	if n.Foreign > 0 {
		fmt.Fprintf(w, "  %10d not stored: not requested in %s\n", n.Foreign, c.Requests)
	}
	for _, reason := range slices.Sorted(maps.Keys(n.Failed)) {
		fmt.Fprintf(w, "  %10d failed: %s\n", n.Failed[reason], reason)
	}
	return n.Stored, w.Err()
}

// batchFile is standard output, or a new file that appears under its name only once it is published.
type batchFile struct {
	*bufio.Writer
	file store.Temp // nil for standard output
}

// createOutput creates a file that must not exist yet; - is standard output.
func createOutput(name string, std streams) (*batchFile, error) {
	if name == "-" {
		return &batchFile{Writer: bufio.NewWriterSize(std.out, 64<<10)}, nil
	}
	f, err := store.CreateNew(std.files, name)
	if err != nil {
		return nil, err
	}
	return &batchFile{bufio.NewWriterSize(f, 64<<10), f}, nil
}

// publish writes the buffer, and publishes the file.
func (b *batchFile) publish() error {
	if err := b.Flush(); err != nil || b.file == nil {
		return err
	}
	return b.file.Publish()
}

// discard removes a file that was not published.
func (b *batchFile) discard() {
	if b.file != nil {
		b.file.Discard()
	}
}
