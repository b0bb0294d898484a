package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"capgraph/look/inspect"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// parseCommand parses captions with the rule parser.
type parseCommand struct {
	Format string `help:"text (a tree), json (tokens and graph, one line a caption) or factual (FACTUAL's form, one line a caption)." enum:"text,json,factual" default:"text"`
}

// Run implements parse.
func (c *parseCommand) Run(std streams) error {
	p, err := ruleparse.New()
	if err != nil {
		return err
	}
	in := bufio.NewReader(std.in)
	out := bufio.NewWriter(std.out)
	var parsed schemas.Parsed
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			text := strings.ToValidUTF8(strings.TrimRight(line, "\r\n"), "\uFFFD") // offsets are of what is printed
			p.ParseText(text, &parsed)
			if err := c.write(out, p, text, &parsed); err != nil {
				return err
			}
			if in.Buffered() == 0 { // someone may be waiting at a terminal
				if err := out.Flush(); err != nil {
					return err
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return out.Flush()
		}
		if err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
	}
}

func (c *parseCommand) write(w io.Writer, parser *ruleparse.Parser, text string, parsed *schemas.Parsed) error {
	switch c.Format {
	case "factual":
		_, err := fmt.Fprintln(w, parser.Factual(parsed))
		return err
	case "json":
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return e.Encode(newParseLine(text, parsed))
	}
	p := inspect.NewPrinter(w)
	fmt.Fprintln(p, text)
	inspect.WriteTree(p, &parsed.Graph)
	fmt.Fprintln(p)
	return p.Err()
}

func (c *parseCommand) stopped() error {
	return errors.New("stopped before the end of standard input")
}
