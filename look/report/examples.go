package report

import (
	"cmp"
	"html/template"
	"maps"
	"slices"

	"capgraph/look/inspect"
	"capgraph/schemas"
)

// graphGroup is a group of shown graphs, such as the longest.
type graphGroup struct {
	Title string
	Some  []shownGraph
}

// shownGraph is a graph to show, with its image if there is one.
type shownGraph struct {
	inspect.GraphRow
	Image   template.URL
	NoImage bool // the image could not be read or decoded
}

// pairGroup is negatives of one changed class and one method.
type pairGroup struct {
	Changed, Method string
	Sampled         int // number of such pairs in the sample
	Some            []shownPair
}

// shownPair is a negative and its positive to show.
type shownPair struct {
	Key                string
	Score              float32
	Positive, Negative []inspect.Segment
	Siblings           []string
}

// chooseGraphs returns groups of graphs of the sample, the worst group first.
func chooseGraphs(all []inspect.GraphRow, seed uint64) []graphGroup {
	shuffled := slices.Clone(all)
	shuffle(shuffled, seed)
	take := func(title string, order func(a, b inspect.GraphRow) int, want func(*inspect.GraphRow) bool) graphGroup {
		some := slices.Clone(shuffled)
		if want != nil {
			some = slices.DeleteFunc(some, func(g inspect.GraphRow) bool { return !want(&g) })
		}
		if order != nil {
			slices.SortStableFunc(some, order)
		}
		some = some[:min(len(some), graphsShown)]
		shown := make([]shownGraph, len(some))
		for i := range some {
			some[i].Graph = cutGraph(&some[i].Graph)
			shown[i].GraphRow = some[i]
		}
		return graphGroup{title, shown}
	}
	return []graphGroup{
		take("The least confident", func(a, b inspect.GraphRow) int { return cmp.Compare(a.Confidence, b.Confidence) }, nil),
		take("Without an object", nil, func(g *inspect.GraphRow) bool { return len(g.Graph.Objects) == 0 }),
		take("Without a relation", nil, func(g *inspect.GraphRow) bool { return len(g.Graph.Objects) > 1 && len(g.Graph.Relations) == 0 }),
		take("The longest", func(a, b inspect.GraphRow) int { return cmp.Compare(len(b.Text), len(a.Text)) }, nil),
		take("Random", nil, nil),
	}
}

// cutGraph returns g without the objects beyond drawnObjects and their relations.
func cutGraph(g *schemas.SceneGraph) schemas.SceneGraph {
	if len(g.Objects) <= drawnObjects {
		return *g
	}
	smaller := schemas.SceneGraph{Objects: g.Objects[:drawnObjects]}
	for _, r := range g.Relations {
		if r.Subject < drawnObjects && r.Object < drawnObjects {
			smaller.Relations = append(smaller.Relations, r)
		}
	}
	return smaller
}

// sampledNegative is a negative of the sample with its row.
type sampledNegative struct {
	row      *schemas.TextsRow
	negative *schemas.HardNegative
}

// choosePairs returns pairs of the sample, grouped by changed class and method.
func choosePairs(all []schemas.TextsRow, seed uint64) []pairGroup {
	byKind := map[[2]string][]sampledNegative{}
	for i := range all {
		for j := range all[i].Pool.Negatives {
			n := &all[i].Pool.Negatives[j]
			kind := [2]string{n.Changed, n.Method}
			byKind[kind] = append(byKind[kind], sampledNegative{&all[i], n})
		}
	}
	captions := captionsByImage(all)
	var out []pairGroup
	for _, kind := range slices.SortedFunc(maps.Keys(byKind), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		some := byKind[kind]
		shuffle(some, seed)
		out = append(out, pairGroup{kind[0], kind[1], len(some), makePairs(some[:min(len(some), pairsShown)], captions)})
	}
	return out
}

// randomPairs returns random pairs of the sample, of any kind.
func randomPairs(all []schemas.TextsRow, seed uint64) []shownPair {
	var some []sampledNegative
	for i := range all {
		for j := range all[i].Pool.Negatives {
			some = append(some, sampledNegative{&all[i], &all[i].Pool.Negatives[j]})
		}
	}
	shuffle(some, seed)
	return makePairs(some[:min(len(some), graphsShown)], captionsByImage(all))
}

// easiestFromText returns the negatives of the sample that text alone tells best from their positives: those
// with the highest text-only scores above 0.
func easiestFromText(all []schemas.TextsRow) []shownPair {
	var some []sampledNegative
	for i := range all {
		for j := range all[i].Pool.Negatives {
			if n := &all[i].Pool.Negatives[j]; n.Score > 0 {
				some = append(some, sampledNegative{&all[i], n})
			}
		}
	}
	slices.SortStableFunc(some, func(a, b sampledNegative) int { return cmp.Compare(b.negative.Score, a.negative.Score) })
	return makePairs(some[:min(len(some), graphsShown)], captionsByImage(all))
}

// captionsByImage maps image keys to captions of the sample, at most siblingsShown of each image.
func captionsByImage(all []schemas.TextsRow) map[string][]string {
	captions := map[string][]string{}
	for _, row := range all {
		if len(captions[row.ImageKey]) < siblingsShown {
			captions[row.ImageKey] = append(captions[row.ImageKey], inspect.Shorten(row.Text))
		}
	}
	return captions
}

// makePairs returns pairs with their differing words marked.
func makePairs(some []sampledNegative, captions map[string][]string) []shownPair {
	var out []shownPair
	for _, c := range some {
		positive, negative := inspect.Diff(inspect.Shorten(c.row.Pool.Positives[c.negative.Of].Text), inspect.Shorten(c.negative.Text))
		out = append(out, shownPair{c.row.Key, c.negative.Score, positive, negative, captions[c.row.ImageKey]})
	}
	return out
}
