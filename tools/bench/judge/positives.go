package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"capgraph/folder"
	"capgraph/internal/annotated"
	"capgraph/negatives"
	"capgraph/ruleparse"
	"capgraph/scenegraph"
	"capgraph/schemas"
	"capgraph/store"
)

// saidText is a positive with the answer of a teacher model and the verdict of a reader, if there are
// any.
type saidText struct {
	Source   string  `json:"source"`
	Caption  string  `json:"caption"`
	Key      string  `json:"key,omitempty"`
	Text     string  `json:"text"`
	Kind     string  `json:"kind"`
	Verdict  string  `json:"verdict,omitempty"` // of a reader
	Answer   float64 `json:"answer,omitempty"`  // of a teacher: log-odds that it is good
	Split    string  `json:"split,omitempty"`   // of a judged text: fit, cut or test
	Tokens   []int   `json:"tokens,omitempty"`  // indices of the caption's tokens that the text says
	features []uint32
	graph    *schemas.SceneGraph
	target   float64 // probability that it is good
}

// good is the verdict of a text without a fault.
const good = "good"

// splitName returns the part of the data to which a caption's texts belong: fit, cut or test. It
// depends on the pos_id of the caption, as an unsigned number, modulo 5.
func (t *saidText) splitName() string {
	switch uint64(scenegraph.TextID(t.Caption)) % 5 {
	case 0:
		return "test"
	case 1:
		return "cut"
	}
	return "fit"
}

// eachText calls f with each positive of runs that says a part of a graph. Of equal texts of a caption,
// only the first is passed.
func eachText(runs []string, f func(t saidText, said *negatives.SaidPart) error) error {
	parser, err := ruleparse.New()
	if err != nil {
		return err
	}
	for _, arg := range runs {
		source, dir, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q: want SOURCE=RUN", arg)
		}
		g, err := newGenerator(dir)
		if err != nil {
			return err
		}
		images, err := readImages(folder.Folder{Store: store.Local{}, Dir: dir})
		if err != nil {
			return err
		}
		for i := range images {
			for k := range images[i].Captions {
				c := &images[i].Captions[k]
				var parsed schemas.Parsed
				parser.ParseText(c.Text, &parsed)
				c.Tokens, c.Graph = parsed.Tokens, parsed.Graph
			}
		}
		var pools []schemas.Pool
		for i := range images {
			var failed error
			seen := map[string]bool{}
			drops := negatives.Drops{Said: func(s negatives.SaidPart) {
				c := &images[i].Captions[s.Caption]
				if key := fmt.Sprint(s.Caption, s.Text); failed == nil && !seen[key] {
					seen[key] = true
					t := saidText{Source: source, Caption: c.Text, Text: s.Text, Kind: schemas.KindObject, graph: &c.Graph}
					if s.Part.Relation != scenegraph.NoRelation {
						t.Kind = schemas.KindRelation
					}
					failed = f(t, &s)
				}
			}}
			pools = schemas.Resize(pools, len(images[i].Captions))
			if err := cmp.Or(g.Texts(context.Background(), &images[i], pools, &drops), failed); err != nil {
				return err
			}
		}
	}
	return nil
}

// newGenerator returns a generator of all positives, good or not, with the counts of a run.
func newGenerator(dir string) (*negatives.Generator, error) {
	rows, err := countsOf(dir)
	if err != nil {
		return nil, err
	}
	opts := negatives.Defaults()
	opts.MinConfidence, opts.MaxNegatives = 0, 0
	vocab, err := negatives.ReadVocabulary(rows, opts)
	if err != nil {
		return nil, err
	}
	opts.Methods = nil
	return negatives.New(opts, vocab, 7)
}

// writeParts writes the positives of annotated captions with a verdict: good if the annotated graph has
// each part that a text says, else false. Captions of judged texts that are not in the part fit are
// left out.
func writeParts(goldFile, judgedFile, out string, runs []string) error {
	judged, err := readTexts(judgedFile)
	if err != nil {
		return err
	}
	held := map[string]bool{}
	for _, t := range judged {
		held[t.Caption] = t.splitName() != "fit"
	}
	gold := map[string]*annotated.Row{}
	in, err := os.Open(goldFile)
	if err != nil {
		return err
	}
	defer in.Close()
	for row, err := range annotated.Read(in, goldFile) {
		if err != nil {
			return err
		}
		gold[row.Text] = &row
	}
	return writeEach(out, runs, func(t *saidText, s *negatives.SaidPart) bool {
		row := gold[t.Caption]
		if row == nil || held[t.Caption] {
			return false
		}
		t.Verdict = "false"
		if isAnnotated(row, t.graph, s.Part) {
			t.Verdict = good
		}
		return true
	})
}

// isAnnotated reports whether the annotated graph of a caption has the part of the parser's graph g.
func isAnnotated(gold *annotated.Row, g *schemas.SceneGraph, part scenegraph.SubGraph) bool {
	parsed := schemas.Parsed{Graph: *g}
	row := annotated.FromParsed(gold.Text, &parsed)
	ends := annotated.AlignedEnds(&row, gold)
	keep := map[int]uint64{int(part.Subject): part.SubjectAttributes}
	if part.Relation != scenegraph.NoRelation {
		keep[int(part.Object)] = part.ObjectAttributes
		row.Relations = row.Relations[part.Relation:][:1]
	} else {
		row.Relations = nil
	}
	for i := range row.Objects {
		var said []annotated.Attribute
		for k, a := range row.Objects[i].Attributes {
			if k < 64 && keep[i]>>k&1 == 1 {
				said = append(said, a)
			}
		}
		row.Objects[i].Attributes, row.Objects[i].Quantity = said, annotated.Quantity{}
	}
	want := annotated.Tuples(gold, annotated.ObjectEnds(gold))
	for t := range annotated.Tuples(&row, ends) {
		own := t.Kind != annotated.ObjectTuple
		for i := range keep {
			own = own || ends[i] == t.Subject
		}
		if own && !want[t] {
			return false
		}
	}
	return true
}

// writeJudged writes judged texts, each with its part of the data.
func writeJudged(judgedFile, out string) error {
	judged, err := readTexts(judgedFile)
	if err != nil {
		return err
	}
	return encodeTexts(out, judged)
}

// encodeTexts writes texts as JSON lines, each with its part of the data.
func encodeTexts(out string, texts []saidText) error {
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	e := json.NewEncoder(f)
	for _, t := range texts {
		t.Split = t.splitName()
		if err := e.Encode(t); err != nil {
			return err
		}
	}
	return f.Close()
}

// writeTexts writes the positives of runs, as questions to a teacher.
func writeTexts(out string, runs []string) error {
	return writeEach(out, runs, func(*saidText, *negatives.SaidPart) bool { return true })
}

// writeEach writes the positives of runs for which fill returns true, one JSON object per line.
func writeEach(out string, runs []string, fill func(*saidText, *negatives.SaidPart) bool) error {
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	e := json.NewEncoder(w)
	err = eachText(runs, func(t saidText, said *negatives.SaidPart) error {
		if !fill(&t, said) {
			return nil
		}
		return e.Encode(t)
	})
	if err := cmp.Or(err, w.Flush()); err != nil {
		return err
	}
	return f.Close()
}

// readTexts reads texts, one JSON object per line.
func readTexts(path string) ([]saidText, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []saidText
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var t saidText
		if err := d.Decode(&t); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: text %d: %w", path, len(all)+1, err)
		}
		all = append(all, t)
	}
}
