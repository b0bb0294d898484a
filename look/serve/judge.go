package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"reflect"
	"sync"

	"github.com/cespare/xxhash/v2"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/schemas"
)

// The kinds of judgements: what is compared.
const (
	judgeGraphs    = "graphs"
	judgeNegatives = "negatives"
)

// maxJudgement is the largest size of a line of the file of judgements, in bytes.
const maxJudgement = 1 << 20

// Judgement is a line of the file of judgements: which folder has the better graph or negatives for a
// caption.
type Judgement struct {
	What string `json:"kind"`     // "graphs" or "negatives"
	A    string `json:"folder_a"` // the folders
	B    string `json:"folder_b"`
	Key  string `json:"key"`
	Left string `json:"left"`   // the folder shown on the left: "a" or "b"
	Wins string `json:"winner"` // "a", "b" or "none"
	Seed uint64 `json:"seed"`
}

// comparison compares two folders and records the judgements.
type comparison struct {
	options Options

	mu         sync.Mutex
	judgements map[[2]string]Judgement // by kind and key
	done       map[string]int          // by kind, how many sampled rows need not be read again
	file       string
}

// newComparison reads the judgements that were made of two folders.
func newComparison(o Options) (*comparison, error) {
	if _, err := o.Compare.ReadIndex(); err != nil {
		return nil, err
	}
	c := &comparison{options: o, judgements: map[[2]string]Judgement{}, done: map[string]int{}, file: o.Judgements}
	// Open it as appendJudgement does, to report now if it cannot be written.
	file, err := os.OpenFile(c.file, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, fmt.Errorf("judgements cannot be written: %w (name another file with --judgements)", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxJudgement)
	n := 1
	bad := func(err error) error {
		return fmt.Errorf("%s: line %d is not a judgement: %w (remove the line, or name another file with --judgements)", c.file, n, err)
	}
	for ; lines.Scan(); n++ {
		var one Judgement
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, bad(err)
		}
		if one.A == o.Folder.Dir && one.B == o.Compare.Dir {
			c.judgements[[2]string{one.What, one.Key}] = one
		}
	}
	if err := lines.Err(); err != nil {
		return nil, bad(err)
	}
	return c, terminateLastLine(file)
}

// terminateLastLine adds a line break at the end of a file if it lacks one, as after a crash.
func terminateLastLine(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	var last [1]byte
	if _, err := file.ReadAt(last[:], info.Size()-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err = file.WriteString("\n")
	return err
}

// appendJudgement appends a judgement to the file.
func (c *comparison) appendJudgement(one Judgement) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	line, err := json.Marshal(one)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(c.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	c.judgements[[2]string{one.What, one.Key}] = one
	return nil
}

// Score counts the judgements. Rate is the share of wins of a among the judgements with a winner; Low
// and High are its 95 % interval (Wilson 1927).
type Score struct {
	A, B, None      int
	Rate, Low, High float64
}

// score returns the score of the judgements of graphs or of negatives.
func (c *comparison) score(what string) Score {
	c.mu.Lock()
	defer c.mu.Unlock()
	var s Score
	for _, one := range c.judgements {
		switch {
		case one.What != what:
		case one.Wins == "a":
			s.A++
		case one.Wins == "b":
			s.B++
		default:
			s.None++
		}
	}
	s.Rate, s.Low, s.High = wilsonInterval(s.A, s.A+s.B)
	return s
}

// wilsonInterval returns the share of wins in n and its 95 % interval. If n is 0, the interval is from 0 to
// 1.
func wilsonInterval(wins, n int) (rate, low, high float64) {
	if n == 0 {
		return 0, 0, 1
	}
	const z = 1.959964
	k, m := float64(wins), float64(n)
	p := k / m
	centre := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return p, max(0, centre-half), min(1, centre+half)
}

// isJudged reports whether there is a judgement of that kind for a caption.
func (c *comparison) isJudged(what, key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.judgements[[2]string{what, key}]
	return ok
}

// leftFolder returns the folder to show on the left, "a" or "b". A hash of the seed and the key
// decides, so that the user does not know it.
func (c *comparison) leftFolder(what, key string) string {
	h := xxhash.NewWithSeed(c.options.Seed)
	h.WriteString("judge\x00" + what + "\x00" + key)
	if h.Sum64()&1 == 0 {
		return "a"
	}
	return "b"
}

// side is what one folder has for a caption: its graph or its texts.
type side struct {
	Graph schemas.SceneGraph
	Texts []shownPositive
}

// judgedItem is a caption to judge, with both sides.
type judgedItem struct {
	Key, Text   string
	Left, Right side
}

// nextItem returns the next caption to judge: one that both folders have, with different graphs or
// texts, and that is not judged yet. It returns nil if there is none among the next 200 rows.
func (c *comparison) nextItem(ctx context.Context, what string) (*judgedItem, error) {
	const tries = 200
	output := judgedPass(what)
	shards, err := inspect.FinishedShards(c.options.Folder, output)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	begin, n := c.done[what], c.done[what]+tries+len(c.judgements)
	c.mu.Unlock()
	places := inspect.SampleRows(shards, n, c.options.Seed)
	for i, place := range places[min(begin, len(places)):] {
		c.mu.Lock()
		c.done[what] = max(c.done[what], begin+i) // earlier rows need not be read again
		c.mu.Unlock()
		key, text, a, err := readSide(c.options.Folder, what, place)
		if err != nil {
			return nil, err
		}
		if c.isJudged(what, key) {
			continue
		}
		at, err := inspect.Find(ctx, *c.options.Compare, output, inspect.Query{Key: key})
		var noRow *inspect.NoRowError
		if errors.As(err, &noRow) { // rejected there
			continue
		}
		if err != nil {
			return nil, err
		}
		_, _, b, err := readSide(*c.options.Compare, what, at)
		if err != nil {
			return nil, err
		}
		if reflect.DeepEqual(a, b) {
			continue
		}
		if c.leftFolder(what, key) == "b" {
			a, b = b, a
		}
		return &judgedItem{key, text, a, b}, nil
	}
	return nil, nil
}

// judgedPass returns the pass that writes what is judged.
func judgedPass(what string) folder.Pass {
	if what == judgeNegatives {
		return folder.PassTexts
	}
	return folder.PassParse
}

// checkInBoth returns an error unless both folders have the caption with that key.
func (c *comparison) checkInBoth(ctx context.Context, what, key string) error {
	for _, f := range []folder.Folder{c.options.Folder, *c.options.Compare} {
		if _, err := inspect.Find(ctx, f, judgedPass(what), inspect.Query{Key: key}); err != nil {
			return err
		}
	}
	return nil
}

// readSide reads the key, the text and the side of a row of a folder.
func readSide(f folder.Folder, what string, at schemas.RowRef) (key, text string, one side, err error) {
	if what == judgeGraphs {
		g, err := inspect.GraphAt(f, at)
		if err != nil {
			return "", "", side{}, err
		}
		return g.Key, g.Text, side{Graph: g.Graph}, nil
	}
	t, err := inspect.TextsAt(f, at)
	if err != nil {
		return "", "", side{}, err
	}
	for i := range t.Pool.Negatives {
		t.Pool.Negatives[i].Score = 0 // the score would reveal which folder was balanced
	}
	return t.Key, t.Text, side{Texts: groupTexts(t)}, nil
}

// judgedKind returns the kind of judgement that a request asks for; the default is graphs.
func (s *Server) judgedKind(r *http.Request) (string, error) {
	if s.comparison == nil {
		return "", errors.New("there is no folder to compare with: start 'capgraph serve' with --compare DIR_B")
	}
	switch what := r.FormValue("what"); what {
	case "", judgeGraphs:
		return judgeGraphs, nil
	case judgeNegatives:
		return what, nil
	default:
		return "", fmt.Errorf("what=%q is neither %s nor %s", what, judgeGraphs, judgeNegatives)
	}
}

// showJudge shows a page with the next caption to judge.
func (s *Server) showJudge(w http.ResponseWriter, r *http.Request) {
	what, err := s.judgedKind(r)
	if err != nil {
		s.writeError(w, http.StatusBadRequest, err)
		return
	}
	next, err := s.comparison.nextItem(r.Context(), what)
	if err != nil {
		s.writeError(w, http.StatusInternalServerError, err)
		return
	}
	s.writePage(w, http.StatusOK, "judge", struct {
		Title      string
		Compare    bool
		What       string
		Item       *judgedItem
		Score      Score
		DirA, DirB string
		File       string
	}{"Judge " + what, true, what, next, s.comparison.score(what), s.Folder.Dir, s.Compare.Dir, s.Judgements})
}

// addJudgement records the judgement of a request and shows the next caption.
func (s *Server) addJudgement(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxQuery)
	what, err := s.judgedKind(r)
	if err != nil {
		s.writeError(w, http.StatusBadRequest, err)
		return
	}
	key := r.PostFormValue("key")
	left := s.comparison.leftFolder(what, key)
	right := map[string]string{"a": "b", "b": "a"}[left]
	wins, ok := map[string]string{"1": left, "2": right, "0": "none"}[r.PostFormValue("choice")]
	if key == "" || !ok {
		s.writeError(w, http.StatusBadRequest, errors.New("a judgement needs a key, and a choice of 1, 2 or 0"))
		return
	}
	if err := s.comparison.checkInBoth(r.Context(), what, key); err != nil {
		code := httpStatus(err)
		if code == http.StatusNotFound {
			code = http.StatusBadRequest
		}
		s.writeError(w, code, err)
		return
	}
	if err := s.comparison.appendJudgement(Judgement{what, s.Folder.Dir, s.Compare.Dir, key, left, wins, s.Seed}); err != nil {
		s.writeError(w, http.StatusInternalServerError, err)
		return
	}
	http.Redirect(w, r, "judge?what="+what, http.StatusSeeOther)
}
