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

// What is judged.
const (
	judgeGraphs    = "graphs"
	judgeNegatives = "negatives"
)

// maxJudgement bounds a line of the file of judgements, in bytes.
const maxJudgement = 1 << 20

// Judgement is a line of the file of judgements: which folder was better for a
// caption, "a" or "b", or "none".
type Judgement struct {
	What string `json:"what"` // graphs or negatives
	A    string `json:"a"`    // the folders
	B    string `json:"b"`
	Key  string `json:"key"`
	Left string `json:"left"` // which was shown on the left: a or b
	Wins string `json:"wins"` // a, b or none
	Seed uint64 `json:"seed"`
}

// comparison keeps the judgements of two folders.
type comparison struct {
	o Options

	mu         sync.Mutex
	judgements map[[2]string]Judgement // by what and key
	done       map[string]int          // rows that are done with, by what
	file       string
}

// newComparison reads the judgements of the two folders that there are.
func newComparison(o Options) (*comparison, error) {
	if _, err := o.Compare.Index(); err != nil {
		return nil, err
	}
	j := &comparison{o: o, judgements: map[[2]string]Judgement{}, done: map[string]int{}, file: o.Judgements}
	// Opened as add does, so that a place where nothing can be written is found now.
	file, err := os.OpenFile(j.file, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, fmt.Errorf("judgements cannot be written: %w (name another file with --judgements)", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxJudgement)
	n := 1
	bad := func(err error) error {
		return fmt.Errorf("%s: line %d is no judgement: %w (remove the line, or name another file with --judgements)", j.file, n, err)
	}
	for ; lines.Scan(); n++ {
		var one Judgement
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, bad(err)
		}
		if one.A == o.Folder.Dir && one.B == o.Compare.Dir {
			j.judgements[[2]string{one.What, one.Key}] = one
		}
	}
	if err := lines.Err(); err != nil {
		return nil, bad(err)
	}
	return j, terminateLastLine(file)
}

// terminateLastLine ends the last line of a file, which an editor or a crash may have left open.
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

// record appends a judgement to the file.
func (j *comparison) record(one Judgement) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	line, err := json.Marshal(one)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(j.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	j.judgements[[2]string{one.What, one.Key}] = one
	return nil
}

// Score is what the judgements say so far. Low and High are Wilson's 95 %
// interval of Rate, the share of a among the captions with a difference (Wilson
// 1927), all from 0 to 1.
type Score struct {
	A, B, None      int
	Rate, Low, High float64
}

func (j *comparison) score(what string) Score {
	j.mu.Lock()
	defer j.mu.Unlock()
	var s Score
	for _, one := range j.judgements {
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

// wilsonInterval returns the share of wins in n and its 95 % interval; 0 to 1 without
// any.
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

func (j *comparison) isJudged(what, key string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, ok := j.judgements[[2]string{what, key}]
	return ok
}

// leftFolder says which folder is shown on the left, "a" or "b": a hash of the key
// decides, so that one who judges cannot know.
func (j *comparison) leftFolder(what, key string) string {
	h := xxhash.NewWithSeed(j.o.Seed)
	h.WriteString("judge\x00" + what + "\x00" + key)
	if h.Sum64()&1 == 0 {
		return "a"
	}
	return "b"
}

// side is what one folder has for a caption.
type side struct {
	Graph schemas.SceneGraph
	Said  []shownPositive
}

// judgedItem is a caption to judge.
type judgedItem struct {
	Key, Text   string
	Left, Right side
}

// nextItem finds a caption in both folders that they differ in and that nobody has
// judged. Of these it looks at no more than 200 rows; nil: there is none.
func (j *comparison) nextItem(ctx context.Context, what string) (*judgedItem, error) {
	const tries = 200
	output := judgedPass(what)
	shards, err := inspect.FinishedShards(j.o.Folder, output)
	if err != nil {
		return nil, err
	}
	j.mu.Lock()
	begin, n := j.done[what], j.done[what]+tries+len(j.judgements)
	j.mu.Unlock()
	places := inspect.SampleRows(shards, n, j.o.Seed)
	for i, place := range places[min(begin, len(places)):] {
		j.mu.Lock()
		j.done[what] = max(j.done[what], begin+i) // those before are done with
		j.mu.Unlock()
		key, text, a, err := readSide(j.o.Folder, what, place)
		if err != nil {
			return nil, err
		}
		if j.isJudged(what, key) {
			continue
		}
		at, err := inspect.Find(ctx, *j.o.Compare, output, inspect.Query{Key: key})
		var noRow *inspect.NoRowError
		if errors.As(err, &noRow) { // it was rejected there
			continue
		}
		if err != nil {
			return nil, err
		}
		_, _, b, err := readSide(*j.o.Compare, what, at)
		if err != nil {
			return nil, err
		}
		if reflect.DeepEqual(a, b) {
			continue
		}
		if j.leftFolder(what, key) == "b" {
			a, b = b, a
		}
		return &judgedItem{key, text, a, b}, nil
	}
	return nil, nil
}

// judgedPass is the pass that makes what is judged.
func judgedPass(what string) folder.Pass {
	if what == judgeNegatives {
		return folder.PassTexts
	}
	return folder.PassParse
}

// checkInBoth is the error of a caption that is not in both folders.
func (j *comparison) checkInBoth(ctx context.Context, what, key string) error {
	for _, f := range []folder.Folder{j.o.Folder, *j.o.Compare} {
		if _, err := inspect.Find(ctx, f, judgedPass(what), inspect.Query{Key: key}); err != nil {
			return err
		}
	}
	return nil
}

func readSide(f folder.Folder, what string, at inspect.Place) (key, text string, one side, err error) {
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
		t.Pool.Negatives[i].Score = 0 // it tells a folder with balance from one without
	}
	return t.Key, t.Text, side{Said: groupTexts(t)}, nil
}

// judgedKind reads what is judged; graphs where nothing is said.
func (s *Server) judgedKind(r *http.Request) (string, error) {
	if s.comparison == nil {
		return "", errors.New("there is nothing to compare: start 'capgraph serve' with --compare DIR_B")
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
		s.writeError(w, http.StatusBadRequest, errors.New("a judgement has a key, and the choice 1, 2 or 0"))
		return
	}
	if err := s.comparison.checkInBoth(r.Context(), what, key); err != nil {
		code := statusOf(err)
		if code == http.StatusNotFound {
			code = http.StatusBadRequest
		}
		s.writeError(w, code, err)
		return
	}
	if err := s.comparison.record(Judgement{what, s.Folder.Dir, s.Compare.Dir, key, left, wins, s.Seed}); err != nil {
		s.writeError(w, http.StatusInternalServerError, err)
		return
	}
	http.Redirect(w, r, "judge?what="+what, http.StatusSeeOther)
}
