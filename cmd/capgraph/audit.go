package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"capgraph"
	evalnegatives "capgraph/eval/negatives"
	"capgraph/internal/text"
	"capgraph/look/inspect"
	"capgraph/look/report"
	"capgraph/store"
)

// auditCommand applies all measures of hard negatives to those of a run or of another tool.
type auditCommand struct {
	Paths    []string `arg:"" name:"path" help:"Negatives: a run or its texts/, a table as NegCLIP's (.tsv, .csv), SugarCrepe's JSON, objects as CE-CLIP, DeGLA and CS-CLIP have them (.json, .jsonl), or a folder of such."`
	Siblings string   `help:"Further captions of the images, which the generator did not see (COCO's or Karpathy's JSON), to estimate false negatives." type:"existingfile" placeholder:"FILE"`
	MaxPairs int      `help:"Largest number of pairs for the text-only classifier." default:"200000"`
	HTML     string   `name:"html" help:"Also write an HTML page with the methods and examples of each fault." placeholder:"FILE.html"`
	JSON     bool     `help:"Write JSON instead of a table." name:"json"`
}

// Validate refuses invalid flags.
func (c *auditCommand) Validate() error {
	if c.MaxPairs < 1 {
		return fmt.Errorf("--max-pairs=%d: want 1 or more", c.MaxPairs)
	}
	return nil
}

// Run implements audit.
func (c *auditCommand) Run(ctx context.Context, std streams) error {
	var page store.Temp
	var err error
	if c.HTML != "" {
		if page, err = std.files.Create(c.HTML); err != nil {
			return err
		}
		defer page.Discard()
	}
	sets, err := c.auditPaths(ctx)
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	if page != nil {
		err := report.WriteAudit(page, sets, report.AuditOptions{Command: c.commandLine(), Version: capgraph.Version})
		if err == nil {
			err = page.Replace()
		}
		if err != nil {
			return err
		}
	}
	if !c.JSON {
		return evalnegatives.WriteAudits(inspect.NewPrinter(std.out), sets)
	}
	e := json.NewEncoder(std.out)
	e.SetIndent("", "  ")
	return e.Encode(sets)
}

func (c *auditCommand) auditPaths(ctx context.Context) (sets []*evalnegatives.Audited, err error) {
	opt := evalnegatives.Options{Pairs: c.MaxPairs}
	if c.Siblings != "" {
		if opt.Siblings, err = evalnegatives.ReadSiblings(ctx, c.Siblings); err != nil {
			return nil, err
		}
	}
	if opt.Tables, err = evalnegatives.NewTables(); err != nil {
		return nil, err
	}
	for _, path := range c.Paths {
		a, err := evalnegatives.Audit(path, opt)
		if err != nil {
			return nil, err
		}
		sets = append(sets, a)
	}
	return sets, nil
}

// commandLine returns the command that repeats the measurement.
func (c *auditCommand) commandLine() string {
	words := []string{"capgraph audit"}
	for _, p := range c.Paths {
		words = append(words, text.Quote(p))
	}
	if c.Siblings != "" {
		words = append(words, "--siblings", text.Quote(c.Siblings))
	}
	return strings.Join(words, " ")
}

func (c *auditCommand) stopError() error { return errEvalStopped }
