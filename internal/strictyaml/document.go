package strictyaml

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// parse returns the value of a document, nil if there is none. Aliases are replaced by what they
// stand for. An error has a place, but for the name of the file.
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

// placeError is an error at a token.
func placeError(tk *token.Token, format string, args ...any) error {
	return fmt.Errorf("%d:%d: %s", tk.Position.Line, tk.Position.Column, fmt.Sprintf(format, args...))
}

// nodeAt is the value of the key at a path such as data[0].texts, nil if there is none.
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
			if nameOf(pair.Key) == step {
				node = pair.Value
			}
		}
	}
	return node
}

// pathAt is the path of the key that tk is, or whose value it is; "" if it is neither.
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
		name := nameOf(pair.Key)
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
