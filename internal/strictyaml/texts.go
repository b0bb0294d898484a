package strictyaml

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// shapeNode is a node as a value of type t is decoded from it: a text as it is written, one text
// or number for a list of one, and an empty text for an empty list. The pairs of a map of texts
// join those that are there, in current, so that each can be set by itself.
func shapeNode(node ast.Node, t reflect.Type, current reflect.Value) ast.Node {
	if t.Kind() == reflect.Pointer {
		return shapeNode(node, t.Elem(), reflect.Value{})
	}
	values, isMap := pairsOf(node)
	list, isList := node.(*ast.SequenceNode)
	text, isText := textOf(node)
	switch {
	case t.Kind() == reflect.String && isText:
		return textNode(node, text)
	case t == reflect.TypeFor[[]string]() && isText:
		var elements []ast.Node
		if text != "" {
			elements = []ast.Node{textNode(node, text)}
		}
		return listNode(node, elements)
	case (t == reflect.TypeFor[[]float64]() || t == reflect.TypeFor[[]int]()) && isText:
		return listNode(node, []ast.Node{node})
	case isTextMap(t) && isMap:
		return mergePairs(values, t.Elem(), current)
	case t.Kind() == reflect.Slice && isList:
		elements := make([]ast.Node, len(list.Values))
		for i, v := range list.Values {
			elements[i] = shapeNode(v, t.Elem(), reflect.Value{})
		}
		return listNode(list, elements)
	case isSections(t) && isMap: // one for a list of one
		if current.IsValid() && current.Len() == 1 {
			return shapeNode(node, t.Elem(), current.Index(0))
		}
		return shapeNode(node, t.Elem(), reflect.Value{})
	case t.Kind() == reflect.Struct && isMap:
		return mapNode(node, shapedSection(values, t, current))
	}
	return node
}

// shapedSection is the pairs of a section of type t, shaped.
func shapedSection(pairs []*ast.MappingValueNode, t reflect.Type, current reflect.Value) []*ast.MappingValueNode {
	fields := fieldsOf(t)
	pairs = slices.Clone(pairs)
	for i, pair := range pairs {
		if pair.Key.IsMergeKey() {
			pairs[i] = withValue(pair, shapeNode(pair.Value, t, current))
			continue
		}
		at := slices.IndexFunc(fields, func(k key) bool { return k.path == nameOf(pair.Key) })
		if at < 0 {
			continue
		}
		var value reflect.Value
		if current.IsValid() {
			value = current.FieldByIndex(fields[at].index)
		}
		pairs[i] = withValue(pair, shapeNode(pair.Value, fields[at].of, value))
	}
	return pairs
}

// isTextMap reports whether t is a map of texts, or of lists of texts.
func isTextMap(t reflect.Type) bool {
	return t == reflect.TypeFor[map[string]string]() || t == reflect.TypeFor[map[string][]string]()
}

// mergePairs returns the pairs of a map of texts, or of lists of them, and the pairs of current
// that they do not replace.
func mergePairs(pairs []*ast.MappingValueNode, of reflect.Type, current reflect.Value) ast.Node {
	pairs = slices.Clone(pairs)
	named := map[string]bool{}
	for i, pair := range pairs {
		name := nameOf(pair.Key)
		named[name] = true
		value := shapeNode(pair.Value, of, reflect.Value{})
		if _, null := value.(*ast.NullNode); null {
			value = shapeNode(textNode(value, ""), of, reflect.Value{})
		}
		pairs[i] = withValue(pair, value)
		if !pair.Key.IsMergeKey() {
			pairs[i].Key = textNode(pair.Key, name)
		}
	}
	if current.IsValid() {
		there := map[string]ast.Node{}
		for name, value := range current.Seq2() {
			there[name.String()] = textsNode(value)
		}
		for _, name := range slices.Sorted(maps.Keys(there)) {
			if !named[name] {
				pairs = append(pairs, ast.MappingValue(nil, newText(name), there[name]))
			}
		}
	}
	return mapNode(nil, pairs)
}

// nameOf is a key as it is written.
func nameOf(key ast.MapKeyNode) string {
	if explicit, ok := key.(*ast.MappingKeyNode); ok && explicit.Value != nil {
		return explicit.Value.GetToken().Value
	}
	return key.GetToken().Value
}

// pairsOf are the pairs of a map.
func pairsOf(node ast.Node) ([]*ast.MappingValueNode, bool) {
	switch node := node.(type) {
	case *ast.MappingNode:
		return node.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{node}, true
	}
	return nil, false
}

// textOf is a scalar as it is written, also where YAML reads a number of it or a truth: 0042 is
// no 34, and 3.10 no 3.1.
func textOf(node ast.Node) (text string, ok bool) {
	switch node := node.(type) {
	case *ast.StringNode:
		return node.Value, true
	case *ast.LiteralNode:
		return node.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode, *ast.BoolNode:
		return node.GetToken().Value, true
	}
	return "", false
}

// taggedText is the text after !!str. Nothing is an empty one.
func taggedText(node *ast.TagNode) (text string, ok bool) {
	switch value := node.Value.(type) {
	case nil, *ast.NullNode:
		text, ok = "", true
	case *ast.AnchorNode:
		text, ok = textOf(value.Value)
	default:
		text, ok = textOf(value)
	}
	return text, ok && node.Start.Value == string(token.StringTag)
}

// The nodes that are put in place of others stand where those stood.

func textNode(at ast.Node, text string) *ast.StringNode {
	n := newText(text)
	n.Token = at.GetToken()
	return n
}

func newText(text string) *ast.StringNode {
	return &ast.StringNode{BaseNode: &ast.BaseNode{}, Token: token.String(text, text, &token.Position{}), Value: text}
}

// textsNode is a text, or a list of texts.
func textsNode(value reflect.Value) ast.Node {
	if value.Kind() == reflect.String {
		return newText(value.String())
	}
	elements := make([]ast.Node, value.Len())
	for i := range elements {
		elements[i] = newText(value.Index(i).String())
	}
	return listNode(newText(""), elements)
}

func listNode(at ast.Node, elements []ast.Node) *ast.SequenceNode {
	return &ast.SequenceNode{BaseNode: &ast.BaseNode{}, Start: at.GetToken(), Values: elements}
}

func mapNode(at ast.Node, pairs []*ast.MappingValueNode) *ast.MappingNode {
	n := ast.Mapping(nil, false, pairs...)
	if at != nil {
		n.Start = at.GetToken()
	}
	return n
}

func withValue(pair *ast.MappingValueNode, value ast.Node) *ast.MappingValueNode {
	other := *pair
	other.Value = value
	return &other
}

// withoutAliases is a node with the values in place of the aliases that stand for them, which
// anchors name, and with texts in place of !!str. It is within the bounds of checkBounds.
func withoutAliases(node ast.Node, anchors map[string]ast.Node) ast.Node {
	switch n := node.(type) {
	case *ast.AnchorNode:
		value := withoutAliases(n.Value, anchors)
		anchors[n.Name.String()] = value
		return value
	case *ast.AliasNode:
		return anchors[n.Value.String()]
	case *ast.TagNode:
		withoutAliases(n.Value, anchors)
		text, _ := taggedText(n)
		return textNode(n, text)
	case *ast.MappingNode:
		for _, pair := range n.Values {
			withoutAliases(pair, anchors)
		}
	case *ast.MappingValueNode:
		if key, ok := withoutAliases(n.Key, anchors).(ast.MapKeyNode); ok {
			n.Key = key
		}
		n.Value = withoutAliases(n.Value, anchors)
	case *ast.SequenceNode:
		for i, v := range n.Values {
			n.Values[i] = withoutAliases(v, anchors)
		}
	}
	return node
}

// noText says which element of a list is none.
func noText(list []any, shown show) error {
	for i, v := range list {
		switch v.(type) {
		case nil:
			return fmt.Errorf("element %d is null: want a text (quote it)", i+1)
		case []any, map[string]any:
			return fmt.Errorf("element %d is %s: want a text (quote it)", i+1, shown(v))
		}
	}
	return nil
}
