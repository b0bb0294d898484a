package strictyaml

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// parse returns the value of a document, nil if it is empty. Aliases are replaced by their values.
// An error begins with the line and column.
func parse(data []byte) (ast.Node, error) {
	if err := checkEncoding(data); err != nil {
		return nil, err
	}
	file, err := checkBounds(data)
	if err != nil {
		return nil, err
	}
	var body ast.Node
	for _, d := range file.Docs {
		if _, directive := d.Body.(*ast.DirectiveNode); d.Body == nil || directive {
			continue
		}
		if body != nil {
			return nil, placeError(d.Start, "a second YAML document begins here: a recipe is one")
		}
		body = d.Body
	}
	return withoutAliases(body, map[string]ast.Node{}), nil
}

// placeError returns an error with the line and column of a token.
func placeError(tk *token.Token, format string, args ...any) error {
	return fmt.Errorf("%d:%d: %s", tk.Position.Line, tk.Position.Column, fmt.Sprintf(format, args...))
}

// nodeAt returns the value of the key at a path such as data[0].texts, or nil.
func nodeAt(node ast.Node, path string) ast.Node {
	for step := range strings.SplitSeq(strings.ReplaceAll(path, "[", ".["), ".") {
		if number, isElement := strings.CutPrefix(step, "["); isElement {
			n, err := strconv.Atoi(strings.TrimSuffix(number, "]"))
			list, isList := node.(*ast.SequenceNode)
			if err != nil || !isList || n >= len(list.Values) {
				return nil
			}
			node = list.Values[n]
			continue
		}
		pairs, _ := pairsOf(node)
		node = nil
		for _, pair := range pairs {
			if keyName(pair.Key) == step {
				node = pair.Value
			}
		}
	}
	return node
}

// pathAt returns the path of the key that tk is, or that has tk as its value; "" if there is none.
// path leads to node.
func pathAt(node ast.Node, tk *token.Token, path string) string {
	if list, ok := node.(*ast.SequenceNode); ok {
		for i, v := range list.Values {
			if at := pathAt(v, tk, fmt.Sprintf("%s[%d]", path, i)); at != "" {
				return at
			}
		}
	}
	pairs, _ := pairsOf(node)
	for _, pair := range pairs {
		name := keyName(pair.Key)
		at := strings.TrimPrefix(path+"."+name, ".")
		if pair.Key.IsMergeKey() {
			at = path
		}
		if pair.Key.GetToken() == tk {
			return at
		}
		if below := pathAt(pair.Value, tk, at); below != "" {
			return below
		}
	}
	if node != nil && node.GetToken() == tk {
		return path
	}
	return ""
}
