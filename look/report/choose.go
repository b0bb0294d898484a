package report

import (
	"cmp"
	"maps"
	"slices"

	"capgraph/look/inspect"
	"capgraph/schemas"
)

// graphsOf are graphs of one kind.
type graphsOf struct {
	Title string
	Some  []inspect.Graph
}

// pairsOf are negatives of one changed-class and method.
type pairsOf struct {
	Changed, Method string
	Seen            int // in the sample
	Some            []pair
}

// pair is a negative beside its positive.
type pair struct {
	Key                string
	Score              float32
	Positive, Negative []inspect.Run
	Siblings           []string
}

// chooseGraphs takes graphs of each kind out of the sample, the worst first.
func chooseGraphs(all []inspect.Graph, seed uint64) []graphsOf {
	shuffled := slices.Clone(all)
	shuffle(shuffled, seed)
	take := func(title string, order func(a, b inspect.Graph) int, want func(*inspect.Graph) bool) graphsOf {
		some := slices.Clone(shuffled)
		if want != nil {
			some = slices.DeleteFunc(some, func(g inspect.Graph) bool { return !want(&g) })
		}
		if order != nil {
			slices.SortStableFunc(some, order)
		}
		some = some[:min(len(some), graphsShown)]
		for i := range some {
			some[i].Graph = cut(&some[i].Graph)
		}
		return graphsOf{title, some}
	}
	return []graphsOf{
		take("The least confident", func(a, b inspect.Graph) int { return cmp.Compare(a.Confidence, b.Confidence) }, nil),
		take("Without an object", nil, func(g *inspect.Graph) bool { return len(g.Graph.Objects) == 0 }),
		take("Without a relation", nil, func(g *inspect.Graph) bool { return len(g.Graph.Objects) > 1 && len(g.Graph.Relations) == 0 }),
		take("The longest", func(a, b inspect.Graph) int { return cmp.Compare(len(b.Text), len(a.Text)) }, nil),
		take("Random", nil, nil),
	}
}

// cut leaves the first objects of a graph that is too large to be drawn.
func cut(g *schemas.SceneGraph) schemas.SceneGraph {
	if len(g.Objects) <= drawnObjects {
		return *g
	}
	less := schemas.SceneGraph{Objects: g.Objects[:drawnObjects]}
	for _, r := range g.Relations {
		if r.Subject < drawnObjects && r.Object < drawnObjects {
			less.Relations = append(less.Relations, r)
		}
	}
	return less
}

// chosen is a negative of a row of the sample.
type chosen struct {
	row      *schemas.TextsRow
	negative *schemas.HardNegative
}

// choosePairs takes pairs of each changed-class and method out of the sample.
func choosePairs(all []schemas.TextsRow, seed uint64) []pairsOf {
	byKind := map[[2]string][]chosen{}
	for i := range all {
		for j := range all[i].Pool.Negatives {
			n := &all[i].Pool.Negatives[j]
			kind := [2]string{n.Changed, n.Method}
			byKind[kind] = append(byKind[kind], chosen{&all[i], n})
		}
	}
	captions := siblings(all)
	var out []pairsOf
	for _, kind := range slices.SortedFunc(maps.Keys(byKind), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		some := byKind[kind]
		shuffle(some, seed)
		out = append(out, pairsOf{kind[0], kind[1], len(some), pairs(some[:min(len(some), pairsShown)], captions)})
	}
	return out
}

// mostTelling are the negatives of the sample that are told best from text
// alone; none where nothing tells them.
func mostTelling(all []schemas.TextsRow) []pair {
	var some []chosen
	for i := range all {
		for j := range all[i].Pool.Negatives {
			if n := &all[i].Pool.Negatives[j]; n.Score > 0 {
				some = append(some, chosen{&all[i], n})
			}
		}
	}
	slices.SortStableFunc(some, func(a, b chosen) int { return cmp.Compare(b.negative.Score, a.negative.Score) })
	return pairs(some[:min(len(some), graphsShown)], siblings(all))
}

// siblings are the captions of the sample by image.
func siblings(all []schemas.TextsRow) map[string][]string {
	captions := map[string][]string{}
	for _, row := range all {
		if len(captions[row.ImageKey]) < siblingsShown {
			captions[row.ImageKey] = append(captions[row.ImageKey], inspect.Short(row.Text))
		}
	}
	return captions
}

func pairs(some []chosen, captions map[string][]string) []pair {
	var out []pair
	for _, c := range some {
		positive, negative := inspect.Difference(inspect.Short(c.row.Pool.Positives[c.negative.Of].Text), inspect.Short(c.negative.Text))
		out = append(out, pair{c.row.Key, c.negative.Score, positive, negative, captions[c.row.ImageKey]})
	}
	return out
}
