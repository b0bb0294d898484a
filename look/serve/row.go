package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/negatives"
	"capgraph/schemas"
)

// shownPositive is a positive with its negatives.
type shownPositive struct {
	Text, Kind string
	Negatives  []shownNegative
}

type shownNegative struct {
	Runs            []inspect.Segment
	Changed, Method string
	Score           float32
}

func (s *Server) showRow(w http.ResponseWriter, r *http.Request) {
	key := r.URL.Query().Get("key")
	view := struct {
		Title    string
		Compare  bool
		Dir      string
		Graph    *inspect.GraphRow
		Said     []shownPositive
		Siblings []string
		Dropped  []negatives.Dropped
		NoTexts  string
	}{Title: key, Compare: s.comparison != nil, Dir: s.Folder.Dir}
	at, err := s.findRow(r)
	if err == nil {
		view.Graph, err = inspect.GraphAt(s.Folder, at)
	}
	if err != nil {
		s.writeError(w, statusOf(err), err)
		return
	}
	key = view.Graph.Key
	view.Title = key
	if view.Siblings, err = s.otherCaptions(at, view.Graph); err != nil {
		s.writeError(w, statusOf(err), err)
		return
	}
	if view.Said, err = readPositives(r.Context(), s.Folder, at.Shard, key); err != nil {
		if statusOf(err) != http.StatusNotFound {
			s.writeError(w, statusOf(err), err)
			return
		}
		view.NoTexts = err.Error()
	} else if fates, err := s.explainer.explain(r.Context(), s.Folder, s.Replies, at.Shard, key); err != nil {
		view.NoTexts = err.Error()
	} else {
		view.Dropped = fates.Dropped
	}
	s.writePage(w, http.StatusOK, "row", view)
}

// errAddress says that an address names no row.
var errAddress = errors.New("an address of a row has shard=SHARD&row=N, N from 0 on, or key=KEY")

// findRow is the row that an address names: by shard and row of graphs/, as the pages
// have it, or by its key, in a shard or in all.
func (s *Server) findRow(r *http.Request) (inspect.Place, error) {
	q := r.URL.Query()
	at, key := inspect.Place{Shard: q.Get("shard")}, q.Get("key")
	if q.Has("row") {
		row, err := strconv.ParseUint(q.Get("row"), 10, 63)
		if err != nil || at.Shard == "" {
			return at, fmt.Errorf("shard=%q&row=%q: %w", at.Shard, q.Get("row"), errAddress)
		}
		at.Row = int64(row)
		return at, s.checkShard(at.Shard)
	}
	if key == "" {
		return at, errAddress
	}
	return inspect.Find(r.Context(), s.Folder, folder.PassParse, inspect.Query{Key: key, Shard: at.Shard})
}

// checkShard checks that a name in an address is that of a finished shard.
func (s *Server) checkShard(name string) error {
	shards, err := inspect.PresentShards(s.Folder, folder.PassParse)
	if err != nil || slices.ContainsFunc(shards, func(e *folder.Entry) bool { return e.Shard == name }) {
		return err
	}
	return fmt.Errorf("there is no shard %q: %w", name, inspect.ErrNoShard)
}

// otherCaptions are the other captions of the image, which are rows beside it.
func (s *Server) otherCaptions(at inspect.Place, of *inspect.GraphRow) ([]string, error) {
	const most = 32 // rows before and after
	var texts []string
	read := int64(0)
	first := max(0, at.Row-most)
	for g, err := range inspect.ReadGraphs(s.Folder, at.Shard, first) {
		if err != nil {
			return nil, err
		}
		if g.ImageKey == of.ImageKey && g.Key != of.Key {
			texts = append(texts, g.Text)
		}
		if read++; first+read > at.Row+most {
			break
		}
	}
	return texts, nil
}

// readPositives are the texts of a row.
func readPositives(ctx context.Context, f folder.Folder, shard, key string) ([]shownPositive, error) {
	at, err := inspect.Find(ctx, f, folder.PassTexts, inspect.Query{Key: key, Shard: shard})
	if err != nil {
		return nil, err
	}
	row, err := inspect.TextsAt(f, at)
	if err != nil {
		return nil, err
	}
	return groupTexts(row), nil
}

func groupTexts(row *schemas.TextsRow) []shownPositive {
	var all []shownPositive
	for i, p := range row.Pool.Positives {
		one := shownPositive{Text: p.Text, Kind: p.Kind}
		for _, n := range row.Pool.Negatives {
			if int(n.Of) == i {
				one.Negatives = append(one.Negatives, shownNegative{changedSegments(p.Text, n.Text), n.Changed, n.Method, n.Score})
			}
		}
		all = append(all, one)
	}
	return all
}

// statusOf is that of a page that says an error: a row that was rejected, or whose
// shard is not finished, is not found.
func statusOf(err error) int {
	if errors.Is(err, errAddress) {
		return http.StatusBadRequest
	}
	var noRow *inspect.NoRowError
	if errors.As(err, &noRow) || errors.Is(err, inspect.ErrNoShard) || errors.Is(err, io.ErrUnexpectedEOF) {
		return http.StatusNotFound
	}
	return http.StatusInternalServerError
}
