package sources

import (
	"errors"
	"fmt"
	"io"

	"capgraph/schemas"
)

// parserFactual is what Row.Parser says of graphs that came as FACTUAL's CSV.
const parserFactual = "factual/csv"

// openGraphs reads graphs that were parsed elsewhere: FACTUAL's CSV, or the
// Parquet of capgraph's own graphs/, which of them its content says.
func openGraphs(in *input) (rows, error) {
	f, err := in.open()
	if err != nil {
		return nil, err
	}
	var head [4]byte
	n, err := f.ReadAt(head[:], 0)
	f.Close()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if string(head[:n]) == "PAR1" {
		return openGraphParquet(in)
	}
	return openGraphCSV(in)
}

// checkGraph says what is wrong with a graph whose offsets index text.
func checkGraph(g *schemas.SceneGraph, text string) error {
	within := func(begin, end int32) bool {
		return begin == schemas.NoOffset && end == schemas.NoOffset || 0 <= begin && begin <= end && int(end) <= len(text)
	}
	for i, o := range g.Objects {
		if o.Name == "" {
			return fmt.Errorf("object %d has no name", i)
		}
		if !within(o.Begin, o.End) {
			return fmt.Errorf("object %d is at bytes %d to %d of a text of %d", i, o.Begin, o.End, len(text))
		}
		for _, a := range o.Attributes {
			if !within(a.Begin, a.End) {
				return fmt.Errorf("an attribute of object %d is at bytes %d to %d of a text of %d", i, a.Begin, a.End, len(text))
			}
			if a.Form != schemas.Pre && a.Form != schemas.Post {
				return fmt.Errorf("an attribute of object %d has the form %q, neither pre nor post", i, a.Form)
			}
		}
	}
	n := int32(len(g.Objects))
	for i, r := range g.Relations {
		if r.Subject < 0 || r.Subject >= n || r.Object < 0 || r.Object >= n || r.Subject == r.Object {
			return fmt.Errorf("relation %d is from object %d to object %d of %d", i, r.Subject, r.Object, n)
		}
		if !within(r.Begin, r.End) {
			return fmt.Errorf("relation %d is at bytes %d to %d of a text of %d", i, r.Begin, r.End, len(text))
		}
	}
	return nil
}
