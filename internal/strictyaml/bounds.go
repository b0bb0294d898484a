package strictyaml

import (
	"bytes"
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// The bounds of a document. The YAML library has none: its memory grows with the square of the
// depth, and with the size that aliases expand to.
const (
	maxLevels  = 64
	maxBlank   = 1000 // empty lines; the time for those in a text of several lines grows with their square
	maxTokens  = 50_000
	maxPaths   = 8 << 20 // bytes of the paths of all tokens, which the library keeps
	maxAliased = 1 << 20 // bytes that all aliases together expand to
)

// Unmarshal reads a document within the bounds of a recipe.
func Unmarshal(data []byte, into any) error {
	body, err := parse(data)
	if err != nil || body == nil {
		return err
	}
	return yaml.NodeToValue(body, into)
}

// checkBounds parses a document. It returns an error if the document exceeds a bound.
func checkBounds(data []byte) (*ast.File, error) {
	if err := checkBlankLines(data); err != nil {
		return nil, err
	}
	for size := 4 << 10; ; size *= 2 {
		part := data[:min(size, len(data))]
		if err := checkTokens(lexer.Tokenize(string(part)), len(part) < len(data)); err != nil {
			return nil, err
		}
		if len(part) == len(data) {
			break
		}
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, explainSyntax(err)
	}
	aliases := aliasCounter{sizes: map[string]int{}}
	for _, d := range file.Docs {
		ast.Walk(&aliases, d.Body)
	}
	return file, aliases.err
}

// checkBlankLines returns an error if a document has more than maxBlank empty lines.
func checkBlankLines(data []byte) error {
	blank, number := 0, 0
	for line := range bytes.Lines(data) {
		number++
		if len(bytes.TrimSpace(line)) > 0 {
			continue
		}
		if blank++; blank > maxBlank {
			return fmt.Errorf("%d:1: more than %d empty lines: remove some", number, maxBlank)
		}
	}
	return nil
}

// level is a list or a section around a token.
type level struct {
	flow   bool // in brackets or braces
	column int  // of a block: the column of its keys or dashes
	key    int  // bytes of the key, or of the index, in a path
}

// checkTokens returns an error if tokens exceed a bound. If cut is true, they are the beginning of
// a document, and the last one may be cut off.
func checkTokens(tokens token.Tokens, cut bool) error {
	var levels []level
	properties, paths := 0, 0 // properties is the number of consecutive anchors and tags
	for i, tk := range tokens {
		if tk.Type == token.InvalidType && cut {
			return nil
		}
		top := len(levels) - 1
		switch tk.Type {
		case token.DocumentHeaderType:
			levels = levels[:0]
		case token.MappingStartType, token.SequenceStartType:
			levels = append(levels, level{flow: true, key: len("[99999]")})
		case token.MappingEndType, token.SequenceEndType, token.CollectEntryType:
			for top >= 0 && !levels[top].flow { // dashes in brackets, which the parser reads as a list
				top--
			}
			if tk.Type != token.CollectEntryType {
				top--
			}
			levels = levels[:max(top+1, 0)]
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType:
			at, key := tk.Position.Column, len("[99999]")
			if i > 0 && tk.Type == token.MappingValueType && tokens[i-1].Position.Line == tk.Position.Line {
				at, key = tokens[i-1].Position.Column, len(tokens[i-1].Value)
			}
			for top >= 0 && !levels[top].flow && levels[top].column > at {
				top--
			}
			levels = levels[:top+1]
			if top < 0 || !levels[top].flow && levels[top].column < at || levels[top].flow && tk.Type == token.SequenceEntryType {
				levels = append(levels, level{column: at})
				top++
			}
			levels[top].key = max(key, len("[99999]"))
		}
		switch {
		case tk.Type == token.AnchorType, tk.Type == token.TagType, tk.Type == token.MappingKeyType:
			properties++
		case i == 0 || tokens[i-1].Type != token.AnchorType: // not the name of an anchor
			properties = 0
		}
		for _, l := range levels {
			paths += l.key
		}
		switch {
		case len(levels)+properties > maxLevels:
			return placeError(tk, "lists and sections lie in each other more than %d deep", maxLevels)
		case i >= maxTokens, paths > maxPaths:
			return placeError(tk, "there are more keys and values than a recipe has: name files by a pattern")
		}
	}
	return nil
}

// aliasCounter counts the bytes of a document's values, including those that its aliases expand to.
type aliasCounter struct {
	sizes   map[string]int // bytes by anchor; −1 inside the anchor's own value
	size    int
	aliased int
	err     error
}

// Visit implements ast.Visitor.
func (c *aliasCounter) Visit(node ast.Node) ast.Visitor {
	if c.err != nil {
		return nil
	}
	switch node := node.(type) {
	case *ast.AnchorNode:
		name := node.Name.String()
		if _, known := c.sizes[name]; known {
			c.err = placeError(node.Start, "an anchor of this name was defined before")
			return nil
		}
		before := c.size
		c.sizes[name] = -1
		ast.Walk(c, node.Value)
		c.sizes[name] = c.size - before
		return nil
	case *ast.AliasNode:
		size, known := c.sizes[node.Value.String()]
		c.size += size
		c.aliased += size
		switch {
		case !known:
			c.err = placeError(node.Start, "an alias of no anchor before it: a text that begins with * stands in quotes: '*.tsv'")
		case size < 0:
			c.err = placeError(node.Start, "an alias within what it stands for")
		case c.aliased > maxAliased:
			c.err = placeError(node.Start, "aliases stand for more than %d bytes: write out what is meant", maxAliased)
		}
		return nil
	case *ast.TagNode:
		if _, isText := taggedText(node); !isText {
			c.err = placeError(node.Start, "a tag: a recipe has none but !!str before a text")
			return nil
		}
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode:
		c.size += len(node.GetToken().Value)
	}
	c.size++
	return c
}
