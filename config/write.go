package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"capgraph"
	"capgraph/sources"
)

// Write returns a recipe with every key of pipeline.yaml and its explanation. It reads captions with that licence from
// the source from and writes to the folder dir. It begins with the comments in head.
func Write(head string, from sources.Options, licence, dir string) (string, error) {
	_, rest, _ := strings.Cut(capgraph.Recipe, "\n\n") // rest begins after the comments on the sample corpus
	var columns yaml.MapSlice
	for _, role := range slices.Sorted(maps.Keys(from.Columns)) {
		var value any = from.Columns[role]
		if names := from.Columns[role]; len(names) == 1 {
			value = names[0]
		}
		columns = append(columns, yaml.MapItem{Key: role, Value: value})
	}
	paths := any(from.Paths)
	if len(from.Paths) == 1 {
		paths = from.Paths[0]
	}
	set := []struct {
		begins string
		value  any
	}{{"  format: ", from.Format}, {"  paths: ", paths}, {"  dir: ", dir}, {"  licence: ", licence}}
	if len(columns) > 0 {
		set = append(set, struct {
			begins string
			value  any
		}{"  # columns: ", columns})
	}
	for _, o := range []struct{ begins, value string }{{"  # encoding: ", from.Encoding}, {"  # lines: ", from.Lines}} {
		if o.value != "" {
			set = append(set, struct {
				begins string
				value  any
			}{o.begins, o.value})
		}
	}
	lines := strings.Split(rest, "\n")
	for _, s := range set {
		at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, s.begins) })
		if at < 0 {
			return "", fmt.Errorf("pipeline.yaml has no line %q", s.begins)
		}
		value, err := yaml.MarshalWithOptions(s.value, yaml.Flow(true))
		if err != nil {
			return "", err
		}
		line := strings.Replace(s.begins, "# ", "", 1) + strings.TrimSpace(string(value))
		if _, comment, ok := strings.Cut(lines[at], " # "); ok && !strings.HasPrefix(s.begins, "  #") {
			line = fmt.Sprintf("%-30s # %s", line, comment)
		}
		lines[at] = line
	}
	return head + "\n" + strings.Join(lines, "\n"), nil
}
