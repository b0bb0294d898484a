package serve

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/negatives/methods"
	"capgraph/schemas"
)

// Limits of a search and of one page of its results.
const (
	resultsShown = 20
	rowsScanned  = 50_000
	maxTerm      = 200  // bytes
	maxName      = 2048 // bytes of a key or of an image's name
)

// query is a search. Empty fields match all rows.
type query struct {
	Word, Object, Attribute, Relation, Method, Reason string
	// Image is the image_key or the image of rows. Key is the key of a row.
	Image, Key string
}

// matchesRow reports whether a row has the query's key and image.
func (q query) matchesRow(key, imageKey, image string) bool {
	return (q.Key == "" || q.Key == key) && (q.Image == "" || q.Image == imageKey || q.Image == image)
}

// passes returns the passes whose rows are searched.
func (q query) passes() []folder.Pass {
	switch {
	case q.Reason != "":
		return folder.RowPasses()
	case q.Method != "":
		return []folder.Pass{folder.PassTexts}
	default:
		return []folder.Pass{folder.PassParse}
	}
}

// parseQuery reads a query from the parameters of a URL.
func parseQuery(v url.Values) (query, error) {
	var q query
	for _, field := range []struct {
		name string
		to   *string
	}{{"word", &q.Word}, {"object", &q.Object}, {"attribute", &q.Attribute}, {"relation", &q.Relation}, {"method", &q.Method}, {"reason", &q.Reason}} {
		*field.to = strings.ToLower(strings.TrimSpace(v.Get(field.name)))
		if len(*field.to) > maxTerm {
			return q, fmt.Errorf("%s is longer than %d bytes", field.name, maxTerm)
		}
	}
	for name, to := range map[string]*string{"image": &q.Image, "key": &q.Key} {
		if *to = strings.TrimSpace(v.Get(name)); len(*to) > maxName {
			return q, fmt.Errorf("%s is longer than %d bytes", name, maxName)
		}
	}
	if q.Reason != "" && (q.Method != "" || q.Object != "" || q.Attribute != "" || q.Relation != "") {
		return q, errors.New("a rejected row has no graph and no texts: search for a reason and a word, or leave the reason out")
	}
	if q.Method != "" && (q.Object != "" || q.Attribute != "" || q.Relation != "") {
		return q, errors.New("a search by method is over texts, which have no graph: search for a method and a word, or for objects, attributes and relations")
	}
	return q, nil
}

// urlValues returns the URL parameters for the query.
func (q query) urlValues() url.Values {
	v := url.Values{}
	for name, term := range map[string]string{"word": q.Word, "object": q.Object, "attribute": q.Attribute, "relation": q.Relation, "method": q.Method, "reason": q.Reason, "image": q.Image, "key": q.Key} {
		if term != "" {
			v.Set(name, term)
		}
	}
	return v
}

// choice is a form field with a list of values; Value is the chosen one, "" for none.
type choice struct {
	Name, Value string
	Values      []string
}

// newChoice returns a choice of value, which is added to values if it is not there.
func newChoice(name, value string, values []string) choice {
	if value != "" && !slices.Contains(values, value) {
		values = append(slices.Clone(values), value)
	}
	return choice{name, value, values}
}

// hit is a row that matches a query.
type hit struct {
	Key, Text, Detail string
	Row               string // the URL of its page; "" if it was rejected
	rowKey            string // "" if it was rejected
	Graph             schemas.SceneGraph
	Pairs             []inspect.Pair
}

// results is a page of hits. Next is the URL of the next page; "" if there is none.
type results struct {
	Hits    []hit
	Scanned int
	Rows    int64 // of all shards
	Next    string
}

// scannedShard is a shard that is searched, in the output of a pass.
type scannedShard struct {
	pass folder.Pass
	name string
	rows int64
}

// showSearch shows the search form and a page of results.
func (s *Server) showSearch(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	view := struct {
		Title    string
		Compare  bool
		Dir      string
		Query    query
		Searched bool
		Methods  []string
		Reasons  []string
		*results
	}{Title: "Search", Compare: s.comparison != nil, Dir: s.Folder.Dir}
	var err error
	if view.Query, err = parseQuery(values); err != nil {
		s.writeError(w, http.StatusBadRequest, err)
		return
	}
	shard, row := 0, int64(0)
	if at := values.Get("at"); at != "" {
		a, b, _ := strings.Cut(at, ".")
		shard, err = strconv.Atoi(a)
		var wrong error
		if row, wrong = strconv.ParseInt(b, 10, 64); err != nil || wrong != nil || shard < 0 || row < 0 {
			s.writeError(w, http.StatusBadRequest, fmt.Errorf("at=%q is not SHARD.ROW", at))
			return
		}
	}
	view.Methods = methods.List()
	if view.Reasons, err = s.listReasons(); err != nil {
		s.writeError(w, http.StatusInternalServerError, err)
		return
	}
	if view.results, err = s.scanShards(r.Context(), view.Query, shard, row); err != nil {
		s.writeError(w, http.StatusInternalServerError, err)
		return
	}
	s.writePage(w, http.StatusOK, "search", view)
}

// scanShards returns a page of results. It searches from that row of that shard on.
func (s *Server) scanShards(ctx context.Context, q query, shard int, row int64) (*results, error) {
	shards, err := s.listShards(q)
	if err != nil {
		return nil, err
	}
	found := &results{}
	for _, s := range shards {
		found.Rows += s.rows
	}
	for ; shard < len(shards); shard, row = shard+1, 0 {
		for h, err := range s.scanShard(ctx, q, shards[shard], row) {
			if err != nil {
				return nil, err
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if len(found.Hits) == resultsShown || found.Scanned == rowsScanned {
				v := q.urlValues()
				v.Set("at", fmt.Sprintf("%d.%d", shard, row))
				found.Next = "./?" + v.Encode()
				return found, nil
			}
			at := row
			row++
			found.Scanned++
			if h != nil {
				h.setLink(shards[shard], at)
				found.Hits = append(found.Hits, *h)
			}
		}
	}
	return found, nil
}

// setLink sets the URL of the page of a hit, which was found in that row of a shard. Rows of texts/
// are named by their key only, since their row in graphs/ is not known.
func (h *hit) setLink(shard scannedShard, row int64) {
	if h.rowKey == "" {
		return
	}
	v := url.Values{"shard": {shard.name}, "key": {h.rowKey}}
	if shard.pass == folder.PassParse {
		v.Set("row", strconv.FormatInt(row, 10))
	}
	h.Row = "row?" + v.Encode()
}

// listShards returns the shards that a query searches.
func (s *Server) listShards(q query) ([]scannedShard, error) {
	var shards []scannedShard
	for _, pass := range q.passes() {
		entries, err := inspect.FinishedShards(s.Folder, pass)
		if err != nil && (q.Reason == "" || !errors.Is(err, inspect.ErrNoShard)) {
			return nil, err
		}
		for _, e := range entries {
			rows := e.RowsOut
			if q.Reason != "" {
				rows = e.RowsIn - e.RowsOut
			}
			shards = append(shards, scannedShard{pass, e.Shard, rows})
		}
	}
	return shards, nil
}

// listReasons returns the sorted reasons for which rows were rejected.
func (s *Server) listReasons() ([]string, error) {
	reasons := map[string]bool{}
	for _, pass := range folder.RowPasses() {
		entries, err := inspect.FinishedShards(s.Folder, pass)
		if err != nil && !errors.Is(err, inspect.ErrNoShard) {
			return nil, err
		}
		for _, e := range entries {
			for reason := range e.Rejects {
				reasons[reason] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(reasons)), nil
}

// scanShard yields a value for each row of a shard from row number first on: a hit, or nil if the row does
// not match.
func (s *Server) scanShard(ctx context.Context, q query, shard scannedShard, first int64) iter.Seq2[*hit, error] {
	switch {
	case q.Reason != "":
	case shard.pass == folder.PassParse:
		return matchRows(inspect.ReadGraphs(s.Folder, shard.name, first), q.matchGraphRow)
	default:
		return matchRows(inspect.ReadTexts(s.Folder, shard.name, first), q.matchTextsRow)
	}
	return func(yield func(*hit, error) bool) {
		row := int64(0)
		for h, err := range matchRows(inspect.ReadRejects(s.Folder, shard.pass, shard.name), q.matchReject) {
			if row++; row <= first {
				if ctx.Err() != nil {
					yield(nil, ctx.Err())
					return
				}
				continue
			}
			if !yield(h, err) {
				return
			}
		}
	}
}

// matchRows yields the result of match for each row.
func matchRows[R any](rows iter.Seq2[*R, error], match func(*R) *hit) iter.Seq2[*hit, error] {
	return func(yield func(*hit, error) bool) {
		for row, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(match(row), nil) {
				return
			}
		}
	}
}

// matchGraphRow returns a hit for a row of graphs/; nil if it does not match.
func (q query) matchGraphRow(g *inspect.GraphRow) *hit {
	if !q.matchesRow(g.Key, g.ImageKey, g.Image) || !hasWords(g.Text, q.Word) || !q.matchesGraph(&g.Graph) {
		return nil
	}
	return &hit{Key: g.Key, Text: g.Text, rowKey: strings.Clone(g.Key), Graph: g.Graph.Clone()}
}

// matchesGraph reports whether a graph has an object with the query's name and attribute that is
// part of a relation with the query's predicate.
func (q query) matchesGraph(g *schemas.SceneGraph) bool {
	object := func(i int32) bool {
		o := &g.Objects[i]
		if q.Object != "" && !strings.EqualFold(o.Name, q.Object) && !strings.EqualFold(o.Head, q.Object) {
			return false
		}
		return q.Attribute == "" || slices.ContainsFunc(o.Attributes, func(a schemas.Attribute) bool { return strings.EqualFold(a.Text, q.Attribute) })
	}
	if q.Relation != "" {
		return slices.ContainsFunc(g.Relations, func(r schemas.Relation) bool {
			return (strings.EqualFold(r.Lemma, q.Relation) || strings.EqualFold(r.Predicate, q.Relation)) && (object(r.Subject) || object(r.Object))
		})
	}
	if q.Object == "" && q.Attribute == "" {
		return true
	}
	for i := range g.Objects {
		if object(int32(i)) {
			return true
		}
	}
	return false
}

// matchTextsRow returns a hit for a row of texts/; nil if it does not match.
func (q query) matchTextsRow(t *schemas.TextsRow) *hit {
	if !q.matchesRow(t.Key, t.ImageKey, t.Image) {
		return nil
	}
	h := &hit{Key: t.Key, Text: t.Text, rowKey: strings.Clone(t.Key)}
	for _, n := range t.Pool.Negatives {
		p := t.Pool.Positives[n.Of]
		if n.Method == q.Method && (hasWords(n.Text, q.Word) || hasWords(p.Text, q.Word)) {
			h.Pairs = append(h.Pairs, inspect.Pair{Key: t.Key, Positive: p, Negative: n})
		}
	}
	if len(h.Pairs) == 0 {
		return nil
	}
	return h
}

// matchReject returns a hit for a rejected row; nil if it does not match.
func (q query) matchReject(r *folder.Reject) *hit {
	if r.Reason != q.Reason || !q.matchesRow(r.Key, r.ImageKey, "") || !hasWords(r.Caption, q.Word) {
		return nil
	}
	return &hit{Key: fmt.Sprintf("%s:%d", r.Source, r.SourceRow), Text: r.Caption, Detail: r.Stage + ": " + r.Detail}
}

// hasWords reports whether a text contains words, which are in lower case, next to each other.
func hasWords(text, words string) bool {
	if words == "" {
		return true
	}
	want := strings.Fields(words)
	have := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" ,.;:!?\"()", r) })
	for i := range have {
		if i+len(want) <= len(have) && slices.Equal(have[i:i+len(want)], want) {
			return true
		}
	}
	return false
}
