package strictyaml

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// shapeNode returns a node in the form that decodes into type t: scalars as the texts that were
// written, one text or number as a list of one, and an empty text as an empty list. Pairs of a map
// of texts are added to those in current, so that each can be set by itself.
func shapeNode(node ast.Node, t reflect.Type, current reflect.Value) ast.Node {
	if t.Kind() == reflect.Pointer {
		return shapeNode(node, t.Elem(), reflect.Value{})
	}
	values, isMap := pairsOf(node)
	list, isList := node.(*ast.SequenceNode)
	text, isText := scalarText(node)
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
	case isSections(t) && isMap: // one section stands for a list of one
		if current.IsValid() && current.Len() == 1 {
			return shapeNode(node, t.Elem(), current.Index(0))
		}
		return shapeNode(node, t.Elem(), reflect.Value{})
	case t.Kind() == reflect.Struct && isMap:
		return mapNode(node, shapedSection(values, t, current))
	}
	return node
}

// shapedSection returns the pairs of a section of type t with shaped values.
func shapedSection(pairs []*ast.MappingValueNode, t reflect.Type, current reflect.Value) []*ast.MappingValueNode {
	fields := fieldsOf(t)
	pairs = slices.Clone(pairs)
	for i, pair := range pairs {
		if pair.Key.IsMergeKey() {
			pairs[i] = withValue(pair, shapeNode(pair.Value, t, current))
			continue
		}
		at := slices.IndexFunc(fields, func(k key) bool { return k.path == keyName(pair.Key) })
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

// mergePairs returns a map of the given pairs, whose values are texts or lists of them, and of the
// pairs of current that they do not replace.
func mergePairs(pairs []*ast.MappingValueNode, of reflect.Type, current reflect.Value) ast.Node {
	pairs = slices.Clone(pairs)
	named := map[string]bool{}
	for i, pair := range pairs {
		name := keyName(pair.Key)
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

// keyName returns the name of a key as written.
func keyName(key ast.MapKeyNode) string {
	if explicit, ok := key.(*ast.MappingKeyNode); ok && explicit.Value != nil {
		return explicit.Value.GetToken().Value
	}
	return key.GetToken().Value
}

// pairsOf returns the pairs of a map, and whether node is one.
func pairsOf(node ast.Node) ([]*ast.MappingValueNode, bool) {
	switch node := node.(type) {
	case *ast.MappingNode:
		return node.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{node}, true
	}
	return nil, false
}

// scalarText returns a scalar as written, even if YAML reads a number or a boolean: 0042 stays
// 0042, and 3.10 does not become 3.1.
func scalarText(node ast.Node) (text string, ok bool) {
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

// taggedText returns the text after the tag !!str; "" if there is no value. ok is false for other
// tags and values.
func taggedText(node *ast.TagNode) (text string, ok bool) {
	switch value := node.Value.(type) {
	case nil, *ast.NullNode:
		text, ok = "", true
	case *ast.AnchorNode:
		text, ok = scalarText(value.Value)
	default:
		text, ok = scalarText(value)
	}
	return text, ok && node.Start.Value == string(token.StringTag)
}

// New nodes have the token of the node that they replace, and so its place in errors.

func textNode(at ast.Node, text string) *ast.StringNode {
	n := newText(text)
	n.Token = at.GetToken()
	return n
}

func newText(text string) *ast.StringNode {
	return &ast.StringNode{BaseNode: &ast.BaseNode{}, Token: token.String(text, text, &token.Position{}), Value: text}
}

// textsNode returns a node for a text or a list of texts.
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

// withoutAliases returns a node with each alias replaced by the value of its anchor, and tags !!str
// by texts. anchors collects the values. checkBounds must have accepted the document.
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

// checkTextList returns an error that names the first element of a list that is not a text.
func checkTextList(list []any, shown show) error {
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
