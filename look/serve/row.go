package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/negatives"
	"capgraph/schemas"
)

// shownPositive is a positive text with its negatives.
type shownPositive struct {
	Text, Kind string
	Negatives  []shownNegative
}

// shownNegative is a negative whose differences from its positive are marked.
type shownNegative struct {
	Segments        []inspect.Segment
	Changed, Method string
	Score           float32
}

// showRow shows the page of a row.
func (s *Server) showRow(w http.ResponseWriter, r *http.Request) {
	key := r.URL.Query().Get("key")
	view := struct {
		Title    string
		Compare  bool
		Dir      string
		Image    string // its URL; "" if there is none
		Graph    *inspect.GraphRow
		Texts    []shownPositive
		Siblings []string
		Dropped  []negatives.Dropped
		NoTexts  string
	}{Title: key, Compare: s.comparison != nil, Dir: s.Folder.Dir}
	at, err := s.findRow(r)
	if err == nil {
		view.Graph, err = inspect.GraphAt(s.Folder, at)
	}
	if err == nil && key != "" && view.Graph.Key != key { // the folder was made again after the link
		if at, err = inspect.Find(r.Context(), s.Folder, folder.PassParse, inspect.Query{Key: key}); err == nil {
			view.Graph, err = inspect.GraphAt(s.Folder, at)
		}
	}
	if err != nil {
		s.writeError(w, httpStatus(err), err)
		return
	}
	key = view.Graph.Key
	view.Title = key
	if s.Images != nil {
		view.Image = "image?" + url.Values{"shard": {at.Shard}, "row": {strconv.FormatInt(at.Row, 10)}}.Encode()
	}
	if view.Siblings, err = s.otherCaptions(at, view.Graph); err != nil {
		s.writeError(w, httpStatus(err), err)
		return
	}
	if view.Texts, err = readPositives(r.Context(), s.Folder, at.Shard, key); err != nil {
		if httpStatus(err) != http.StatusNotFound {
			s.writeError(w, httpStatus(err), err)
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

// showImage responds with the image of a row.
func (s *Server) showImage(w http.ResponseWriter, r *http.Request) {
	if s.Images == nil {
		http.Error(w, "no images: start the server with --images", http.StatusNotFound)
		return
	}
	at, err := s.findRow(r)
	var row *inspect.GraphRow
	if err == nil {
		row, err = inspect.GraphAt(s.Folder, at)
	}
	if err != nil {
		http.Error(w, err.Error(), httpStatus(err))
		return
	}
	data, err := inspect.ReadImage(r.Context(), s.Images, at.Shard, row)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	form := http.DetectContentType(data)
	if !strings.HasPrefix(form, "image/") {
		http.Error(w, "the image has no known form", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", form)
	_, _ = w.Write(data) // the client may have disconnected
}

// errAddress is the error of a URL that does not name a row.
var errAddress = errors.New("the address of a row needs shard=SHARD&row=N, with N from 0, or key=KEY")

// findRow returns the row that a URL names: by its shard and row in graphs/, or by its key in one
// shard or in all.
func (s *Server) findRow(r *http.Request) (schemas.RowRef, error) {
	q := r.URL.Query()
	at, key := schemas.RowRef{Shard: q.Get("shard")}, q.Get("key")
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

// checkShard returns an error if there is no finished shard of that name.
func (s *Server) checkShard(name string) error {
	shards, err := inspect.PresentShards(s.Folder, folder.PassParse)
	if err != nil || slices.ContainsFunc(shards, func(e *folder.Entry) bool { return e.Shard == name }) {
		return err
	}
	return fmt.Errorf("there is no shard %q: %w", name, inspect.ErrNoShard)
}

// otherCaptions returns the other captions of an image. They are looked for in adjacent rows.
func (s *Server) otherCaptions(at schemas.RowRef, g *inspect.GraphRow) ([]string, error) {
	const reach = 32 // rows before and after
	var texts []string
	read := int64(0)
	first := max(0, at.Row-reach)
	for other, err := range inspect.ReadGraphs(s.Folder, at.Shard, first) {
		if err != nil {
			return nil, err
		}
		if other.ImageKey == g.ImageKey && other.Key != g.Key {
			texts = append(texts, other.Text)
		}
		if read++; first+read > at.Row+reach {
			break
		}
	}
	return texts, nil
}

// readPositives returns the positives of the row with that key, each with its negatives.
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

// groupTexts returns the positives of a row, each with its negatives.
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

// httpStatus returns the HTTP status for an error: 404 also for a row that was rejected or whose
// shard is not finished.
func httpStatus(err error) int {
	if errors.Is(err, errAddress) {
		return http.StatusBadRequest
	}
	var noRow *inspect.NoRowError
	if errors.As(err, &noRow) || errors.Is(err, inspect.ErrNoShard) || errors.Is(err, inspect.ErrNoRow) {
		return http.StatusNotFound
	}
	return http.StatusInternalServerError
}
