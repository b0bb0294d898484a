package strictyaml

import (
	"errors"
	"fmt"
	"maps"
	"math"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// asWritten is a text as the recipe has it, also where YAML reads a number of it
// or a truth: 0042 is no 34, and 3.10 no 3.1.
func asWritten(to *string, data []byte) error {
	if file, err := parser.ParseBytes(data, 0); err == nil && len(file.Docs) == 1 {
		node := file.Docs[0].Body
		if tag, ok := node.(*ast.TagNode); ok && tag.Start.Value == "!!str" {
			node = tag.Value
		}
		switch node.(type) {
		case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode, *ast.BoolNode:
			*to = node.GetToken().Value
			return nil
		}
	}
	return yaml.Unmarshal(data, to)
}

// stringOrList lets one string stand for a list of one, and an empty string for
// an empty list.
func stringOrList(to *[]string, data []byte) error {
	var one string
	if asWritten(&one, data) == nil {
		*to = nil
		if one != "" {
			*to = []string{one}
		}
		return nil
	}
	var list []string
	if err := yaml.UnmarshalWithOptions(data, &list, yaml.CustomUnmarshaler(asWritten)); err != nil {
		return errors.New("want a text or a list of texts")
	}
	*to = list
	return nil
}

// numberOrList lets one number stand for a list of one.
func numberOrList(to *[]float64, data []byte) error {
	var one float64
	if yaml.Unmarshal(data, &one) == nil {
		*to = []float64{one}
		return nil
	}
	var list []float64
	if err := yaml.Unmarshal(data, &list); err != nil {
		return errors.New("want a number or a list of numbers")
	}
	*to = list
	return nil
}

// wholeOrList is numberOrList of whole numbers.
func wholeOrList(to *[]int, data []byte) error {
	var numbers []float64
	if err := numberOrList(&numbers, data); err != nil {
		return err
	}
	list := []int{}
	for _, x := range numbers {
		if x != math.Trunc(x) || math.Abs(x) > 1<<53 {
			return errors.New("want a whole number or a list of whole numbers")
		}
		list = append(list, int(x))
	}
	*to = list
	return nil
}

// addToMap adds the pairs of a map to those that are there, so that each can be
// set by itself.
func addToMap(to *map[string]string, data []byte) error {
	var pairs map[string]string
	if err := yaml.UnmarshalWithOptions(data, &pairs, yaml.CustomUnmarshaler(asWritten)); err != nil {
		return errors.New("want names with values")
	}
	if *to == nil {
		*to = map[string]string{}
	}
	maps.Copy(*to, pairs)
	return nil
}

// noText says which element of a list is none.
func noText(list []any) error {
	for i, v := range list {
		switch v.(type) {
		case nil:
			return fmt.Errorf("element %d is null: want a text (quote it)", i+1)
		case []any, map[string]any:
			return fmt.Errorf("element %d is %v: want a text (quote it)", i+1, v)
		}
	}
	return nil
}
