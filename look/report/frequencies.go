package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"capgraph/look/inspect"
)

// table is a list of the most frequent things in the sample.
type table struct {
	Title string
	Rows  []frequency
}

// frequency is a name and how often it occurs.
type frequency struct {
	Name string
	N    int
}

// frequencyTables returns tables of the most frequent replacements and of the most frequent pairs of
// attribute and object.
func frequencyTables(s *sample) []table {
	replaced, described := map[string]int{}, map[string]int{}
	for _, row := range s.texts {
		for _, n := range row.Pool.Negatives {
			if !strings.HasPrefix(n.Method, "replace") && !strings.HasPrefix(n.Method, "fill") {
				continue
			}
			a, b := inspect.Diff(row.Pool.Positives[n.Of].Text, n.Text)
			if from, to := changedWords(a), changedWords(b); from != "" && to != "" {
				replaced[from+" → "+to]++
			}
		}
	}
	for i := range s.graphs {
		for _, o := range s.graphs[i].Graph.Objects {
			for _, a := range o.Attributes {
				described[a.Text+" · "+o.Head]++
			}
		}
	}
	return []table{{"Most frequent replacements", mostFrequent(replaced)}, {"Most frequent attributes of objects", mostFrequent(described)}}
}

// changedWords joins the changed segments, in lower case.
func changedWords(segments []inspect.Segment) string {
	var words []string
	for _, r := range segments {
		if r.Changed {
			words = append(words, strings.ToLower(strings.Trim(r.Text, ".,!?")))
		}
	}
	return strings.Join(words, " … ")
}

// mostFrequent returns the names with the highest counts.
func mostFrequent(counts map[string]int) []frequency {
	const most = 20
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	var rows []frequency
	for _, name := range names[:min(len(names), most)] {
		rows = append(rows, frequency{inspect.Shorten(name), counts[name]})
	}
	return rows
}
