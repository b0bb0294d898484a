package main

import (
	"bufio"
	"errors"
	"fmt"
	"text/tabwriter"

	"capgraph/internal/text"
	"capgraph/llmparse"
	"capgraph/llmparse/replies"
	"capgraph/look/inspect"
	"capgraph/negatives/llm"
)

// cacheCommand has the commands that count, merge, print and remove stored replies of models.
type cacheCommand struct {
	Stats  cacheStatsCommand  `cmd:"" help:"Count replies by model and prompt."`
	Merge  cacheMergeCommand  `cmd:"" help:"Merge the files of a folder of replies into one."`
	Export cacheExportCommand `cmd:"" help:"Print the replies as JSON lines."`
	Prune  cachePruneCommand  `cmd:"" help:"Remove replies of a model or a prompt, or unusable ones."`
}

// cacheFolder is the argument of the cache commands.
type cacheFolder struct {
	Dir string `arg:"" help:"Folder of replies: parse.cache of the recipe."`
}

type cacheStatsCommand struct {
	cacheFolder `embed:""`
}

// Run implements the command.
func (c *cacheStatsCommand) Run(std streams) error {
	groups, files, bytes, err := replies.Stats(c.Dir, usableReply)
	var some *replies.DamagedError
	if err != nil && !errors.As(err, &some) {
		return err
	}
	p := inspect.NewPrinter(std.out)
	fmt.Fprintf(p, "%d %s, %d %s\n\n", files, text.Plural(files, "file", "files"), bytes, text.Plural(bytes, "byte", "bytes"))
	w := tabwriter.NewWriter(p, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "MODEL\tPROMPT\tREPLIES\tUNUSABLE\tTOKENS IN\tTOKENS OUT")
	for _, g := range groups {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\n", g.Model, g.Prompt, g.Replies, g.Unusable, g.In, g.Out)
	}
	return errors.Join(w.Flush(), err)
}

type cacheMergeCommand struct {
	cacheFolder `embed:""`
}

// Help returns the text below the usage.
func (cacheMergeCommand) Help() string {
	return `Each process of a run writes its own file and reads all of them. No run may use the folder meanwhile.`
}

// Run implements the command.
func (c *cacheMergeCommand) Run(std streams) error {
	merged, err := replies.Merge(c.Dir)
	if err != nil {
		return err
	}
	if n := merged.Damaged; n > 0 {
		std.warn(fmt.Sprintf("%d %s damaged and left out: %s asked for again", n, text.Plural(n, "reply was", "replies were"), text.Plural(n, "it is", "they are")))
	}
	_, err = fmt.Fprintf(std.out, "%d %s moved into %s\n", merged.Replies, text.Plural(merged.Replies, "reply", "replies"), countFiles(merged.Files))
	return err
}

// countFiles counts files.
func countFiles(n int) string {
	if n == 1 {
		return "one file"
	}
	return fmt.Sprintf("%d files", n)
}

type cacheExportCommand struct {
	cacheFolder `embed:""`
}

// Run implements the command.
func (c *cacheExportCommand) Run(std streams) error {
	out := bufio.NewWriterSize(std.out, 64<<10)
	return errors.Join(replies.Export(c.Dir, out), out.Flush())
}

type cachePruneCommand struct {
	cacheFolder `embed:""`
	Model       string `placeholder:"NAME" help:"Remove the replies of this model."`
	Prompt      string `placeholder:"VERSION" help:"Remove the replies to this version of a prompt."`
	Unusable    bool   `help:"Remove replies that cannot be read or are damaged, so that they are asked for again."`
}

// Validate returns an error without a condition, so that not all replies are removed.
func (c *cachePruneCommand) Validate() error {
	if c.Model == "" && c.Prompt == "" && !c.Unusable {
		return errors.New("say what to remove with --model, --prompt or --unusable; several narrow it down")
	}
	return nil
}

// Run implements the command.
func (c *cachePruneCommand) Run(std streams) error {
	removed, err := replies.Prune(c.Dir, func(r *replies.Record) bool {
		if r == nil { // damaged
			return c.Unusable
		}
		return (c.Model == "" || r.Model == c.Model) && (c.Prompt == "" || r.Prompt == c.Prompt) && (!c.Unusable || !usableReply(r))
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.out, "%d %s removed\n", removed, text.Plural(removed, "reply", "replies"))
	return err
}

// usableReply reports whether the content of a reply can be used, for a known prompt; else whether it has any.
func usableReply(r *replies.Record) bool {
	switch r.Prompt {
	case llmparse.PromptVersion:
		return llmparse.Usable(r)
	case llm.FillVersion, llm.WholeVersion:
		return llm.Usable(r)
	}
	return r.Content != ""
}

// guessPrompt guesses the version of the prompt that a reply answers: WholeVersion if the reply has the form of
// whole negatives, else that of the graph prompt.
func guessPrompt(content string) string {
	if llm.IsWhole(content) {
		return llm.WholeVersion
	}
	return llmparse.PromptVersion
}
