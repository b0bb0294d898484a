package ptx

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// declaration matches a kernel in a .cu file, with the comment line above it.
var declaration = regexp.MustCompile(`(?m)^(.*)\n` + regexp.QuoteMeta(`extern "C" __global__ void `) + `(\w+)\(([^)]*)\) \{$`)

// argumentTypes are the allowed types of a kernel's arguments.
var argumentTypes = []string{"int", "float", "int*", "float*", "bf16*", "byte*", "const int*", "const index*", "const float*", "const bf16*", "const byte*"}

// Parse returns the kernels of a .cu file, in order. The line above each kernel has the formulas of
// its grid, in one or two directions: products of int arguments, divided by a number:
//
//	// grid: most*cols/256, heads
func Parse(source string) ([]Kernel, error) {
	var all []Kernel
	for _, m := range declaration.FindAllStringSubmatch(source, -1) {
		k := Kernel{Name: m[2]}
		for _, p := range strings.Split(m[3], ",") {
			parameter, err := parseParameter(p)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", k.Name, err)
			}
			k.Parameters = append(k.Parameters, parameter)
		}
		grid, ok := strings.CutPrefix(m[1], "// grid: ")
		if !ok {
			return nil, fmt.Errorf("%s: the line above does not say its grid", k.Name)
		}
		for _, s := range strings.Split(grid, ", ") {
			size, err := k.parseSize(s)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", k.Name, err)
			}
			k.Grid = append(k.Grid, size)
		}
		all = append(all, k)
	}
	if n := strings.Count(source, "__global__"); n != len(all) {
		return nil, fmt.Errorf("%d of %d kernels are written as they should be", len(all), n)
	}
	return all, nil
}

func parseParameter(text string) (Parameter, error) {
	text = strings.Join(strings.Fields(text), " ")
	cut := strings.LastIndexAny(text, " *") + 1
	p := Parameter{Name: text[cut:], Type: strings.ReplaceAll(strings.TrimSpace(text[:cut]), " *", "*")}
	if !slices.Contains(argumentTypes, p.Type) {
		return p, fmt.Errorf("%q is not one of the arguments %v", text, argumentTypes)
	}
	return p, nil
}

func (k Kernel) parseSize(text string) (Size, error) {
	of, per, divided := strings.Cut(text, "/")
	s := Size{Times: 1, Per: 1}
	if n, err := strconv.Atoi(of); err == nil && !divided {
		return Size{Times: n, Per: 1}, nil
	}
	if divided {
		var err error
		if s.Per, err = strconv.Atoi(per); err != nil || s.Per < 1 {
			return s, fmt.Errorf("grid %q is divided by no number", text)
		}
	}
	for _, name := range strings.Split(of, "*") {
		if n, err := strconv.Atoi(name); err == nil && n > 0 {
			s.Times *= n
			continue
		}
		if !slices.Contains(k.Parameters, Parameter{name, "int"}) {
			return s, fmt.Errorf("grid %q: %s is no int argument", text, name)
		}
		s.Of = append(s.Of, name)
	}
	return s, nil
}
